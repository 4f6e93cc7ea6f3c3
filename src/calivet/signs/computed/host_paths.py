"""Signs in paths of the host that calico-node's volumes need and do not find."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_NO_BPF = expression(r"hostPath type check failed: /sys/fs/bpf is not a directory")
_KERNEL = expression(r"(?P<major>\d+)\.(?P<minor>\d+)")
# Kernels from here on offer /sys/fs/bpf themselves.
WITH_BPF = (4, 4)


def bpf_path_hidden(picture: Picture) -> Iterator[Sighting]:
    """The kernel has the BPF file system, yet its directory is missing: the host is a container without that mount."""
    events = (event for event in picture.all(Event) if _NO_BPF.search(event.message))
    lacking = {event.node or picture.node_of_pod(event.object) for event in events}
    for version in picture.all(Version):
        node = picture.names.node(version.host) or version.host
        found = _KERNEL.match(version.version) if version.program == "kernel" else None
        if node and node in lacking and found and (int(found["major"]), int(found["minor"])) >= WITH_BPF:
            yield Sighting(line=version.at, node=node, values={"kernel": version.version})


SIGNS = {"bpf-path-hidden": bpf_path_hidden}
