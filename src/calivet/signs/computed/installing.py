"""Signs in the init containers of calico-node, and in what it leaves on the host."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.host import File
from calivet.facts.kubernetes import Container, Event, Pod
from calivet.facts.picture import Picture, is_healthy, once
from calivet.signs.sighting import Sighting

# upgrade-ipam needs seconds; this long it is stuck.
LONG = 120.0
_FAILED = ("CrashLoopBackOff", "Error", "CreateContainerError", "RunContainerError", "ContainerCannotRun")
_NODENAME_COMMAND = expression(r"\bcat\s+(?:\S+\s+)*/var/lib/calico/nodename")
_NODENAME_MISSED = "stat /var/lib/calico/nodename: no such file"
_HOST_NAME = expression(r"[A-Za-z0-9][\w.-]*")
_STARTED = expression(r"Started container:? upgrade-ipam")


def upgrade_ipam_running(picture: Picture) -> Iterator[Sighting]:
    """upgrade-ipam has been running for minutes."""
    for container in picture.all(Container):
        if container.name == "upgrade-ipam" and container.state == "running" and _age(container, picture) >= LONG:
            yield _of(container, picture)


def flexvol_failing(picture: Picture) -> Iterator[Sighting]:
    """flexvol-driver ended with an error."""
    yield from failing_containers(picture, ("flexvol-driver",))


def nodename_on_host(picture: Picture) -> Iterator[Sighting]:
    """The CNI plugin misses the nodename file although the operator found it on the host."""
    for artifact in picture.artifacts:
        if not _NODENAME_COMMAND.search(artifact.command or ""):
            continue
        shown = [index for index, text in enumerate(artifact.lines[1:3], start=1) if _HOST_NAME.fullmatch(text.strip())]
        if shown and _nodename_missed(picture):
            name = artifact.lines[shown[0]].strip()
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=artifact.at(shown[0]), node=node, values={"name": name}, order=artifact.order)


@once
def _nodename_missed(picture: Picture) -> bool:
    return any(_NODENAME_MISSED in text for artifact in picture.artifacts for text in artifact.lines)


def nodename_folder_empty(picture: Picture) -> Iterator[Sighting]:
    """A listing of /var/lib/calico without the nodename file."""
    listed: dict[str | None, list[File]] = defaultdict(list)
    for file in picture.all(File):
        if file.path.startswith("/var/lib/calico"):
            listed[file.host].append(file)
    for host, files in listed.items():
        folder = [file for file in files if file.path in ("/var/lib/calico", "/var/lib/calico/", "/var/lib/calico/*")]
        if folder and not any(file.path.endswith("/nodename") and file.exists for file in files):
            yield Sighting(line=folder[0].at, node=picture.names.node(host) or host)


def calico_nodes_ready(picture: Picture) -> Iterator[Sighting]:
    """Every calico-node that was seen is ready."""
    pods = picture.latest_pods("calico-node")
    if pods and all(is_healthy(pod) for pod in pods):
        yield Sighting(line=pods[0].at)


def failing_containers(picture: Picture, names: tuple[str, ...]) -> Iterator[Sighting]:
    """Containers of these names that ended with an error."""
    for container in picture.all(Container):
        reason = container.reason or container.last_reason or ""
        ended = container.exit_code or container.last_exit_code
        if container.name in names and (reason in _FAILED or ended):
            yield _of(container, picture, reason or f"exit code {ended}")


def _age(container: Container, picture: Picture) -> float:
    """How long it has run, as far as the evidence tells."""
    started, pods = _ages(picture)
    return max(started, pods.get(container.pod, 0.0))


@once
def _ages(picture: Picture) -> tuple[float, dict[str | None, float]]:
    """How long ago some upgrade-ipam was started, and how old each pod is."""
    events = (event for event in picture.all(Event) if event.age and _STARTED.search(event.message))
    pods: dict[str | None, float] = {}
    for pod in picture.all(Pod):
        pods[pod.name] = max(pod.age or 0.0, pods.get(pod.name, 0.0))
    return max((event.age or 0.0 for event in events), default=0.0), pods


def _of(container: Container, picture: Picture, reason: str = "") -> Sighting:
    values = {"pod": container.pod or "", "container": container.name, "reason": reason}
    return Sighting(line=container.at, node=picture.node_of_pod(container.pod), values=values)


SIGNS = {
    "upgrade-ipam-still-running": upgrade_ipam_running,
    "flexvol-container-failing": flexvol_failing,
    "nodename-file-on-host": nodename_on_host,
    "nodename-folder-empty": nodename_folder_empty,
    "calico-nodes-all-ready": calico_nodes_ready,
}
