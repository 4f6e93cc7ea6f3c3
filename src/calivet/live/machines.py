"""The machines behind the nodes: which to log in to, under which name and address, and whom they should reach."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from calivet.live.survey import NodeRow, Survey

ALL = 30
"""A cluster of so many nodes is asked as a whole; of a larger one the sick nodes, and a few others for contrast."""
HEALTHY = 3
MOST_PEERS = 20
_NO_ADDRESS = ("", "<none>")
_CALICO = "projectcalico.org/"


class Machine(Struct, frozen=True):
    """A node as one logs in to it."""

    node: str
    address: str = ""


def machines(survey: Survey) -> list[Machine]:
    """All nodes."""
    columns = [column.lower() for column in survey.node_columns]
    place = columns.index("internal-ip") if "internal-ip" in columns else None
    return [Machine(node.name, _address(node, place)) for node in survey.nodes]


def chosen_machines(survey: Survey, named: Sequence[str]) -> tuple[list[Machine], int]:
    """Those to log in to, what is named or sick first, and how many are left out."""
    everyone = machines(survey)
    wanted = {*named, *survey.sick_nodes()}
    first = [machine for machine in everyone if machine.node in wanted]
    others = [machine for machine in everyone if machine.node not in wanted]
    if len(everyone) <= ALL:
        return [*first, *others], 0
    chosen = [*first[: ALL - HEALTHY], *others[:HEALTHY]]
    return chosen, len(everyone) - len(chosen)


def peers(survey: Survey, node: str) -> list[str]:
    """Calico's addresses on the other nodes, those of sick nodes first; none where Calico speaks no BGP."""
    told = [one.annotations for one in survey.nodes]
    if _has(told, "IPv4VXLANTunnelAddr") and not _has(told, "IPv4IPIPTunnelAddr"):
        return []
    sick = set(survey.sick_nodes())
    others = sorted((one for one in survey.nodes if one.name != node), key=lambda one: one.name not in sick)
    found = (one.annotations.get(f"{_CALICO}{kind}") for one in others for kind in ("IPv4Address", "IPv6Address"))
    return [address.partition("/")[0] for address in found if address][:MOST_PEERS]


def server_seen_from_afar(server: str) -> str | None:
    """HOST:PORT of the API server, where that means the same on another machine."""
    from ipaddress import ip_address

    found = urlsplit(server)
    host = found.hostname or "localhost"
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        is_here = host == "localhost"
    shown = f"[{host}]" if ":" in host else host
    return None if is_here else f"{shown}:{found.port or 443}"


def _address(node: NodeRow, place: int | None) -> str:
    address = str(node.cells[place]) if place is not None and place < len(node.cells) else ""
    return "" if address in _NO_ADDRESS else address


def _has(annotations: Sequence[dict[str, str]], key: str) -> bool:
    return any(f"{_CALICO}{key}" in told for told in annotations)
