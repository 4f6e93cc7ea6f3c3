"""Signs in tests of the API server: on its service address, and on its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach, Variable
from calivet.facts.kubernetes import Row
from calivet.facts.picture import Picture, once
from calivet.signs.sighting import Sighting

API_PORTS = (6443, 8443, 9443, 16443, 7443)
# The API server gets the first address of the service range.
_FIRST_OF_RANGE = expression(r"(?:\d{1,3}\.){3}1|[0-9a-f:]*:1", re.IGNORECASE)


def api_endpoint_answers(picture: Picture) -> Iterator[Sighting]:
    """A test from a host reached the API server's own address."""
    return (_sighting(reach, picture) for reach in _endpoint_tests(picture) if reach.outcome in ("ok", "reset"))


def api_endpoint_fails(picture: Picture) -> Iterator[Sighting]:
    """A test from a host did not reach the API server's own address."""
    return (_sighting(reach, picture) for reach in _endpoint_tests(picture) if reach.outcome not in ("ok", "reset"))


def service_address_answers(picture: Picture) -> Iterator[Sighting]:
    """A test from a host reached the API server's service address."""
    return (_sighting(reach, picture) for reach in _service_tests(picture) if reach.outcome == "ok")


def service_address_fails(picture: Picture) -> Iterator[Sighting]:
    """A test from a host did not reach the API server's service address."""
    return (_sighting(reach, picture) for reach in _service_tests(picture) if reach.outcome != "ok")


@once
def service_addresses(picture: Picture) -> set[str]:
    """The API server's service address, where the evidence names it."""
    rows = (row for row in picture.all(Row) if row.name in ("kubernetes", "service/kubernetes"))
    told = {row.cells["CLUSTER-IP"] for row in rows if row.cells.get("CLUSTER-IP")}
    return told | {one.value for one in picture.all(Variable) if one.name == "KUBERNETES_SERVICE_HOST" and one.value}


def is_service_address(address: str, port: int | None, picture: Picture) -> bool:
    """Whether this is where clients inside the cluster look for the API server."""
    return address in service_addresses(picture) or (port == 443 and bool(_FIRST_OF_RANGE.fullmatch(address)))


def _endpoint_tests(picture: Picture) -> Iterator[Reach]:
    for reach in picture.all(Reach):
        if reach.port in API_PORTS and not reach.pod and reach.protocol != "icmp":
            yield reach


def _service_tests(picture: Picture) -> Iterator[Reach]:
    for reach in picture.all(Reach):
        if not reach.pod and reach.protocol != "icmp" and is_service_address(reach.target, reach.port, picture):
            yield reach


def _sighting(reach: Reach, picture: Picture) -> Sighting:
    values = {"target": reach.target, "port": str(reach.port or 443), "outcome": reach.outcome}
    return Sighting(line=reach.at, node=picture.names.node(reach.host) or reach.host, values=values)


SIGNS = {
    "api-endpoint-answers": api_endpoint_answers,
    "api-endpoint-fails": api_endpoint_fails,
    "service-address-answers": service_address_answers,
    "service-address-fails": service_address_fails,
}
