"""Signs in versions: parts of Calico that differ, and Calico far from the Kubernetes it was tested with."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Node
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_PARTS = ("calico-node", "calico-cni", "kube-controllers", "typha", "pod2daemon", "calico-apiserver")
_MINOR = expression(r"v?(\d+)\.(\d+)")
# Oldest and newest Kubernetes minor that each Calico minor was tested with.
_TESTED = {
    (2, 6): (6, 8), (3, 0): (8, 9), (3, 1): (8, 10), (3, 2): (10, 11), (3, 3): (10, 12), (3, 4): (11, 13),
    (3, 5): (11, 13), (3, 6): (12, 14), (3, 7): (12, 14), (3, 8): (13, 15), (3, 9): (13, 16), (3, 10): (14, 16),
    (3, 11): (14, 16), (3, 12): (15, 17), (3, 13): (15, 17), (3, 14): (16, 18), (3, 15): (16, 18), (3, 16): (16, 19),
    (3, 17): (17, 19), (3, 18): (18, 20), (3, 19): (19, 21), (3, 20): (19, 21), (3, 21): (20, 22), (3, 22): (21, 23),
    (3, 23): (21, 23), (3, 24): (22, 25), (3, 25): (23, 28), (3, 26): (24, 28), (3, 27): (27, 29), (3, 28): (27, 30),
    (3, 29): (29, 31), (3, 30): (31, 33), (3, 31): (32, 34),
}  # fmt: skip
# Neighbouring minors work in practice; beyond these many it is worth a word.
_LEEWAY = 3


def parts_differ(picture: Picture) -> Iterator[Sighting]:
    """Calico's parts, or its pods among themselves, that are of different minor releases."""
    seen: dict[str, Version] = {}
    for version in picture.all(Version):
        if version.program in _PARTS and _minor(version.version):
            seen[f"{version.program} {version.version}"] = version
    if len({_minor(version.version) for version in seen.values()}) > 1:
        yield Sighting(line=next(iter(seen.values())).at, values={"versions": ", ".join(sorted(seen))})


def far_from_tested(picture: Picture) -> Iterator[Sighting]:
    """A Kubernetes minor well outside the range that this Calico was tested with."""
    calico = next((found for found in reversed(picture.all(Version)) if found.program == "calico-node"), None)
    tested = _TESTED.get(_minor(calico.version) or (0, 0)) if calico else None
    kubernetes = next((node.version for node in picture.all(Node) if node.version), None)
    minor = _minor(kubernetes or "")
    if calico and tested and kubernetes and minor and not tested[0] - _LEEWAY <= minor[1] <= tested[1] + _LEEWAY:
        values = {
            "calico": calico.version,
            "kubernetes": kubernetes,
            "tested": f"1.{tested[0]}-1.{tested[1]}",
        }
        yield Sighting(line=calico.at, values=values)


def _minor(text: str) -> tuple[int, int] | None:
    found = _MINOR.match(text)
    return (int(found[1]), int(found[2])) if found else None


SIGNS = {"calico-parts-differ": parts_differ, "kubernetes-far-from-tested": far_from_tested}
