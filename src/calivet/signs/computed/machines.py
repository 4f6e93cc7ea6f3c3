"""Signs in what a machine is: its kernel's version and modules, its architecture, against what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.fact import Variable, Version
from calivet.facts.host import KernelModule
from calivet.facts.kubernetes import Container, Node, Object, Row
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_NUMBERS = expression(r"(\d+)\.(\d+)(?:\.(\d+)-(\d+))?")
# Felix accepts Red Hat's 4.18 from this build on, because what eBPF needs was ported back to it.
_RED_HAT = expression(r"4\.18\.0-(\d+)")
_RED_HAT_BUILD = 193
_NEED = {"eBPF": (5, 3), "WireGuard": (5, 6), "nftables": (5, 13)}
_NEW = (5, 10)
_NEEDED = expression(
    r"ip_tables|ip6_tables|ip_set\w*|xt_set|ipt_set|xt_(?:addrtype|conntrack|mark|multiport|rpfilter|comment)|ipip|vxlan"
)
_ARCHITECTURES = {
    "amd64": "amd64",
    "x86_64": "amd64",
    "arm64": "arm64",
    "aarch64": "arm64",
    "ppc64le": "ppc64le",
    "s390x": "s390x",
}
_IMAGE_ARCHITECTURE = expression(r"[-_/](amd64|arm64|ppc64le|s390x)(?:[:/@-]|$)")
_ASKED = {
    "eBPF": (("bpfEnabled", "true"), ("FELIX_BPFENABLED", "true"), ("linuxDataplane", "bpf")),
    "WireGuard": (("wireguardEnabled", "true"), ("FELIX_WIREGUARDENABLED", "true")),
    "nftables": (("nftablesMode", "enabled"), ("FELIX_NFTABLESMODE", "enabled"), ("linuxDataplane", "nftables")),
}
_AT_WORK = {
    "eBPF": ("BPF enabled, starting", "BPF dataplane mode enabled", "linuxDataplane: BPF"),
    "WireGuard": ("Wireguard is not supported", "wireguardEnabled: true"),
    "nftables": ("program nftables", "Using nftables proxy", "linuxDataplane: Nftables"),
}
# Programs say so when they start; a log need not be searched to its end.
_SHORT = 400


def kernel_below_need(picture: Picture) -> Iterator[Sighting]:
    """A kernel that is older than the mode that was asked for needs."""
    for mode, need in _NEED.items():
        if not _asked(picture, mode):
            continue
        for node, kernel, line in _kernels(picture):
            version = _version(kernel)
            if version and version < need and not (mode == "eBPF" and _ported_back(kernel)):
                want = ".".join(map(str, need))
                values = {"have": kernel, "mode": mode, "want": want}
                yield Sighting(line=line, node=node, values=values)


def kernel_new_enough(picture: Picture) -> Iterator[Sighting]:
    """Every kernel that was seen is new enough for any mode."""
    kernels = list(_kernels(picture))
    if kernels and all((_version(kernel) or (0, 0)) >= _NEW for _, kernel, _ in kernels):
        _, kernel, line = kernels[0]
        yield Sighting(line=line, values={"have": kernel})


def needed_module_absent(picture: Picture) -> Iterator[Sighting]:
    """A tool did not find a module that Calico's rules or tunnels are made of."""
    loaded = {(fact.host, fact.name) for fact in picture.all(KernelModule) if fact.loaded}
    for fact in picture.all(KernelModule):
        if not fact.loaded and _NEEDED.fullmatch(fact.name) and (fact.host, fact.name) not in loaded:
            node = picture.names.node(fact.host) or fact.host
            yield Sighting(line=fact.at, node=node, values={"module": fact.name})


def image_architecture_differs(picture: Picture) -> Iterator[Sighting]:
    """An image whose name says another architecture than its node's."""
    nodes = {node.name: _ARCHITECTURES.get(node.arch or "") for node in picture.all(Node)}
    for container in picture.all(Container):
        found = _IMAGE_ARCHITECTURE.search(container.image or "")
        node = picture.node_of_pod(container.pod)
        arch = nodes.get(node or "")
        if found and arch and found[1] != arch:
            values = {"image": str(container.image), "built": found[1], "node": str(node), "arch": arch}
            yield Sighting(line=container.at, node=node, values=values)


def _kernels(picture: Picture) -> Iterator[tuple[str | None, str, Line]]:
    """The kernel of each machine, once, wherever it was shown."""
    found: dict[tuple[str | None, str], Line] = {}
    for node in picture.all(Node):
        if node.kernel:
            found.setdefault((node.name, node.kernel), node.at)
    for row in picture.all(Row):
        kernel = row.cells.get("KERNEL") or row.cells.get("KERNEL-VERSION")
        if kernel and row.name:
            found.setdefault((picture.names.node(row.name) or row.name, kernel), row.at)
    for fact in picture.all(Version):
        if fact.program == "kernel":
            found.setdefault((picture.names.node(fact.host) or fact.host, fact.version), fact.at)
    yield from ((node, kernel, line) for (node, kernel), line in found.items())


def _version(kernel: str) -> tuple[int, int] | None:
    found = _NUMBERS.match(kernel)
    return (int(found[1]), int(found[2])) if found else None


def _ported_back(kernel: str) -> bool:
    found = _RED_HAT.match(kernel)
    return bool(found and int(found[1]) >= _RED_HAT_BUILD)


def _asked(picture: Picture, mode: str) -> bool:
    """Whether an object or a variable asks for the mode, or a program says that it works in it."""
    wanted = dict.fromkeys(_ASKED[mode])
    if any((variable.name, variable.value.lower()) in wanted for variable in picture.all(Variable)):
        return True
    starts = ("\n".join(artifact.lines[:_SHORT]) for artifact in picture.artifacts)
    if any(words in start for start in starts for words in _AT_WORK[mode]):
        return True
    return any(
        (path.rsplit(".", 1)[-1], str(value).lower()) in wanted
        for thing in picture.all(Object)
        for path, value in thing.values.items()
    )


SIGNS = {
    "kernel-below-need": kernel_below_need,
    "kernel-new-enough": kernel_new_enough,
    "needed-module-absent": needed_module_absent,
    "image-architecture-differs": image_architecture_differs,
}
