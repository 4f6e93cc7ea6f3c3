"""Containers that ended and were started again, as happenings."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.catalogue.words import Words
from calivet.facts.kubernetes import Container, Pod
from calivet.facts.picture import Picture
from calivet.facts.times import seconds_between
from calivet.scene.draft import Draft, Moment, ago
from calivet.scene.scene import RESTART

# Restarts further apart than this are single ones: of those only the last has a time.
_AGAIN_AND_AGAIN = 3_600.0
# A single one longer ago than this is history.
_LATELY = 86_400.0

_RESTARTS = Words("{pod} restarts again and again", "{pod} 反复重启")
_RESTARTED = Words("{pod} restarted ({count} in all)", "{pod} 重启（累计 {count} 次）")
_ENDED = Words("{name} ended: {reason}, exit code {code}", "{name} 退出：{reason}，退出码 {code}")


def restarts(picture: Picture) -> Iterator[Draft]:
    """Of the pods that are part of the cluster's machinery; a described container tells more than a row of a table."""
    pods = {pod.name: pod for pod in picture.all(Pod) if picture.role(pod) != "other"}
    begun = {pod.name: pod for pod in picture.all(Pod) if pod.started}
    containers = {(one.pod, one.name): one for one in picture.all(Container) if one.pod in pods}
    described = set()
    for (name, _), one in containers.items():
        if draft := _ended(one, begun.get(str(name)) or pods[str(name)], picture):
            described.add(name)
            yield draft
    counted = {pod.name: pod for pod in picture.all(Pod) if pod.name in pods and pod.restarts}
    for name, pod in counted.items():
        if name not in described and (draft := _restarted(pod, picture)):
            yield draft


def _ended(one: Container, pod: Pod, picture: Picture) -> Draft | None:
    """The end that was told last, and, where it ends again and again, since the pod began."""
    last = one.last_finished or (one.finished if one.state == "terminated" else None)
    if last is None or (one.init and not one.restarts):
        return None
    code, count = one.last_exit_code if one.last_finished else one.exit_code, one.restarts or 1
    reason = (one.last_reason if one.last_finished else one.reason) or "?"
    seconds = seconds_between(pod.started, last)
    often = count > 1 and seconds is not None and 0 < seconds / count <= _AGAIN_AND_AGAIN
    name = f"{pod.name}/{one.name}" if one.name else pod.name
    values = {"name": name, "reason": reason, "code": "?" if code is None else str(code)}
    return Draft(
        lane=_lane(pod, picture),
        kind=RESTART,
        title=_ENDED.fill(values),
        times=[Moment(pod.started if often and pod.started else last, pod.at), Moment(last, one.at)],
        count=count if often else 1,
        bad=bool(code) or reason != "Completed",
        line=one.at,
    )


def _restarted(pod: Pod, picture: Picture) -> Draft | None:
    count, age = pod.restarts or 0, pod.age or 0.0
    last = pod.last_restart or 0.0
    often = 0 < (age - last) / count <= _AGAIN_AND_AGAIN
    if pod.last_restart is None and not often:
        return None
    return Draft(
        lane=_lane(pod, picture),
        kind=RESTART,
        # How often is told beside what happens again and again.
        title=(_RESTARTS if often else _RESTARTED).fill({"pod": pod.name, "count": str(count)}),
        times=[Moment(ago(age if often else last), pod.at), Moment(ago(last), pod.at)],
        count=count if often else 1,
        bad=often or last <= _LATELY,
        line=pod.at,
    )


def _lane(pod: Pod, picture: Picture) -> str:
    node = pod.node or picture.node_of_pod(pod.name) or ""
    return picture.names.node(node) or node
