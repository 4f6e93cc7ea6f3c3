"""Expressions as Go reads them."""

from __future__ import annotations

import pytest

from calivet.forecast.methods import PatternError, compile_name_pattern, find_first_fit, split_patterns


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("eth", "veth1", True),
        ("^eth", "veth1", False),
        ("eth0$", "eth01", False),
        ("en[[:alpha:]]+[[:digit:]]", "enp0", True),
        ("(?i)ETH0", "eth0", True),
        ("", "anything", True),
        (r"bond0\.1\z", "bond0.1", True),
    ],
)
def test_they_occur_anywhere(pattern, name, fits):
    assert (find_first_fit(name, [pattern]) is not None) is fits


@pytest.mark.parametrize(
    "pattern", ["(?=eth)", "(?!eth0)eth", "(?<=v)eth", r"(e)\1", "eth++", "eth(", "[", "*", r"eth\Z"]
)
def test_what_go_does_not_take(pattern):
    with pytest.raises(PatternError):
        compile_name_pattern(pattern)


def test_a_list_is_parted_at_commas():
    assert split_patterns("eth.* , ens160") == ["eth.*", "ens160"]
    assert split_patterns("eth0,") == ["eth0", ""]
