"""The words of forecasts: for every code that a forecast gives there is one."""

from __future__ import annotations

from calivet.forecast import autodetection, methods, outcome, peering, reachability, starts
from calivet.forecast.outcome import Trouble
from calivet.messages.message import load_table
from calivet.reports.forecast import describe_trouble


def codes(module, *left_out):
    """The values of a module's constants."""
    named = {name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)}
    return set(named.values()) - set(left_out)


def worded(*groups):
    """The codes that have words in these groups of the table."""
    keys = (key.partition(".") for key in load_table("forecast"))
    return {code for group, dot, code in keys if dot and group in groups}


def test_every_code_has_its_words():
    assert codes(methods, methods.FOUND, *methods.SINCE) == worded("why", "considered")
    assert codes(outcome) == worded("verdict", "trouble", "missing")
    assert codes(reachability) - {"Always", "CrossSubnet", "Never"} == worded("pool_trouble")
    assert codes(peering) == worded("state")
    assert codes(starts) == worded("fate")
    assert worded("how") == {
        autodetection.KEPT,
        autodetection.KEPT_FOR_WANT,
        autodetection.NOTHING,
        autodetection.ENDS,
        autodetection.UNKNOWN,
    }


def test_of_a_node_without_a_known_address_no_gap_is_left():
    assert describe_trouble(Trouble(outcome.CUT_OFF, ""), "en") == "the others cannot reach it"
    assert "10.0.0.7" in describe_trouble(Trouble(outcome.CUT_OFF, "10.0.0.7"), "en")
