"""The lab itself: its parts are real, it keeps to its own namespaces, and nothing of it outlives the tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab import bird, containerd, machine, permission
from tests.lab.lab import Lab
from tests.lab.machine import Machine
from tests.lab.permission import Obstacle
from tests.lab.plan import EVERYONE
from tests.lab.waiting import until

MAKER = """
import sys, time
from tests.lab.machine import Machine
made = Machine("orphan")
made.tell("sleep 1000 & kill -STOP $!")
print(made.pid, flush=True)
time.sleep(1000)
"""


@pytest.fixture(scope="module")
def lab(permitted):
    with Lab() as lab:
        lab.start()
        yield lab


@pytest.mark.parametrize("plan", EVERYONE, ids=lambda plan: plan.name)
def test_every_node_has_a_session_with_every_other(lab, plan):
    others = {other.address: "Established" for other in EVERYONE if other is not plan}
    until(lambda: bird.sessions(lab[plan.name]) == others, f"sessions of {plan.name}")


def test_every_node_has_a_runtime_that_answers(lab):
    assert all(containerd.answers(lab[plan.name]) for plan in EVERYONE)


def test_a_node_is_a_machine_of_its_own(lab):
    alder = lab["alder"]
    assert alder.run("hostname").strip() == "alder"
    assert {"sh", "bird", "containerd"} <= set(alder.run("ps", "-eo", "comm=").split())
    assert "pytest" not in alder.run("ps", "axww")
    assert alder.run("dmesg") == ""
    assert alder.run("cat", "/proc/swaps").count("\n") == 1


def test_the_machine_below_has_nothing_of_it(lab):
    below = subprocess.run(["ip", "-brief", "address"], capture_output=True, text=True, check=True).stdout
    assert not [plan for plan in EVERYONE if plan.address in below or plan.name in below]
    assert not Path(bird.FILE).exists()
    named = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert not [plan for plan in EVERYONE if plan.name in named]
    assert lab["alder"].attempt("touch", "/usr/trace").returncode != 0


@pytest.mark.usefixtures("permitted")
def test_a_machine_that_is_closed_is_gone():
    made = Machine("brief")
    made.tell("sleep 1000 & kill -STOP $!")
    made.close()
    made.close()
    assert not Path(f"/proc/{made.pid}").exists()


@pytest.mark.usefixtures("permitted")
def test_a_machine_is_gone_with_the_tests_that_made_it_even_when_they_are_killed():
    maker = subprocess.Popen(
        [sys.executable, "-c", MAKER], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    assert maker.stdout
    pid = int(maker.stdout.readline())
    assert Path(f"/proc/{pid}").exists()
    os.kill(maker.pid, signal.SIGKILL)
    maker.communicate()
    until(lambda: not Path(f"/proc/{pid}").exists(), "the end of the machine")


@pytest.fixture
def root_on_linux(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(permission, "PROGRAMS", ())
    return monkeypatch


def test_elsewhere_and_for_others_the_lab_is_not_to_be_had(root_on_linux):
    root_on_linux.setattr(os, "geteuid", lambda: 1000)
    assert permission.obstacle() == Obstacle(
        "only root may make namespaces for the network and for files", excused=True
    )
    root_on_linux.setattr(sys, "platform", "darwin")
    assert permission.obstacle() == Obstacle("namespaces are a thing of Linux", excused=True)


def test_what_is_missing_is_named(root_on_linux):
    root_on_linux.setattr(permission, "PROGRAMS", ("sh", "no-such-bird"))
    reason = "no-such-bird not installed (scripts/test-lab says how)"
    assert permission.obstacle() == Obstacle(reason, excused=False)


@pytest.mark.skipif(not shutil.which("unshare"), reason="unshare is not installed")
def test_namespaces_that_are_refused(root_on_linux):
    root_on_linux.setattr(permission, "APART", ("--no-such-thing",))
    found = permission.obstacle()
    assert found
    assert found.excused
    assert found.reason.startswith("namespaces are not permitted here: unshare: unrecognized option")


@pytest.mark.usefixtures("permitted")
def test_a_machine_that_does_not_start_says_why(root_on_linux):
    root_on_linux.setattr(machine, "FIRST_PROCESS", Path("no-such-file"))
    found = permission.obstacle()
    assert found
    assert not found.excused
    assert "trial does not run: sh: " in found.reason
