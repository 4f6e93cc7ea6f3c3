"""Signs in which pools apply: switches, node selectors, annotations."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import Pool
from calivet.facts.kubernetes import Node, Object
from calivet.facts.picture import Picture
from calivet.facts.selectors import Selection
from calivet.signs.sighting import Sighting

_POOLS_WANTED = expression(r"cni\.projectcalico\.org/ipv[46]pools$")
_ANNOTATION = expression(r"cni\.projectcalico\.org/ipv[46]pools\"?\s*[:=]\s*(?P<list>.{1,200})")
_NAME = expression(r"[\w.-]+(?:/\d+)?")


def every_pool_disabled(picture: Picture) -> Iterator[Sighting]:
    """All pools that were listed are switched off."""
    latest = {pool.cidr: pool for pool in picture.all(Pool)}
    if latest and all(pool.disabled is True for pool in latest.values()):
        pool = next(iter(latest.values()))
        yield Sighting(line=pool.at, values={"pools": ", ".join(latest)})


def selectors_miss_node(picture: Picture) -> Iterator[Sighting]:
    """A node whose labels fit the selector of no enabled pool."""
    pools = [pool for pool in {pool.cidr: pool for pool in picture.all(Pool)}.values() if pool.disabled is not True]
    if not pools or any(not pool.selector for pool in pools):
        return
    labelled = {node.name: node for node in picture.all(Node) if node.labels}
    selection = Selection({name: node.labels for name, node in labelled.items()})
    chosen = {name for pool in pools for name in selection.of(str(pool.selector))}
    for name, node in labelled.items():
        if name not in chosen:
            values = {"node": name, "selectors": ", ".join(str(pool.selector) for pool in pools[:3])}
            yield Sighting(line=node.at, node=name, values=values)


def annotation_unknown_pool(picture: Picture) -> Iterator[Sighting]:
    """An annotation that names a pool which was not listed."""
    known = {name for pool in picture.all(Pool) for name in (pool.name, pool.cidr) if name}
    if not known:
        return
    for line, written in _annotations(picture):
        for name in _NAME.findall(written):
            if name not in known:
                yield Sighting(line=line, values={"pool": name})


def _annotations(picture: Picture) -> Iterator[tuple[Line, str]]:
    for thing in picture.all(Object):
        for path, value in thing.values.items():
            if _POOLS_WANTED.search(path):
                yield Line(thing.at.artifact, thing.lines.get(path, thing.at.number), f"{path}: {value}"), str(value)
    for artifact in picture.artifacts:
        for index, text in enumerate(artifact.lines if artifact.length < 400 and not artifact.prose else []):
            if found := _ANNOTATION.search(text):
                yield artifact.at(index), found["list"].strip("'\" []").replace('\\"', "")


SIGNS = {
    "every-pool-disabled": every_pool_disabled,
    "pool-selectors-miss-node": selectors_miss_node,
    "annotation-names-unknown-pool": annotation_unknown_pool,
}
