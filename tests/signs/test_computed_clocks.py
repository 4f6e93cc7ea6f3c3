"""What machines take for the time."""

from __future__ import annotations

from tests.facts.drawing import sightings

ASKED = """
[root@larch-1 ~]# date
{0}
[root@larch-2 ~]# date
{1}
"""


def test_two_machines_disagree():
    text = ASKED.format("Tue Mar  4 10:11:12 UTC 2025", "Tue Mar  4 08:01:30 UTC 2025")
    (seen,) = sightings("clocks-disagree", text)
    assert (seen.node, seen.values["other"]) == ("larch-2", "larch-1")
    assert sightings("clocks-agree", text) == []


def test_two_machines_agree():
    text = ASKED.format("Tue Mar  4 10:11:12 UTC 2025", "Tue Mar  4 10:11:40 UTC 2025")
    assert sightings("clocks-disagree", text) == []
    assert len(sightings("clocks-agree", text)) == 1


def test_whole_hours_without_a_zone_may_be_two_zones():
    text = ASKED.format("Tue Mar  4 10:11:12 CST 2025", "Tue Mar  4 03:11:20 CET 2025")
    assert sightings("clocks-disagree", text) == []


def test_years_are_no_zone():
    text = ASKED.format("Tue Mar  4 10:11:12 CST 2025", "Sat Jan  1 10:11:20 CST 2011")
    assert len(sightings("clocks-disagree", text)) == 1


def test_answers_far_apart_in_the_evidence_were_not_asked_together():
    text = ASKED.format("Tue Mar  4 10:11:12 UTC 2025\n" + "\n" * 80, "Tue Mar  4 18:01:30 UTC 2025")
    assert sightings("clocks-disagree", text) == []


def test_the_time_service_knows_the_offset():
    text = "[root@larch-2 ~]# chronyc tracking\nSystem time     : {0} seconds slow of NTP time\n"
    (seen,) = sightings("clock-offset-large", text.format("7212.345678901"))
    assert (seen.node, seen.values) == ("larch-2", {"offset": "-7212"})
    assert sightings("clock-offset-large", text.format("0.000012345")) == []
