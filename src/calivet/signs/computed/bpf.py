"""Signs in the eBPF data plane: whether it is wanted, and whether it could be prepared."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Object
from calivet.facts.picture import Picture
from calivet.signs.computed.installing import failing_containers
from calivet.signs.sighting import Sighting

_INIT_FAILED = ("Init:CrashLoopBackOff", "Init:Error")
_BPF_CONTAINERS = ("mount-bpffs", "ebpf-bootstrap")
_NO_MOUNT = expression(
    r"Failed to mount (?:BPF|cgroup2) filesystem|Failed to initialize BPF network.*(?:not implemented|no such)"
)
_BPF_WORDS = expression(
    r"linuxDataplane\W{1,4}BPF\b|bpfEnabled\W{1,4}true|bpfNetworkBootstrap\W{1,4}Enabled"
    r"|calico-bpf\.yaml|\beBPF\b|BPF enabled, starting"
)


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


def bpf_init_failing(picture: Picture) -> Iterator[Sighting]:
    """The container that prepares eBPF ended with an error."""
    yield from failing_containers(picture, _BPF_CONTAINERS)
    stuck = {pod.name for pod in picture.pods("calico-node") if (pod.status or "") in _INIT_FAILED}
    for span in picture.all(LogSpan):
        if span.container in _BPF_CONTAINERS and span.worst in ("ERROR", "FATAL") and span.pod in stuck:
            values = {"pod": span.pod or "", "container": span.container or "", "reason": span.last_message[:60]}
            yield Sighting(line=span.at, node=picture.node_of_pod(span.pod), values=values)


def bpf_preparation_failed(picture: Picture) -> Iterator[Sighting]:
    """eBPF is wanted, and the mounts that it needs could not be made."""
    if not _bpf_wanted(picture):
        return
    for span in picture.all(LogSpan):
        if span.program.startswith("init") and _NO_MOUNT.search(span.last_message):
            values = {"message": span.last_message[:80]}
            node = picture.names.node(span.host) or picture.node_of_pod(span.pod)
            yield Sighting(line=span.at, node=node, values=values)


def _bpf_wanted(picture: Picture) -> bool:
    """Whether settings, notes or short outputs ask for eBPF."""
    if any(bpf_off(picture)):
        return False
    short = (artifact.lines for artifact in picture.artifacts if artifact.prose or artifact.length < 120)
    return any(bpf_on(picture)) or any(_BPF_WORDS.search(text) for lines in short for text in lines)


SIGNS = {
    "bpf-mode-on": bpf_on,
    "bpf-mode-off": bpf_off,
    "bpf-init-container-failing": bpf_init_failing,
    "bpf-preparation-failed": bpf_preparation_failed,
}
