"""Walks a circle."""

from __future__ import annotations

from calivet.contract.diagnosis import Finding, Step
from tests.e2e.circle.circle import Circle
from tests.e2e.circle.live_cluster import LiveCluster


def walk(circle: Circle, cluster: LiveCluster) -> None:
    """Breaks, diagnoses, mends, checks and takes back; the check fails whenever it is broken, and only then."""
    cluster.begin(circle)
    found = find(circle, cluster)
    assert found, f"{circle.cause} is not named"
    steps = circle.choose_steps(found)
    expect_check(circle, cluster, found, passes=False)
    for step in steps:
        take(circle, cluster, step)
    cluster.settle(circle)
    expect_check(circle, cluster, found, passes=True)
    assert not find(circle, cluster), f"{circle.cause} is still named after the fix"
    take_back(circle, cluster, found, steps)


def take_back(circle: Circle, cluster: LiveCluster, found: Finding, steps: list[Step]) -> None:
    """As printed; then it is broken as before, and the check tells."""
    if circle.taken_back == 0:
        return
    undos = [step.undo for step in reversed(steps) if step.undo][: circle.taken_back]
    assert undos, "no step can be taken back"
    for undo in undos:
        paste(circle, cluster, undo)
    if circle.is_taken_back:
        assert circle.is_taken_back(cluster), "the undo has not done what it says"
        return
    assert circle.is_broken(cluster), "taken back, and it is as it was after the fix"
    circle.made_felt(cluster)
    cluster.settle(circle)
    expect_check(circle, cluster, found, passes=False)
    if circle.named_again:
        assert find(circle, cluster), f"{circle.cause} is not named after the fix was taken back"


def find(circle: Circle, cluster: LiveCluster) -> Finding | None:
    """The finding of this cause, if it is one."""
    if circle.shown:
        findings = cluster.diagnose_output(circle.shown, circle.at).findings
    else:
        findings = cluster.diagnose(*circle.arguments).findings
    return next((finding for finding in findings if finding.cause == circle.cause), None)


def take(circle: Circle, cluster: LiveCluster, step: Step) -> None:
    """What is to be kept is kept first."""
    for command in (step.precheck, step.save, step.run):
        if command:
            paste(circle, cluster, command)


def paste(circle: Circle, cluster: LiveCluster, command: str) -> None:
    """It must succeed."""
    done = cluster.operator.paste(command, circle.gaps, circle.edits, circle.at)
    assert done.code == 0, f"{command}\n{done.text}"


def expect_check(circle: Circle, cluster: LiveCluster, found: Finding, *, passes: bool) -> None:
    """As it was printed."""
    check = circle.choose_check(found)
    printed = cluster.operator.paste(check.run, circle.gaps, at=circle.at).text
    wanted = f"passes ({check.expect})" if passes else "fails"
    assert circle.passes(printed) is passes, f"{check.run}\n{printed}\nis not what is printed when it {wanted}"
