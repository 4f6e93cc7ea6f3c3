"""The tables of `calicoctl get` and `calicoctl ipam show`; its YAML reads like any other Kubernetes object."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress, Pool
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Row
from calivet.readers.calico.boxes import read_box, row_cells
from calivet.readers.columns import cells as cells_of
from calivet.readers.columns import split_header
from calivet.readers.reader import Reader, Reading

_POOL = frozenset(
    {
        "NAME",
        "CIDR",
        "NAT",
        "IPIP",
        "IPIPMODE",
        "VXLANMODE",
        "DISABLED",
        "DISABLEBGPEXPORT",
        "SELECTOR",
        "ASSIGNMENTMODE",
    }
)
# A table is known by columns that it must have and by having no others: kubectl's custom columns look alike.
_TABLES: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("node", frozenset({"NAME", "IPV4"}), frozenset({"NAME", "ASN", "IPV4", "IPV6"})),
    ("ippool", frozenset({"CIDR"}), _POOL),
    ("bgppeer", frozenset({"PEERIP", "ASN"}), frozenset({"NAME", "SCOPE", "PEERIP", "NODE", "ASN"})),
    (
        "bgpconfiguration",
        frozenset({"NAME", "MESHENABLED"}),
        frozenset({"NAME", "LOGSEVERITY", "MESHENABLED", "ASNUMBER", "NODEMESHMAXRESTARTTIME"}),
    ),
    (
        "workloadendpoint",
        frozenset({"NODE", "NETWORKS"}),
        frozenset(
            {"NAMESPACE", "NAME", "WORKLOAD", "NODE", "NETWORKS", "INTERFACE", "PROFILES", "NATS", "ORCHESTRATOR"}
        ),
    ),
    (
        "hostendpoint",
        frozenset({"NODE", "IPS"}),
        frozenset({"NAME", "NODE", "INTERFACE", "IPS", "PROFILES"}),
    ),
)
_ASKED = expression(r"calicoctl(?:\.sh)?(?:\s+-\S+)*\s+get\s+(?P<resource>[a-z]+)")
_SINGULAR = {"nodes": "node", "no": "node", "ippools": "ippool", "pool": "ippool", "bgppeers": "bgppeer"}
_ANCHOR = expression(
    r"^\s*(?:(?:#\s+)?(?:(?:NAMESPACE|NAME|SCOPE|WORKLOAD|ORCHESTRATOR)\s+[A-Z]|CIDR\b|NAME\s*$)"
    r"|[|│]\s*(?:GROUPING|PROPERTY)\s*[|│]"
    r"|\S+\s+\((?:\d+|unknown)\)\s+[\d.]+/\d)"
)
_NODE_ROW = expression(r"^\s*(?P<name>\S+)\s+\((?:\d+|unknown)\)\s+(?P<address>[\d.]+/\d+)")
_CIDR = expression(r"^[\da-fA-F.:]+/\d{1,3}$")
_TRUE = {"true": True, "false": False}
_OLD_IPIP = {"true": "Always", "false": "Never"}


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    for index in anchors:
        line = artifact.lines[index]
        if index in reading.claimed:
            continue
        if row_cells(line):
            _read_ipam(artifact, index, reading)
        elif found := _NODE_ROW.match(line):
            reading.facts.append(_address(artifact, index, found["name"], found["address"]))
            reading.claim(index, index + 1)
        else:
            _read_table(artifact, index, reading)
    return reading


def _read_ipam(artifact: Artifact, start: int, reading: Reading) -> None:
    box = read_box(artifact.lines, start)
    reading.claim(box.start, box.stop)
    header = box.rows[0][1]
    name = "CIDR" if "CIDR" in header else header[0]
    for index, cells in box.named(header):
        reading.facts.append(Row(at=artifact.at(index), resource="ipam", name=cells.get(name), cells=cells))


def _read_table(artifact: Artifact, start: int, reading: Reading) -> None:
    rows = _rows(artifact.lines, start)
    columns = split_header(next(rows, ""))
    resource = _resource(artifact, frozenset(column.name for column in columns))
    if not resource:
        return
    stop = start + 1
    for line in rows:
        facts = _facts(artifact, stop, resource, cells_of(line, columns))
        if not facts:
            break
        reading.facts.extend(facts)
        stop += 1
    reading.claim(start, stop)


def _rows(lines: list[str], start: int) -> Iterator[str]:
    """The lines up to a blank one; a table kept as a comment has the same mark before each of its lines."""
    commented = lines[start].lstrip().startswith("#")
    for index in range(start, len(lines)):
        line = lines[index]
        if not line.strip() or commented != line.lstrip().startswith("#"):
            return
        yield line.replace("#", " ", 1) if commented else line


def _resource(artifact: Artifact, header: frozenset[str]) -> str | None:
    for resource, needed, allowed in _TABLES:
        if needed <= header <= allowed:
            return resource
    asked = _ASKED.search(artifact.command or "")
    return _SINGULAR.get(asked["resource"], asked["resource"]) if asked and "NAME" in header else None


def _facts(artifact: Artifact, index: int, resource: str, cells: dict[str, str]) -> list[Fact]:
    """What a row states; nothing where it is no row of such a table, which then has ended."""
    if resource == "ippool":
        return _pool(artifact, index, cells)
    name = cells.get("NAME") or cells.get("WORKLOAD") or cells.get("PEERIP")
    if resource == "node" and "IPV4" in cells:
        found = [cell for cell in (cells["IPV4"], cells.get("IPV6", "")) if cell]
        if not name or not all(_CIDR.match(cell) for cell in found):
            return []
        if found:
            return [_address(artifact, index, name, address) for address in found]
    if not name or " " in name:
        return []
    return [Row(at=artifact.at(index), resource=resource, name=name, namespace=cells.get("NAMESPACE"), cells=cells)]


def _address(artifact: Artifact, index: int, node: str, address: str) -> NodeAddress:
    return NodeAddress(at=artifact.at(index), node=node, address=address, source="resource")


def _pool(artifact: Artifact, index: int, cells: dict[str, str]) -> list[Fact]:
    if not _CIDR.match(cells["CIDR"]):
        return []
    ipip = cells.get("IPIPMODE") or cells.get("IPIP") or None
    return [
        Pool(
            at=artifact.at(index),
            cidr=cells["CIDR"],
            name=cells.get("NAME") or None,
            ipip=_OLD_IPIP.get(ipip, ipip) if ipip else None,
            vxlan=cells.get("VXLANMODE") or None,
            nat=_TRUE.get(cells.get("NAT", "")),
            disabled=_TRUE.get(cells.get("DISABLED", "")),
            selector=cells.get("SELECTOR") or None,
        )
    ]


READER = Reader(kind="calicoctl-get", anchor=_ANCHOR, read=_read)
