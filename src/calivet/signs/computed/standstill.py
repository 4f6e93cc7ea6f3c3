"""Signs of a node on which nothing is begun or ended any more although its kubelet still reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Container, Event, Node, Pod
from calivet.facts.picture import Picture, once
from calivet.facts.roles import role_of_name
from calivet.signs.sighting import Sighting

# kubelet speaks of a pod within seconds, and of a volume that does not come after two minutes.
LONG = 300.0
_BEFORE_KUBELET = ("Scheduled", "FailedScheduling")
NOT_BEGUN = ("Init:0/", "Pending", "ContainerCreating", "PodInitializing")
# Events that were picked by hand or cut off at the end do not tell what came last.
_PICKED = expression(r"\|\s*head\b|grep[^|]*chedul|reason=Scheduled")
_WRAPPED = r"^(?:sudo |time |timeout (?:-\S+ )*\S+ )*"
_ASKS_RUNTIME = expression(
    _WRAPPED + r"(?:crictl|docker|nerdctl|ctr)(?: -\S+(?: [\w./:]+)?)*? "
    r"(?:ps|pods|info|version|images|inspect\w*|(?:containers?|c|tasks?|t) (?:ls|list|ps))\b"
)
_ASKS_INSIDE = expression(
    _WRAPPED + r"(?:kubectl|k|oc|docker|crictl|nerdctl) (?:.*? )?exec (?P<where>.*? )"
    r"(?:(?:/usr)?/bin/)?(?:date|ls|hostname|id|uptime|true|pwd|whoami|echo|env|ps)(?: [^|]*)?$"
)
_GIVEN_UP = expression(r"^\s*\^C")


def pod_left_alone(picture: Picture) -> Iterator[Sighting]:
    """A calico-node pod was given to a node minutes ago, and its kubelet has not said a word about it since."""
    yield from _left_alone(picture)


def node_stands_still(picture: Picture) -> Iterator[Sighting]:
    """Where such a pod waits, others can neither be begun nor be ended."""
    waiting = {sighting.node for sighting in _left_alone(picture) if sighting.node}
    ending: dict[str, list[Pod]] = defaultdict(list)
    beginning: dict[str, list[Pod]] = defaultdict(list)
    for pod in {pod.name: pod for pod in picture.all(Pod)}.values():
        if pod.node in waiting and pod.status == "Terminating":
            ending[pod.node].append(pod)
        elif pod.node in waiting and picture.role(pod) != "calico-node" and _not_begun(pod):
            beginning[pod.node].append(pod)
    for node, pods in ending.items():
        if beginning[node]:
            values = {"ending": pods[0].name, "beginning": beginning[node][0].name}
            yield Sighting(line=pods[0].at, node=node, values=values)


def runtime_given_up(picture: Picture) -> Iterator[Sighting]:
    """Somebody asked the runtime for a list, waited in vain and interrupted it."""
    for artifact in _given_up(picture):
        if _ASKS_RUNTIME.match(artifact.command or ""):
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=artifact.at(0), node=node, order=artifact.order, values=_command(artifact))


def exec_given_up(picture: Picture) -> Iterator[Sighting]:
    """The simplest of commands did not come back from inside a container."""
    for artifact in _given_up(picture):
        if found := _ASKS_INSIDE.match(artifact.command or ""):
            pods = (picture.node_of_pod(word.split("/")[-1]) for word in found["where"].split())
            node = next((node for node in pods if node), None) or picture.names.node(artifact.host)
            yield Sighting(line=artifact.at(0), node=node, order=artifact.order, values=_command(artifact))


@once
def _left_alone(picture: Picture) -> list[Sighting]:
    events: dict[str, list[Event]] = defaultdict(list)
    for event in picture.all(Event):
        if event.object and role_of_name(event.object) == "calico-node":
            events[event.object].append(event)
    begun = {one.pod for one in picture.all(Container) if one.state in ("running", "terminated") or one.restarts}
    silent = {node.name for node in picture.all(Node) if node.ready is False}
    latest = {pod.name: pod for pod in picture.all(Pod)}
    # Some versions show no age for what the scheduler says; then it is the pod's own.
    ages = {pod.name: pod.age for pod in picture.all(Pod) if pod.age}
    found = []
    for name, seen in events.items():
        scheduled = next((event for event in seen if event.reason == "Scheduled"), None)
        node = picture.node_of_pod(name) or (scheduled.host if scheduled else None)
        only = scheduled and all(event.reason in _BEFORE_KUBELET for event in seen)
        waited = (scheduled.age if scheduled else None) or ages.get(name, 0.0)
        if not scheduled or not only or waited < LONG or name in begun or node in silent:
            continue
        if (name not in latest or _not_begun(latest[name])) and not _picked(picture, scheduled):
            values = {"pod": name, "minutes": f"{waited / 60:.0f}"}
            found.append(Sighting(line=scheduled.at, node=node, values=values))
    return found


def _not_begun(pod: Pod) -> bool:
    return pod.status is None or pod.status.startswith(NOT_BEGUN)


def _picked(picture: Picture, event: Event) -> bool:
    around = picture.artifact(event.at)
    return bool(around and _PICKED.search(around.command or ""))


def _given_up(picture: Picture) -> Iterator[Artifact]:
    """Commands that printed nothing until they were interrupted; the mark of it may stand in an artifact of its own."""
    for artifact, after in zip_longest(picture.artifacts, picture.artifacts[1:]):
        if not artifact.command:
            continue
        printed = [line for line in artifact.lines[:5] if line.strip() and artifact.command not in line]
        if not printed and after and after.name == artifact.name and not after.command:
            printed = [line for line in after.lines[:2] if line.strip()]
        if printed and _GIVEN_UP.match(printed[0]):
            yield artifact


def _command(artifact: Artifact) -> dict[str, str]:
    return {"command": str(artifact.command)[:80]}


SIGNS = {
    "pod-left-alone": pod_left_alone,
    "node-stands-still": node_stands_still,
    "runtime-given-up": runtime_given_up,
    "exec-given-up": exec_given_up,
}
