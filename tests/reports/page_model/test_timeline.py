from __future__ import annotations

import pytest

from tests.facts.drawing import pods
from tests.reports.page_model.seeing import at, happenings, scene_of

LOG = "[root@oak-1 ~]# journalctl\n"
CLOCK = "[root@oak-1 ~]# date -u\nTue May  6 12:00:00 UTC 2025\n"


def line(time: str, text: str) -> str:
    return f"2025-05-06 {time}.000 [ERROR][4] felix/x.go 1: {text}\n"


def drawn(found):
    return [(one.lane, one.kind, one.count, one.bad, one.cause) for one in found]


class TestSigns:
    def test_equal_lines_are_one_happening_from_the_first_to_the_last(self):
        times = [
            f"{hour:02}:{minute:02}:{second:02}" for hour in range(3) for minute in range(60) for second in range(60)
        ]
        (found,) = happenings(LOG + "".join(line(time, "frobnicator main is gone") for time in times))
        assert (found.start, found.end, found.count) == (at("2025-05-06T00:00:00Z"), at("2025-05-06T02:59:59Z"), 10_800)
        assert (found.lane, found.cause, found.title.en, found.line.number) == ("oak-1", "fault", "main is gone", 2)

    def test_each_node_has_its_own(self):
        logs = {
            f"{node}.log": f"[root@{node} ~]# journalctl\n"
            + "".join(line(f"{hour:02}:{minute:02}:00", "frobnicator main is gone") for minute in range(60))
            for hour, node in enumerate(("oak-1", "oak-2", "oak-3"))
        }
        found = {one.lane: (one.start, one.end, one.count) for one in happenings(logs)}
        assert found == {
            node: (at(f"2025-05-06T0{hour}:00:00Z"), at(f"2025-05-06T0{hour}:59:00Z"), 60)
            for hour, node in enumerate(("oak-1", "oak-2", "oak-3"))
        }

    def test_effects_and_harmless_messages(self):
        text = (
            LOG + line("01:00:00", "frobnicator main is gone") + line("01:00:01", "dark") + line("01:00:02", "rattling")
        )
        assert drawn(happenings(text)) == [
            ("oak-1", "sign", 1, True, "fault"),
            ("oak-1", "sign", 1, True, "fault"),
            ("oak-1", "harmless", 1, False, ""),
        ]

    def test_of_two_findings_an_effect_belongs_to_the_one_that_names_its_node(self):
        text = {
            "oak-1.txt": LOG + line("01:00:00", "frobnicator main is gone"),
            "oak-2.txt": "[root@oak-2 ~]# journalctl\n" + line("01:00:00", "flywheel lost") + line("01:00:09", "dark"),
            "oak-3.txt": "[root@oak-3 ~]# journalctl\n" + line("01:00:09", "dark"),
        }
        dark = {one.lane: one.cause for one in happenings(text) if one.title.en == "title of dark"}
        assert dark == {"oak-2": "other", "oak-3": ""}

    def test_candidates_where_there_is_no_finding(self):
        assert [one.cause for one in happenings(LOG + line("01:00:00", "a faint light"))] == ["maybe"]

    def test_the_authors_words_have_no_time(self):
        assert happenings("On 2025-05-06 the frobnicator main is gone, we think, and nothing works any more.\n") == []


class TestEvents:
    def test_repeats_are_one_bar(self):
        (found,) = happenings(
            {
                "clock.txt": CLOCK,
                "pod.txt": """
                    $ kubectl describe pod calico-node-aaaaa -n kube-system
                    Name:         calico-node-aaaaa
                    Namespace:    kube-system
                    Node:         oak-1/10.1.0.1
                    Events:
                      Type     Reason   Age                    From     Message
                      ----     ------   ----                   ----     -------
                      Warning  BackOff  2m (x5214 over 20h)    kubelet  Back-off restarting failed container
                """,
            }
        )
        assert (found.lane, found.kind, found.count, found.bad) == ("oak-1", "event", 5214, True)
        assert (found.start, found.end) == (at("2025-05-05T16:00:00Z"), at("2025-05-06T11:58:00Z"))
        assert found.title.en == found.title.zh == "BackOff: Back-off restarting failed container"

    def test_messages_that_differ_in_numbers_only_are_one(self):
        text = "$ kubectl get events\nLAST SEEN   TYPE      REASON      OBJECT      MESSAGE\n" + "".join(
            f"{number}m   Warning   Unhealthy   pod/web-1   Readiness probe failed: [{number}] at 09:{number:02}\n"
            for number in range(10, 40)
        )
        (found,) = happenings(text)
        assert (found.start, found.end, found.count) == (-39 * 60.0, -600.0, 30)

    def test_looked_at_twice_it_is_still_one(self):
        text = "$ kubectl get events\nLAST SEEN   TYPE     REASON   OBJECT      MESSAGE\n5m   Normal   Pulled   pod/web-1   Pulled it\n"
        assert drawn(happenings({"one.txt": text, "two.txt": text})) == [("", "event", 1, False, "")]

    def test_the_finding_that_rests_on_an_event(self):
        text = "$ kubectl get events\nLAST SEEN   TYPE      REASON   OBJECT       MESSAGE\n5m   Warning   Odd   node/oak-1   frobnicator main is gone\n"
        assert drawn(happenings(text)) == [("oak-1", "event", 1, True, "fault")]


class TestRestarts:
    @pytest.mark.parametrize(
        ("restarts", "bar"),
        [
            ("214~(3m~ago)", (-18 * 3600.0, -180.0, 214, True)),
            ("41", (-18 * 3600.0, 0.0, 41, True)),
            ("2~(1h~ago)", (-3600.0, -3600.0, 1, True)),
        ],
    )
    def test_a_row_of_pods(self, restarts, bar):
        (found,) = happenings(pods(f"calico-node-aaaaa 0/1 Running {restarts} 18h 10.1.0.1 oak-1"))
        assert (found.lane, found.kind) == ("oak-1", "restart")
        assert (found.start, found.end, found.count, found.bad) == bar

    def test_one_long_ago_is_no_trouble_and_one_of_unknown_time_has_no_place(self):
        rows = (
            "calico-node-aaaaa 1/1 Running 2~(96d~ago) 131d 10.1.0.1 oak-1",
            "kube-proxy-bbbbb 1/1 Running 3 131d 10.1.0.1 oak-1",
        )
        assert [one.bad for one in happenings(pods(*rows))] == [False]

    def test_a_described_container_tells_more(self):
        text = {
            "pods.txt": pods("calico-node-aaaaa 0/1 CrashLoopBackOff 30~(1m~ago) 9h 10.1.0.1 oak-1"),
            "pod.txt": """
                $ kubectl describe pod calico-node-aaaaa -n kube-system
                Name:         calico-node-aaaaa
                Namespace:    kube-system
                Node:         oak-1/10.1.0.1
                Start Time:   Tue, 06 May 2025 08:00:00 +0200
                Status:       Running
                Containers:
                  calico-node:
                    Image:          calico/node:v3.27.3
                    State:          Waiting
                      Reason:       CrashLoopBackOff
                    Last State:     Terminated
                      Reason:       Error
                      Exit Code:    137
                      Started:      Tue, 06 May 2025 10:58:00 +0200
                      Finished:     Tue, 06 May 2025 11:00:00 +0200
                    Ready:          False
                    Restart Count:  30
            """,
        }
        (found,) = happenings(text, "restart")
        assert found.title.en == "calico-node-aaaaa/calico-node exited: Error, exit code 137"
        assert (found.start, found.end, found.count) == (at("2025-05-06T06:00:00Z"), at("2025-05-06T09:00:00Z"), 30)


class TestConditions:
    NODE = """
        $ kubectl describe node oak-1
        Name:               oak-1
        Conditions:
          Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
          ----             ------    -----------------                 ------------------                ------              -------
          MemoryPressure   Unknown   Tue, 06 May 2025 09:50:00 +0000   Tue, 06 May 2025 10:00:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
          DiskPressure     False     Tue, 06 May 2025 09:50:00 +0000   Mon, 05 May 2025 10:00:00 +0000   NoDiskPressure      kubelet has no disk pressure
          Ready            Unknown   Tue, 06 May 2025 09:50:00 +0000   Tue, 06 May 2025 10:00:00 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
    """

    def test_it_holds_until_the_evidence_was_taken(self):
        (found,) = happenings({"clock.txt": CLOCK, "node.txt": self.NODE})
        assert (found.lane, found.kind, found.bad, found.title.en) == (
            "oak-1",
            "condition",
            True,
            "Ready=Unknown NodeStatusUnknown",
        )
        assert (found.start, found.end) == (at("2025-05-06T10:00:00Z"), at("2025-05-06T12:00:00Z"))

    def test_good_news_far_from_the_trouble_would_only_stretch_the_axis(self):
        good = (
            self.NODE.replace("oak-1", "oak-2")
            .replace("Unknown", "False  ")
            .replace("Ready            False", "Ready            True ")
            .replace("06 May", "06 Jan")
        )
        lanes = [one.lane for one in happenings({"clock.txt": CLOCK, "bad.txt": self.NODE, "good.txt": good})]
        assert lanes == ["oak-1"]


def test_the_most_telling_first_and_the_rest_counted(monkeypatch):
    monkeypatch.setattr("calivet.reports.diagnosis.html.page_model.timeline.MOST", 2)
    text = LOG + line("01:00:02", "rattling") + line("01:00:01", "dark") + line("01:00:00", "frobnicator main is gone")
    found = scene_of(text).timeline
    assert [one.title.en for one in found.happenings] == ["main is gone", "title of dark"]
    assert found.left_out == 1


def test_only_what_is_asked_about():
    text = {
        "nodes.txt": pods(
            "calico-node-aaaaa 0/1 Running 41 18h 10.1.0.1 oak-1", "calico-node-bbbbb 0/1 Running 41 18h 10.1.0.2 oak-2"
        )
    }
    assert {one.lane for one in scene_of(text, "oak-2").timeline.happenings} == {"oak-2"}
