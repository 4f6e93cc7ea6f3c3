"""Calico's own resources, from whichever API group the cluster serves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from calivet.live import blocks, needs, objects
from calivet.live.connection import Connection
from calivet.live.errands import Errand

_VERSIONS = {needs.CALICO: "v1", needs.CALICO_API: "v3"}
# Few objects each, and every field may matter.
_WHOLE = (*needs.POOLS, "ipamconfigs", "ipamconfigurations", *needs.ROUTING, *needs.SETTINGS, *needs.POLICIES)
_OPERATOR = ("installations", "tigerastatuses")

GROUPS = tuple({**_VERSIONS, needs.OPERATOR: "v1"}.items())
"""The groups to look for, with the version that is asked for."""


def resources(connection: Connection, served: Mapping[str, Sequence[str]]) -> list[Errand]:
    """All of Calico's that the cluster serves but IPAM's books; the group in which Calico stores it comes first."""
    found = []
    for resource in _WHOLE:
        if group := _group(resource, served):
            path = f"/apis/{group}/{_VERSIONS[group]}/{resource}"
            found.append(_whole(connection, resource, group, path, needs.CALICO_RESOURCES))
    for resource in _OPERATOR:
        if resource in served.get(needs.OPERATOR, ()):
            path = f"/apis/{needs.OPERATOR}/v1/{resource}"
            found.append(_whole(connection, resource, needs.OPERATOR, path, needs.INSTALLATION))
    return found


def _group(resource: str, served: Mapping[str, Sequence[str]]) -> str | None:
    return next((group for group in _VERSIONS if resource in served.get(group, ())), None)


def _whole(connection: Connection, resource: str, group: str, path: str, need: needs.Need) -> Errand:
    command = f"kubectl get {resource}.{group} -o yaml"
    return Errand(f"calico/{resource}.yaml", command, need, lambda: objects.several(connection, path), optional=True)


def addresses(connection: Connection, served: Mapping[str, Sequence[str]]) -> list[Errand]:
    """IPAM's books: as many objects as nodes, or as pods, so only figures are kept."""
    asked = (
        ("calico/blockaffinities.txt", "blockaffinities", blocks.AFFINITIES_COMMAND, blocks.affinities),
        ("calico/ipam.txt", "ipamblocks", blocks.USE_COMMAND, blocks.use),
        ("calico/ipamblocks.txt", "ipamblocks", blocks.COUNT_COMMAND, partial(_count, "ipamblocks")),
        ("calico/ipamhandles.txt", "ipamhandles", blocks.COUNT_COMMAND, partial(_count, "ipamhandles")),
    )
    found = []
    for name, resource, command, fetch in asked:
        if group := _group(resource, served):
            run = partial(fetch, connection, f"/apis/{group}/{_VERSIONS[group]}")
            written = command.format(group=group, resource=resource)
            found.append(Errand(name, written, needs.CALICO_RESOURCES, run, optional=True))
    return found


def _count(resource: str, connection: Connection, api: str) -> list[str]:
    return blocks.count(connection, f"{api}/{resource}")
