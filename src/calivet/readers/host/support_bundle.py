"""What troubleshoot.sh notes about a machine in JSON of its own, under host-collectors/system of a support bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact, Setting, Version
from calivet.facts.host import Cpu, Interface, KernelModule, Memory, Sysctl, Unit
from calivet.readers.objects.flow import parse_flow
from calivet.readers.objects.tree import Branch
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

_COLLECTOR = expression(r"^\$ support-bundle hostCollectors/(?P<collector>\w+)")
_MEBIBYTE = 1 << 20
# Of the flags that Go's net package counts up, the first says that the interface is up.
_UP = 1


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One collector's notes; the path told which."""
    reading = Reading()
    asked = _COLLECTOR.match(artifact.lines[anchors[0]])
    noted = _COLLECTORS.get(asked["collector"]) if asked else None
    if noted is None:
        return reading
    root, _ = parse_flow("\n".join(artifact.lines[anchors[0] + 1 :]), anchors[0] + 1)
    reading.facts += noted(artifact, root)
    reading.claim(anchors[0], len(artifact.lines))
    return reading


def _read_system(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    if kernel := root.at("kernelVersion"):
        yield Version(at=artifact.at(kernel.index), host=artifact.host, program="kernel", version=str(kernel.value))
    if platform := root.at("platform"):
        words = f"{platform.value} {root.text('platformVersion') or ''}".strip()
        yield Version(at=artifact.at(platform.index), host=artifact.host, program="os", version=words)


def _read_processors(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    if count := root.number("logicalCount"):
        yield Cpu(at=artifact.at(root.index), host=artifact.host, count=count)


def _read_memory(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    if total := root.number("total"):
        yield Memory(at=artifact.at(root.index), host=artifact.host, total=total / _MEBIBYTE)


def _read_clock(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    if state := root.at("ntp_synchronized"):
        at = artifact.at(state.index)
        yield Setting(at=at, host=artifact.host, program="clock", key="synchronized", value=state.value)


def _read_kernel_settings(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    for key, setting in root.children.items():
        if setting.value is not None:
            yield Sysctl(at=artifact.at(setting.index), host=artifact.host, key=str(key), value=str(setting.value))


def _read_modules(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    """Those that are loaded; that another could be says nothing about now."""
    for name, module in root.children.items():
        if module.text("status") == "loaded":
            yield KernelModule(at=artifact.at(module.index), host=artifact.host, name=str(name), loaded=True)


def _read_services(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    for service in root.children.values():
        if (name := service.text("Unit")) and name.endswith(".service"):
            yield Unit(
                at=artifact.at(service.index),
                host=artifact.host,
                name=name.removesuffix(".service"),
                active=service.text("Active"),
                sub=service.text("Sub"),
            )


def _read_interfaces(artifact: Artifact, root: Branch) -> Iterator[Fact]:
    for card in root.children.values():
        if name := card.text("Name"):
            at, up = artifact.at(card.index), bool((card.number("Flags") or 0) & _UP)
            yield Interface(at=at, host=artifact.host, name=name, up=up, mtu=card.number("MTU"))


_COLLECTORS: dict[str, Callable[[Artifact, Branch], Iterator[Fact]]] = {
    "hostOS": _read_system,
    "cpu": _read_processors,
    "memory": _read_memory,
    "time": _read_clock,
    "sysctl": _read_kernel_settings,
    "kernelModules": _read_modules,
    "hostServices": _read_services,
    "ipv4Interfaces": _read_interfaces,
}

READER = Reader(kind="support-bundle", anchor=_COLLECTOR, read=read)
