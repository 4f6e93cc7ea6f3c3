"""Signs in host endpoints, which put the nodes themselves under policy."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.kubernetes import Object, Row
from calivet.facts.picture import Picture, is_sick
from calivet.signs.sighting import Sighting


def host_endpoint_with_policy(picture: Picture) -> Iterator[Sighting]:
    """Host endpoints exist, and a global policy that may apply to them."""
    written = any(thing.kind == "GlobalNetworkPolicy" for thing in picture.all(Object))
    if written or any(row.resource == "globalnetworkpolicy" for row in picture.all(Row)):
        yield from _host_endpoints(picture)


def host_endpoints_and_sickness(picture: Picture) -> Iterator[Sighting]:
    """Host endpoints exist where calico-node or a node is sick."""
    if picture.sick_nodes or any(is_sick(pod) for pod in picture.latest_pods("calico-node")):
        yield from _host_endpoints(picture)


def _host_endpoints(picture: Picture) -> Iterator[Sighting]:
    for thing in picture.all(Object):
        if thing.kind == "HostEndpoint":
            yield Sighting(line=thing.at, values={"name": thing.name or ""})
    for row in picture.all(Row):
        if row.resource in ("hostendpoint", "hep", "heps"):
            yield Sighting(line=row.at, values={"name": row.name or ""})


SIGNS = {
    "host-endpoint-with-policy": host_endpoint_with_policy,
    "host-endpoints-and-sick-calico": host_endpoints_and_sickness,
}
