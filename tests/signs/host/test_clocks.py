"""What machines take for the time."""

from __future__ import annotations

from tests.facts.drawing import pods, sightings

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


class TestLogs:
    PODS = pods("calico-node-aaaaa 0/1 Running 9 201d 10.7.0.12 larch-2")
    TEXT = """
[root@larch-1 ~]# date
Wed Jul 12 15:20:10 CST 2023
[root@larch-1 ~]# kubectl logs -n kube-system calico-node-aaaaa --tail=2
{0}-07-12 07:19:31.904 [INFO][58] felix/discovery.go 188: Found ready Typha addresses.
{0}-07-12 07:19:31.931 [WARNING][58] felix/sync_client.go 285: Failed to connect to typha endpoint 10.7.0.11:5473.
"""

    def test_from_the_future(self):
        (seen,) = sightings("logs-out-of-time", self.PODS + self.TEXT.format(2026))
        assert (seen.node, seen.values["time"]) == ("larch-2", "2026-07-12 07:19")

    def test_older_than_the_pod_can_be(self):
        assert len(sightings("logs-out-of-time", self.PODS + self.TEXT.format(2007))) == 1

    def test_of_today(self):
        assert sightings("logs-out-of-time", self.PODS + self.TEXT.format(2023)) == []

    def test_an_old_log_of_an_old_pod(self):
        assert sightings("logs-out-of-time", self.PODS.replace("201d", "900d") + self.TEXT.format(2022)) == []


def test_the_time_service_knows_the_offset():
    text = "[root@larch-2 ~]# chronyc tracking\nSystem time     : {0} seconds slow of NTP time\n"
    (seen,) = sightings("clock-offset-large", text.format("7212.345678901"))
    assert (seen.node, seen.values) == ("larch-2", {"offset": "-7212"})
    assert sightings("clock-offset-large", text.format("0.000012345")) == []
