"""Signs of the kernel's reverse path filter, which Felix of older versions refuses to be loose."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Version
from calivet.facts.host import Sysctl
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting

_KEY = "net.ipv4.conf.all.rp_filter"
LOOSE = "2"
# The first Calico that does not look at rp_filter.
_FREE_SINCE = (3, 12)
_MINOR = expression(r"v?(\d+)\.(\d+)")
# From 3.14 on the program's word stands before the file.
_OLD_LINE = expression(r"\]\[\d+\] (?:int_dataplane|daemon|config_params|startup)\.go \d+: ")
_OLD = "≤3.13"
# Every start writes such lines; a log need not be searched to its end.
_SHORT = 400
# Whoever sets it shows what he did about it, not what he found.
_SETS = expression(r"\bsysctl\b.*(?:\s-\w*w\b|--write\b|rp_filter\s?=)")


def loose_on_old_calico(picture: Picture) -> Iterator[Sighting]:
    """rp_filter is loose and Calico is of a version that refuses it."""
    version = _refusing(picture)
    for fact in _running(picture) if version else []:
        if fact.value == LOOSE:
            yield Sighting(line=fact.at, node=_node(fact, picture), values={"key": fact.key, "version": version})


def loose_where_sick_only(picture: Picture) -> Iterator[Sighting]:
    """rp_filter is loose on machines where calico-node is sick, and on none where it is well."""
    loose = {_node(fact, picture): fact for fact in _running(picture) if fact.value == LOOSE}
    strict = {_node(fact, picture): fact for fact in _running(picture) if fact.value != LOOSE}
    healthy = picture.healthy_nodes & strict.keys()
    if not _refusing(picture) or not healthy or loose.keys() & picture.healthy_nodes:
        return
    for node in sorted(picture.sick_nodes & loose.keys()):
        fact = strict[min(healthy)]
        yield Sighting(line=fact.at, node=node, values={"sick": node, "well": min(healthy), "value": fact.value})


def not_loose(picture: Picture) -> Iterator[Sighting]:
    """rp_filter is strict or off in the running kernel."""
    for fact in _running(picture):
        if fact.value in ("0", "1"):
            yield Sighting(line=fact.at, node=_node(fact, picture))


@once
def _running(picture: Picture) -> list[Sysctl]:
    facts = (fact for fact in picture.all(Sysctl) if fact.key == _KEY and fact.file is None)
    return [fact for fact in facts if not _was_set(fact, picture)]


def _was_set(fact: Sysctl, picture: Picture) -> bool:
    around = picture.artifact(fact.at)
    return bool(around and _SETS.search(around.command or ""))


@once
def _refusing(picture: Picture) -> str:
    """The version of a Calico that looks at rp_filter, told by an image or by the form of its log; else empty."""
    told = next((one.version for one in reversed(picture.all(Version)) if one.program == "calico-node"), None)
    found = _MINOR.match(told or "")
    if told and found:
        return told if (int(found[1]), int(found[2])) < _FREE_SINCE else ""
    old = any(_OLD_LINE.search(text) for artifact in picture.artifacts for text in artifact.lines[:_SHORT])
    return _OLD if old else ""


def _node(fact: Sysctl, picture: Picture) -> str | None:
    return picture.names.node(fact.host) or fact.host


SIGNS = {
    "loose-rp-filter-on-old-calico": loose_on_old_calico,
    "loose-rp-filter-where-sick-only": loose_where_sick_only,
    "rp-filter-not-loose": not_loose,
}
