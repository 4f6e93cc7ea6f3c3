"""Machines that were cloned: what they share beside their disks."""

from __future__ import annotations

from calivet.preflight.requirement import Outcome
from tests.preflight.evidence import DEBIAN, UBUNTU, Probe, answers, apart

BOARD = "/sys/class/dmi/id/product_uuid"


def renamed(probe: Probe) -> Probe:
    """A clone that was given a name and an address of its own, and nothing else."""
    return probe.edit("kit-1", "kit-9").edit("10.44.0.21", "10.44.0.29")


def test_clones_are_told_apart_by_nothing_but_their_names():
    answer = answers(Probe(DEBIAN), renamed(Probe(DEBIAN)))["machine-id"]
    assert answer.outcome is Outcome.FAIL
    assert answer.says
    assert "kit-9" in answer.says.en
    assert answer.line
    assert "/etc/machine-id" in answer.line.text
    (step,) = answer.fix
    assert "systemd-machine-id-setup" in step.run
    assert "kit-9" in step.why.en


def test_boards_of_one_maker_may_share_their_number():
    other = apart(renamed(Probe(DEBIAN)))
    other.show(f"sha256sum {BOARD}", next(line for line in Probe(DEBIAN).lines if line.endswith(f"  {BOARD}")))
    answer = answers(Probe(DEBIAN), other)["machine-id"]
    assert answer.outcome is Outcome.UNCHECKED
    assert answer.says
    assert "product_uuid" in answer.says.en


def test_machines_with_numbers_of_their_own():
    assert answers(Probe(DEBIAN), Probe(UBUNTU))["machine-id"].outcome is Outcome.PASS


def test_without_another_machine_it_cannot_be_told():
    assert answers(Probe(DEBIAN))["machine-id"].outcome is Outcome.UNCHECKED


def test_a_machine_without_such_a_number():
    probe = Probe(DEBIAN).without("sha256sum /etc").without("sha256sum /sys")
    assert answers(probe, Probe(UBUNTU))["machine-id"].outcome is Outcome.UNCHECKED
