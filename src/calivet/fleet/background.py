"""What a fleet is counted by and a diagnosis does not say: which cluster it is, when, and which versions run in it."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from hashlib import blake2b

from msgspec import Struct, field

from calivet.facts.fact import Version
from calivet.facts.kubernetes import Node
from calivet.facts.picture import Picture
from calivet.pipeline import Examined

LONGEST = 80
"""Characters of a version; what is longer is something else."""
CONTROL = ("control-plane", "master", "controlplane")


class Running(Struct, frozen=True):
    """A version of a program, and on how many nodes it was seen; 0 where none is named."""

    program: str
    version: str
    nodes: int


class Background(Struct, frozen=True):
    """Beside the diagnosis."""

    cluster: str | None = None
    """The same for every bundle of one cluster; None where no node was seen."""
    collected: datetime | None = None
    versions: list[Running] = field(default_factory=list)


def background(examined: Examined) -> Background:
    """Taken from the facts and from the bundle's own word on when it was collected."""
    picture = examined.picture
    return Background(_cluster(picture), _universal(examined.taken), _versions(picture))


def _universal(moment: datetime | None) -> datetime | None:
    """Databases compare clock faces: all are those of UTC."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment and moment.tzinfo else moment


def _cluster(picture: Picture) -> str | None:
    """Told by the control plane, where seen: its nodes stay while others come and go. Else by all nodes."""
    latest = {node.name: node for node in picture.all(Node)}
    chosen = [node for node in latest.values() if node.roles and any(role in node.roles for role in CONTROL)]
    named = sorted(f"{node.name} {node.internal_ip or ''}" for node in chosen or latest.values())
    return blake2b("\n".join(named).encode("utf-8", "replace"), digest_size=8).hexdigest() if named else None


def _versions(picture: Picture) -> list[Running]:
    """Each program's versions with the nodes they were last seen on, the most frequent first."""
    seen: dict[tuple[str, str | None, str | None], str] = {}
    for fact in picture.all(Version):
        seen[fact.program, fact.host, fact.owner] = fact.version
    for node in picture.all(Node):
        seen |= {(program, node.name, None): version for program, version in _of_node(node)}
    places = {(program, version, host) for (program, host, _), version in seen.items() if _plausible(version)}
    counts: Counter[tuple[str, str]] = Counter()
    for program, version, host in places:
        counts[program, version] += host is not None
    return [Running(*key, nodes) for key, nodes in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def _of_node(node: Node) -> list[tuple[str, str]]:
    """What the node's line or object says runs on it."""
    runtime, _, version = (node.runtime or "").partition("://")
    told = [("kubernetes", node.version), ("kernel", node.kernel), ("os", node.os), (runtime, version)]
    return [(program, version) for program, version in told if program and version]


def _plausible(version: str) -> bool:
    return bool(version) and len(version) <= LONGEST and version.isprintable()
