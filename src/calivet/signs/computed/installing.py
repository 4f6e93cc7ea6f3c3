"""Signs in the init containers of calico-node, and in what it leaves on the host."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.facts.calico import LogSpan
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Container, Event, Object, Pod
from calivet.facts.picture import Picture, is_healthy
from calivet.signs.sighting import Sighting

# upgrade-ipam needs seconds; this long it is stuck.
LONG = 120.0
_FAILED = ("CrashLoopBackOff", "Error", "CreateContainerError", "RunContainerError", "ContainerCannotRun")
_INIT_FAILED = ("Init:CrashLoopBackOff", "Init:Error")
_BPF_CONTAINERS = ("mount-bpffs", "ebpf-bootstrap")
_NODENAME_COMMAND = re.compile(r"\bcat\s+(?:\S+\s+)*/var/lib/calico/nodename")
_NODENAME_MISSED = "stat /var/lib/calico/nodename: no such file"
_HOST_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_STARTED = re.compile(r"Started container:? upgrade-ipam")


def upgrade_ipam_running(picture: Picture) -> Iterator[Sighting]:
    """upgrade-ipam has been running for minutes."""
    for container in picture.all(Container):
        if container.name == "upgrade-ipam" and container.state == "running" and _age(container, picture) >= LONG:
            yield _of(container, picture)


def flexvol_failing(picture: Picture) -> Iterator[Sighting]:
    """flexvol-driver ended with an error."""
    yield from _failing(picture, ("flexvol-driver",))


def bpf_init_failing(picture: Picture) -> Iterator[Sighting]:
    """The container that prepares eBPF ended with an error."""
    yield from _failing(picture, _BPF_CONTAINERS)
    stuck = {pod.name for pod in picture.pods("calico-node") if (pod.status or "") in _INIT_FAILED}
    for span in picture.all(LogSpan):
        if span.container in _BPF_CONTAINERS and span.worst in ("ERROR", "FATAL") and (span.pod in stuck):
            values = {"pod": span.pod or "", "container": span.container or "", "reason": span.last_message[:60]}
            yield Sighting(line=span.at, node=picture.node_of_pod(span.pod), values=values)


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


def _nodename_missed(picture: Picture) -> bool:
    return any(_NODENAME_MISSED in text for artifact in picture.artifacts for text in artifact.lines)


def calico_nodes_ready(picture: Picture) -> Iterator[Sighting]:
    """Every calico-node that was seen is ready."""
    pods = picture.latest_pods("calico-node")
    if pods and all(is_healthy(pod) for pod in pods):
        yield Sighting(line=pods[0].at)


def bpf_on(picture: Picture) -> Iterator[Sighting]:
    """The eBPF data plane is asked for."""
    yield from _bpf(picture, ("true", "bpf"))


def bpf_off(picture: Picture) -> Iterator[Sighting]:
    """The data plane is said to be another than eBPF."""
    yield from _bpf(picture, ("false", "iptables", "nftables"))


def _bpf(picture: Picture, wanted: tuple[str, ...]) -> Iterator[Sighting]:
    for variable in picture.all(Variable):
        if variable.name == "FELIX_BPFENABLED" and variable.value.lower() in wanted:
            yield Sighting(line=variable.at)
    for thing in picture.all(Object):
        for path, value in thing.values.items():
            if path.endswith(("bpfEnabled", "linuxDataplane")) and str(value).lower() in wanted:
                yield Sighting(line=thing.at)


def _failing(picture: Picture, names: tuple[str, ...]) -> Iterator[Sighting]:
    for container in picture.all(Container):
        reason = container.reason or container.last_reason or ""
        ended = container.exit_code or container.last_exit_code
        if container.name in names and (reason in _FAILED or ended):
            yield _of(container, picture, reason or f"exit code {ended}")


def _age(container: Container, picture: Picture) -> float:
    """How long it has run, as far as the evidence tells."""
    ages = [pod.age for pod in picture.all(Pod) if pod.name == container.pod and pod.age]
    ages += [event.age for event in picture.all(Event) if event.age and _STARTED.search(event.message)]
    return max(ages, default=0.0)


def _of(container: Container, picture: Picture, reason: str = "") -> Sighting:
    values = {"pod": container.pod or "", "container": container.name, "reason": reason}
    return Sighting(line=container.at, node=picture.node_of_pod(container.pod), values=values)


SIGNS = {
    "upgrade-ipam-still-running": upgrade_ipam_running,
    "flexvol-container-failing": flexvol_failing,
    "bpf-init-container-failing": bpf_init_failing,
    "nodename-file-on-host": nodename_on_host,
    "calico-nodes-all-ready": calico_nodes_ready,
    "bpf-mode-on": bpf_on,
    "bpf-mode-off": bpf_off,
}
