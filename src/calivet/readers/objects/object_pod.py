"""A pod and its containers from YAML or JSON, in the words that kubectl's tables would use."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Container, Pod
from calivet.facts.times import parse_time
from calivet.readers.objects.tree import Branch


def format_shown_status(phase: str | None, containers: list[Container]) -> str | None:
    """Init:0/3 and CrashLoopBackOff say more than the phases Pending and Running."""
    starting = [container for container in containers if container.init]
    for done, container in enumerate(starting):
        if container.state == "terminated" and container.exit_code in (0, None) and container.reason != "Error":
            continue
        if container.state is None:
            break
        plain = container.state == "running" or container.reason in (None, "PodInitializing")
        return f"Init:{done}/{len(starting)}" if plain else f"Init:{container.reason}"
    told = (container.reason for container in containers if not container.init and container.state != "running")
    return next((reason for reason in told if reason), None) or phase


def read_pod(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    """The pod, where it has a name, then its containers in the order in which they run."""
    groups = (("initContainers", "initContainerStatuses"), ("containers", "containerStatuses"))
    containers = [
        _build_container(artifact, root, group, status)
        for group, listed in groups
        for status in root.below("status", listed)
    ]
    if name := root.text("metadata", "name"):
        yield _build_pod(artifact, root, name, containers)
    yield from containers


def _build_pod(artifact: Artifact, root: Branch, name: str, containers: list[Container]) -> Pod:
    statuses = root.below("status", "containerStatuses")
    ready = [text == "true" for status in statuses if (text := status.text("ready"))]
    restarts = [number for status in statuses if (number := status.number("restartCount")) is not None]
    line = root.at("status", "phase") or root.at("metadata", "name") or root
    node = root.text("spec", "nodeName")
    owner = root.at("metadata", "ownerReferences", 0)
    conditions = {each.text("type"): each.text("status") for each in root.below("status", "conditions")}
    return Pod(
        at=artifact.at(line.index),
        host=node,
        name=name,
        namespace=root.text("metadata", "namespace"),
        node=node,
        ready=sum(ready) if ready else None,
        containers=len(root.below("spec", "containers")) or len(statuses) or None,
        status=_format_status(root, containers),
        restarts=sum(restarts) if restarts else None,
        ip=root.text("status", "podIP"),
        started=parse_time(root.text("status", "startTime") or ""),
        labels=root.texts("metadata", "labels"),
        owner=f"{owner.text('kind')}/{owner.text('name')}" if owner else None,
        conditions={key: str(value).capitalize() for key, value in conditions.items() if key},
    )


def _format_status(root: Branch, containers: list[Container]) -> str | None:
    """The word in the STATUS column."""
    if root.at("metadata", "deletionTimestamp"):
        return "Terminating"
    phase = root.text("status", "reason") or root.text("status", "phase")
    main = [container for container in containers if not container.init]
    # Where the phase was not printed, containers that are all ready tell it.
    return format_shown_status(phase or ("Running" if main and all(one.ready for one in main) else None), containers)


def _build_container(artifact: Artifact, root: Branch, group: str, status: Branch) -> Container:
    name = status.text("name") or ""
    specs = (each for each in root.below("spec", group) if each.text("name") == name)
    spec = next(specs, Branch(status.index))
    state, current = _find_state(status, "state")
    last_state, last = _find_state(status, "lastState")
    telling = last.at("exitCode") or current.at("reason") or status.at("state") or status
    ready = status.text("ready")
    return Container(
        at=artifact.at(telling.index),
        host=root.text("spec", "nodeName"),
        name=name,
        pod=root.text("metadata", "name"),
        init=group == "initContainers",
        image=spec.text("image") or status.text("image"),
        state=state,
        reason=current.text("reason"),
        message=current.text("message") or last.text("message"),
        exit_code=current.number("exitCode"),
        started=parse_time(current.text("startedAt") or ""),
        finished=parse_time(current.text("finishedAt") or ""),
        last_state=last_state,
        last_reason=last.text("reason"),
        last_exit_code=last.number("exitCode"),
        last_started=parse_time(last.text("startedAt") or ""),
        last_finished=parse_time(last.text("finishedAt") or ""),
        ready=None if ready is None else ready == "true",
        restarts=status.number("restartCount"),
        memory_limit=spec.text("resources", "limits", "memory"),
    )


def _find_state(status: Branch, key: str) -> tuple[str | None, Branch]:
    held = status.at(key)
    for word, branch in held.children.items() if held else ():
        if word in ("running", "waiting", "terminated"):
            return str(word), branch
    return None, Branch(status.index)
