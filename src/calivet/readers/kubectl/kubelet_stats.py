"""The kubelet's own measurements of its node: `/stats/summary`, whole or only its node part."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.host import Cpu, Disk, Memory
from calivet.readers.command import find_output_start
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import find_subjects
from calivet.search.expressions import expression

_ANCHOR = expression(r'"nodeName" ?:')
_MEBIBYTE = 1 << 20
_NANO = 10**9


class _Cpu(Struct, frozen=True, rename="camel"):
    usage_nano_cores: int = 0


class _Memory(Struct, frozen=True, rename="camel"):
    available_bytes: int = 0
    working_set_bytes: int = 0


class _Disk(Struct, frozen=True, rename="camel"):
    available_bytes: int = 0
    capacity_bytes: int = 0
    inodes_free: int = 0
    inodes: int = 0


class _Runtime(Struct, frozen=True, rename="camel"):
    image_fs: _Disk = _Disk()


class _Node(Struct, frozen=True, rename="camel"):
    node_name: str
    cpu: _Cpu = _Cpu()
    memory: _Memory = _Memory()
    fs: _Disk = _Disk()
    runtime: _Runtime = _Runtime()


class _Summary(Struct, frozen=True):
    node: _Node = field(default_factory=lambda: _Node(""))


def read(artifact: Artifact, _anchors: list[int]) -> Reading:
    """The figures that tell of pressure; each stands at the line of its own key."""
    reading = Reading()
    start = find_output_start(artifact)
    try:
        node = msgspec.json.decode("\n".join(artifact.lines[start:]), type=_Summary).node
    except msgspec.DecodeError:
        return reading
    if node.node_name:
        reading.claim(start, len(artifact.lines))
        host = find_subjects(artifact).at(start) or node.node_name
        reading.facts += _read_node_stats(artifact, node, host)
    return reading


def _read_node_stats(artifact: Artifact, node: _Node, host: str) -> Iterator[Fact]:
    if busy := node.cpu.usage_nano_cores:
        yield Cpu(at=artifact.at(_find_line(artifact, "usageNanoCores")), host=host, used=busy / _NANO)
    if total := node.memory.available_bytes + node.memory.working_set_bytes:
        yield Memory(
            at=artifact.at(_find_line(artifact, "memory")),
            host=host,
            total=total / _MEBIBYTE,
            available=node.memory.available_bytes / _MEBIBYTE,
        )
    for key, mount, disk in (("fs", "/var/lib/kubelet", node.fs), ("imageFs", "/var/lib", node.runtime.image_fs)):
        at = artifact.at(_find_line(artifact, key))
        if disk.capacity_bytes:
            used = 100 * (1 - disk.available_bytes / disk.capacity_bytes)
            yield Disk(at=at, host=host, mount=mount, used=round(used, 1))
        if disk.inodes:
            used = 100 * (1 - disk.inodes_free / disk.inodes)
            yield Disk(at=at, host=host, mount=mount, used=round(used, 1), inodes=True)


def _find_line(artifact: Artifact, key: str) -> int:
    """The line of a key; of a page on one line, that line."""
    found = (index for index, line in enumerate(artifact.lines) if f'"{key}"' in line)
    return next(found, find_output_start(artifact))


READER = Reader(kind="kubelet-stats", anchor=_ANCHOR, read=read)
