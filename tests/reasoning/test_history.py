"""What is over is no finding beside a cluster that is well, and is shown as set aside."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, effect, sign

KNOWN = catalogue(
    cause("fault", sign("gone", "proof", pattern="frobnicator is gone"), leads_to=["traffic-lost"]),
    effect("traffic-lost"),
)
READY = (
    "calico-node-2bs6x 1/1 Running 0 90d 10.71.0.11 birch-1",
    "calico-node-7tq4n 1/1 Running 0 90d 10.71.0.12 birch-2",
)
GOOD = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12") + pods(*READY)
BAD = pods("calico-node-2bs6x 0/1 CrashLoopBackOff 9 3h 10.71.0.11 birch-1")


def log(*lines):
    return "".join(f"{stamp} birch-1 kubelet[811]: {text}\n" for stamp, text in lines)


def answer(journal, state=GOOD):
    return diagnosed(KNOWN, {"kubelet.log": journal, "state.txt": state})


GONE = "the frobnicator is gone"
STARTED = log(("Mar 02 08:00:01", GONE), ("Mar 02 08:00:09", GONE), ("Mar 02 09:30:00", "all quiet"))


def test_noise_of_the_start_is_set_aside():
    found = answer(STARTED)
    assert (found.verdict, found.findings, found.candidates) == ("healthy", [], [])
    assert [one.line.number for one in found.set_aside] == [2]


def test_an_effect_that_is_over_forbids_nothing():
    assert answer(log(("Mar 02 08:00:01", "traffic-lost"), ("Mar 02 12:00:00", "all quiet"))).verdict == "healthy"


def test_seconds_since_the_boot_are_times_too():
    kernel = f"[    1.212121] {GONE}\n[99112.003000] eth0: link up\n"
    assert answer(kernel).verdict == "healthy"


def test_what_befell_a_machine_that_started_is_over_sooner():
    boot = (("Mar 02 07:59:30", "Started kubelet"), ("Mar 02 08:00:01", GONE), ("Mar 02 08:20:00", "all quiet"))
    assert answer(log(*boot)).verdict == "healthy"
    assert answer(log(*boot[:2])).verdict == "fault"


def test_the_logs_of_others_tell_how_long_it_has_been_over():
    short = f"2026-03-02 08:00:01.100 {GONE}\n2026-03-02 08:00:21.100 all quiet\n"
    longer = {"felix.log": "2026-03-02 11:00:21.100 kubelet: all quiet\n", "state.txt": GOOD}
    assert diagnosed(KNOWN, {"kubelet.log": short, **longer}).verdict == "healthy"
    assert diagnosed(KNOWN, {"kubelet.log": short.splitlines()[0] + "\n", **longer}).verdict == "fault"


@pytest.mark.parametrize(
    "journal",
    [
        pytest.param(log(("Mar 02 08:00:01", GONE), ("Mar 02 08:20:00", "all quiet")), id="twenty minutes ago"),
        pytest.param(
            log(("Mar 02 08:00:01", GONE), ("Mar 04 08:00:01", GONE), ("Mar 04 11:00:00", "all quiet")),
            id="it comes back every two days",
        ),
        pytest.param(f"the log tells no time: {GONE}\nall quiet\n", id="without a time"),
    ],
)
def test_what_may_come_back_is_a_finding(journal):
    assert [one.cause.id for one in answer(journal).findings] == ["fault"]


def test_a_repair_is_no_history():
    """Somebody had a fault and shows it, and then that it is mended."""
    assert answer(STARTED, BAD + GOOD).findings


def test_who_complains_has_something_else_than_history():
    told = diagnosed(KNOWN, {"kubelet.log": STARTED, "note.md": "Pods lose their connections every night.\n\n" + GOOD})
    assert told.verdict != "healthy"


EVENTS = """[root@bastion ~]# kubectl get events -n kube-system
LAST SEEN   TYPE      REASON   OBJECT                  MESSAGE
{age}         Warning   Failed   pod/calico-node-2bs6x   the frobnicator is gone
"""


@pytest.mark.parametrize(("age", "verdict"), [("3h", "healthy"), ("3m", "fault")])
def test_an_event_that_ended_is_over(age, verdict):
    assert diagnosed(KNOWN, {"events.txt": EVENTS.format(age=age), "state.txt": GOOD}).verdict == verdict
