from __future__ import annotations

import pytest

from calivet.readers.host.journal import JOURNAL_READER
from calivet.readers.subject import find_journal_host
from tests.readers.host_reading import facts_of

CRASH = """
Mar 02 11:20:01 cn-9 systemd[1]: Started kubelet: The Kubernetes Node Agent.
Mar 02 11:20:01 cn-9 kubelet[7001]: E0302 11:20:01.100000    7001 run.go:74] "command failed" err="failed to run Kubelet: x"
Mar 02 11:20:01 cn-9 systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
Mar 02 11:20:01 cn-9 systemd[1]: kubelet.service: Failed with result 'exit-code'.
Mar 02 11:20:11 cn-9 systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 52.
Mar 02 11:20:11 cn-9 systemd[1]: Stopped kubelet: The Kubernetes Node Agent.
Mar 02 11:20:11 cn-9 systemd[1]: Started kubelet: The Kubernetes Node Agent.
"""
OLD_CRASH = """
Mar 02 11:20:01 cn-9 systemd[1]: kubelet.service: main process exited, code=killed, status=9/KILL
Mar 02 11:20:01 cn-9 systemd[1]: Unit kubelet.service entered failed state.
Mar 02 11:20:01 cn-9 systemd[1]: kubelet.service failed.
Mar 02 11:20:11 cn-9 systemd[1]: kubelet.service holdoff time over, scheduling restart.
"""


def test_a_unit_that_is_restarted_again_and_again():
    (unit,) = facts_of(JOURNAL_READER, CRASH)
    assert (unit.name, unit.host, unit.active, unit.sub, unit.result, unit.restarts) == (
        "kubelet",
        "cn-9",
        "activating",
        "auto-restart",
        "exit-code",
        52,
    )
    assert "restart counter is at 52" in unit.at.text


def test_old_systemd():
    (unit,) = facts_of(JOURNAL_READER, OLD_CRASH)
    assert (unit.active, unit.sub, unit.result, unit.restarts) == ("activating", "auto-restart", "signal", None)


def test_thousands_of_restarts_are_one_fact():
    assert len(facts_of(JOURNAL_READER, CRASH * 2000)) == 1


def test_a_start_that_lasted_is_a_recovery_after_the_trouble():
    later = "Mar 02 11:31:40 cn-9 kubelet[9000]: I0302 11:31:40.000000 9000 kubelet.go:1] all is well\n"
    trouble, recovery = facts_of(JOURNAL_READER, CRASH + later)
    assert (trouble.sub, recovery.active, recovery.sub) == ("auto-restart", "active", "running")
    assert recovery.at.number > trouble.at.number


def test_hosts_and_units_are_kept_apart():
    text = OLD_CRASH + OLD_CRASH.replace("cn-9", "cn-8").replace("kubelet", "containerd")
    assert {(unit.host, unit.name) for unit in facts_of(JOURNAL_READER, text)} == {
        ("cn-9", "kubelet"),
        ("cn-8", "containerd"),
    }


def test_a_plain_start_and_stop():
    (unit,) = facts_of(JOURNAL_READER, "Mar 02 11:20:01 cn-9 systemd[1]: Started Docker Application Container Engine.")
    assert (unit.name, unit.active, unit.sub) == ("docker", "active", "running")
    (unit,) = facts_of(
        JOURNAL_READER, "Mar 02 11:20:01 cn-9 systemd[1]: Stopped containerd.service - containerd container runtime."
    )
    assert (unit.name, unit.active, unit.sub) == ("containerd", "inactive", "dead")


@pytest.mark.parametrize(
    "line",
    [
        "2024-03-02T11:20:01+0800 cn-9 kubelet[7001]: Error: failed to parse kubelet flag: unknown flag: --network-plugin",
        "2024-03-02T11:20:01.123456+08:00 cn-9 kubelet[7001]: F0302 11:20:01.1 7001 server.go:198] failed to load Kubelet config file /x",
        "Mar 02 11:20:01 cn-9 systemd[1]: Failed to start kubelet: The Kubernetes Node Agent.",
        "Mar 02 11:20:01 cn-9 systemd[1]: kubelet.service: Start request repeated too quickly.",
        "Mar 02 11:20:01 cn-9 systemd[1]: start request repeated too quickly for kubelet.service",
        "3月 02 11:20:01 cn-9 systemd[1]: kubelet.service: Failed with result 'exit-code'.",
        "Sat 2024-03-02 11:20:01 CST cn-9 systemd[1]: kubelet.service: Failed with result 'exit-code'.",
    ],
)
def test_every_way_to_fail(line: str):
    (unit,) = facts_of(JOURNAL_READER, line)
    assert (unit.name, unit.active, unit.host) == ("kubelet", "failed", "cn-9")


def test_kubelet_run_by_hand():
    (unit,) = facts_of(
        JOURNAL_READER,
        'E0302 11:20:01.1 7001 run.go:74] "command failed" err="failed to run Kubelet: no runtime"',
        None,
        "cn-3",
    )
    assert (unit.name, unit.active, unit.host) == ("kubelet", "failed", "cn-3")


def test_the_tail_of_a_status_page_does_not_overrule_the_page():
    page = """
    ● kubelet.service - kubelet: The Kubernetes Node Agent
       Loaded: loaded (/lib/systemd/system/kubelet.service; enabled)
       Active: active (running) since Sat 2024-03-02 11:20:11 CST; 2h ago

    Mar 02 11:20:01 cn-9 systemd[1]: kubelet.service: Failed with result 'exit-code'.
    Mar 02 11:20:11 cn-9 kubelet[9000]: I0302 started

    """
    assert facts_of(JOURNAL_READER, page) == []
    assert len(facts_of(JOURNAL_READER, page + "\n\n" + OLD_CRASH)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "Mar 02 11:20:01 cn-9 kubelet[7001]: I0302 11:20:01.1 7001 kubelet.go:1845] skipping pod synchronization",
        "Mar 02 11:20:01 cn-9 systemd[1]: Started Session 12 of user root.",
        "Mar 02 11:20:01 cn-9 systemd[1]: Started Kubernetes systemd probe.",
        "Mar 02 11:20:01 cn-9 systemd[1]: logrotate.service: Main process exited, code=exited, status=0/SUCCESS",
        "2024-03-02 11:20:01.123 [INFO][60] felix/daemon.go 1: Started kubelet",
    ],
)
def test_lines_without_a_change_of_state(line: str):
    assert facts_of(JOURNAL_READER, line) == []


def test_the_host_in_the_head():
    assert find_journal_host("Mar  2 11:20:01 cn-9 kernel: [1.0] x") == "cn-9"
    assert find_journal_host("Mar  2 11:20:01.123456 cn-9.lab.example kubelet[1]: x") == "cn-9.lab.example"
    assert find_journal_host("Mar 02 11:20:01 kubelet[1]: x") is None
    assert find_journal_host("2024-03-02T11:20:01Z bird: BGP: x") is None
    assert find_journal_host("anything else") is None


def test_the_journals_of_several_machines_in_one_file_with_microseconds():
    text = """
    Mar 02 11:20:01.000311 cn-8 kubenswrapper[7001]: I0302 11:20:01.000300    7001 server.go:467] "Kubelet version"
    Mar 02 11:20:01.100042 cn-9 kubenswrapper[7002]: E0302 11:20:01.100000    7002 run.go:74] "command failed" err="failed to run Kubelet: x"
    """
    (unit,) = facts_of(JOURNAL_READER, text)
    assert (unit.name, unit.host, unit.active) == ("kubelet", "cn-9", "failed")
