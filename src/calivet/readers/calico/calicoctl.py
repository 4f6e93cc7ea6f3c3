"""What calicoctl prints: the tables of get, node status and ipam, also where somebody drew their boxes by hand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import (
    AddressAnnotation,
    BgpPeer,
    BirdDown,
    BlockSize,
    IpamBlock,
    NodeAddress,
    Pool,
    PoolAnnotation,
)
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Row
from calivet.facts.selectors import parse_pool_annotation
from calivet.readers.columns import parse_cells as cells_of
from calivet.readers.columns import split_header
from calivet.readers.command import Machines, look_inside
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

_SEPARATOR = expression(r"[|│]")
_RULE = expression(r":?[-─=]+:?")
_FEWEST = 4
"""Separators of a row that broke off before its last one."""
_BORDER = expression(r"[+├┌└╞][-─=+┬┴┼═]{3}")


class Box(Struct):
    """A table's rows with the index of the line that each begins on; from `start` up to but without `stop`."""

    rows: list[tuple[int, list[str]]]
    start: int
    stop: int

    def named(self, header: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows as cells by header, without the rows that repeat the header."""
        for index, cells in self.rows:
            if cells[0] != header[0]:
                yield index, dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=False))


def read_box(lines: list[str], start: int) -> Box:
    """The table from this line on; a border may be cut off, and a long cell may be wrapped over several lines."""
    rows: list[tuple[int, list[str]]] = []
    index = start
    while index < len(lines):
        cells = split_row(lines[index])
        if cells and not all(_RULE.fullmatch(cell) for cell in cells):
            _add(rows, index, cells)
        elif not cells and not _BORDER.search(lines[index]) and not _is_blank_inside(lines, index):
            break
        index += 1
    bordered = 0 < start < len(lines) and bool(_BORDER.search(lines[start - 1]))
    return Box(rows, start - bordered, index)


def split_row(line: str) -> list[str]:
    """The cells of a row; nothing where the line is not one. Log heads in front of it are passed over."""
    text = line.rstrip()
    cells = [cell.strip() for cell in _SEPARATOR.split(text)]
    if text.endswith(("|", "│")):
        return cells[1:-1]
    return cells[1:] if not cells[0] and len(cells) > _FEWEST else []


def _add(rows: list[tuple[int, list[str]]], index: int, cells: list[str]) -> None:
    """A row without a first cell is the wrapped rest of the row above."""
    if cells[0] or not rows:
        rows.append((index, cells))
        return
    above = rows[-1][1]
    for position, cell in enumerate(cells[: len(above)]):
        if cell:
            above[position] = f"{above[position]} {cell}".strip()


def _is_blank_inside(lines: list[str], index: int) -> bool:
    """Pastes may have every other line empty; but a border above and one below are of two tables."""
    if lines[index].strip() or not 0 < index < len(lines) - 1:
        return False
    above, below = lines[index - 1], lines[index + 1]
    return bool(split_row(below) or (split_row(above) and _BORDER.search(below)))


# Blocks that `calicoctl ipam check` lists, and the size of blocks where only that was asked for.
_CHECKED_BLOCK = expression(r"IPAM block (?P<cidr>[0-9a-f.:]+/\d+) affinity=")
_BLOCK_SIZE = expression(r"blockSize\S{0,80}[ :=]{1,20}\"?(?P<size>\d{2,3})")
# A query for one field; a longer text is a manifest or a log.
_LONGEST_QUERY = 80


def _read_blocks(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    command = artifact.command or ""
    shown = artifact.lines[1].strip() if len(artifact.lines) > 1 else ""
    if "blockSize" in command and shown.isdigit():
        yield BlockSize(at=artifact.at(1), size=int(shown))
    for index in anchors:
        text = artifact.lines[index]
        if artifact.length < _LONGEST_QUERY and (size := _BLOCK_SIZE.search(text)):
            yield BlockSize(at=artifact.at(index), size=int(size["size"]))
        if "ipam check" in command and (checked := _CHECKED_BLOCK.search(text)):
            yield IpamBlock(at=artifact.at(index), cidr=checked["cidr"])


BLOCKS_READER = read_statements(
    _read_blocks, anchor=expression(r"IPAM block [0-9a-f.:]+/\d+ affinity=|blockSize"), command=expression(r"blockSize")
)


# Annotations by which pods and namespaces ask for certain pools, in short outputs of whatever format.
_ANNOTATION = expression(r"cni\.projectcalico\.org/ipv[46]pools\"?\s*[:=]\s*(?P<list>.{1,200})")
_LONGEST_MANIFEST = 400


def _read_pool_annotations(artifact: Artifact, anchors: list[int]) -> Iterator[PoolAnnotation]:
    for index in anchors if artifact.length < _LONGEST_MANIFEST else ():
        if found := _ANNOTATION.search(artifact.lines[index]):
            written = found["list"].strip("'\" []").replace('\\"', "")
            yield PoolAnnotation(at=artifact.at(index), pools=tuple(parse_pool_annotation(written)))


POOL_ANNOTATIONS_READER = read_statements(
    _read_pool_annotations, anchor=expression(r"cni\.projectcalico\.org/ipv[46]pools")
)


# Annotations by which a pod asks for its address.
_ASKED_FOR_IPAM = expression(r"cni\.projectcalico\.org/ipAddrs(?:NoIpam)?\"?\s*[:=]\s*(?P<list>.{1,200})")
_ASKED_ADDRESS = expression(r"(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{0,4}:[0-9a-f:]{2,39}")


def _read_address_annotations(artifact: Artifact, anchors: list[int]) -> Iterator[AddressAnnotation]:
    for index in anchors if artifact.length < _LONGEST_MANIFEST else ():
        if (found := _ASKED_FOR_IPAM.search(artifact.lines[index])) and (
            asked := _ASKED_ADDRESS.findall(found["list"])
        ):
            yield AddressAnnotation(at=artifact.at(index), addresses=tuple(asked))


ADDRESS_ANNOTATIONS_READER = read_statements(
    _read_address_annotations, anchor=expression(r"cni\.projectcalico\.org/ipAddrs")
)


_ADDRESS, _TYPE, _STATE, _SINCE, _INFO = _HEADER = ["PEER ADDRESS", "PEER TYPE", "STATE", "SINCE", "INFO"]
_PEER_TYPES = r"(?:node-to-node mesh|node specific|global)"
_PEER_TABLE = expression(
    rf"^\s*(?:[|│]\s*PEER ADDRESS\b|[|│]\s*[\da-fA-F.:]+\s*[|│]\s*{_PEER_TYPES}\s*[|│]"
    r"|Calico process is |INFO: BIRDv[46] |The BGP backend process |None of the BGP backend "
    r"|IPv[46] BGP status|No IPv[46] peers found|Error querying BIRD)"
)
_DOWN = (
    ("calico", expression(r"Calico process is not running")),
    ("bird6", expression(r"BIRDv6 process: 'bird6' is not running|unable to connect to BIRDv6 socket")),
    ("bird", expression(r"BIRDv4 process: 'bird' is not running|unable to connect to BIRDv4 socket")),
    ("bird", expression(r"BGP backend process(?:es)? \(BIRD.*\) (?:is not|are) running")),
)


def _read_node_status(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact)
    pod = look_inside(artifact).pod
    for index in anchors:
        line = artifact.lines[index]
        if index in reading.claimed:
            continue
        if split_row(line):
            _read_peers(artifact, index, machines.at(index), pod, reading)
            continue
        reading.claim(index, index + 1)
        what = next((what for what, said in _DOWN if said.search(line)), None)
        if what:
            reading.facts.append(BirdDown(at=artifact.at(index), host=machines.at(index), what=what))
    return reading


def _read_peers(artifact: Artifact, start: int, host: str | None, pod: str | None, reading: Reading) -> None:
    box = read_box(artifact.lines, start)
    reading.claim(box.start, box.stop)
    first = box.rows[0][1]
    # Rows that were grepped out of the table have no header; the columns never changed.
    for index, cells in box.named(first if first[0] == _ADDRESS else _HEADER):
        if not cells[_ADDRESS] or not cells.get(_STATE):
            reading.unread.add(index)
            continue
        reading.facts.append(
            BgpPeer(
                at=artifact.at(index),
                host=host,
                address=cells[_ADDRESS],
                type=cells.get(_TYPE) or None,
                state=cells[_STATE],
                since=cells.get(_SINCE) or None,
                info=cells.get(_INFO) or None,
                pod=pod,
            )
        )


NODE_STATUS_READER = Reader(kind="calicoctl-node-status", anchor=_PEER_TABLE, read=_read_node_status)


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
_LISTING = expression(
    r"^\s*(?:(?:#\s+)?(?:(?:NAMESPACE|NAME|SCOPE|WORKLOAD|ORCHESTRATOR)\s+[A-Z]|CIDR\b|NAME\s*$)"
    r"|[|│]\s*(?:GROUPING|PROPERTY)\s*[|│]"
    r"|\S+\s+\((?:\d+|unknown)\)\s+[\d.]+/\d)"
)
_NODE_ROW = expression(r"^\s*(?P<name>\S+)\s+\((?:\d+|unknown)\)\s+(?P<address>[\d.]+/\d+)")
_CIDR = expression(r"^[\da-fA-F.:]+/\d{1,3}$")
_TRUE = {"true": True, "false": False}
_OLD_IPIP = {"true": "Always", "false": "Never"}


def _read_listing(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    for index in anchors:
        line = artifact.lines[index]
        if index in reading.claimed:
            continue
        if split_row(line):
            _read_ipam(artifact, index, reading)
        elif found := _NODE_ROW.match(line):
            reading.facts.append(_build_address(artifact, index, found["name"], found["address"]))
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
    rows = _list_rows(artifact.lines, start)
    columns = split_header(next(rows, ""))
    resource = _find_resource(artifact, frozenset(column.name for column in columns))
    if not resource:
        return
    stop = start + 1
    for line in rows:
        facts = _read_row(artifact, stop, resource, cells_of(line, columns))
        if not facts:
            break
        reading.facts.extend(facts)
        stop += 1
    reading.claim(start, stop)


def _list_rows(lines: list[str], start: int) -> Iterator[str]:
    """The lines up to a blank one; a table kept as a comment has the same mark before each of its lines."""
    commented = lines[start].lstrip().startswith("#")
    for index in range(start, len(lines)):
        line = lines[index]
        if not line.strip() or commented != line.lstrip().startswith("#"):
            return
        yield line.replace("#", " ", 1) if commented else line


def _find_resource(artifact: Artifact, header: frozenset[str]) -> str | None:
    for resource, needed, allowed in _TABLES:
        if needed <= header <= allowed:
            return resource
    asked = _ASKED.search(artifact.command or "")
    return _SINGULAR.get(asked["resource"], asked["resource"]) if asked and "NAME" in header else None


def _read_row(artifact: Artifact, index: int, resource: str, cells: dict[str, str]) -> list[Fact]:
    """What a row states; nothing where it is no row of such a table, which then has ended."""
    if resource == "ippool":
        return _read_pool(artifact, index, cells)
    name = cells.get("NAME") or cells.get("WORKLOAD") or cells.get("PEERIP")
    if resource == "node" and "IPV4" in cells:
        found = [cell for cell in (cells["IPV4"], cells.get("IPV6", "")) if cell]
        if not name or not all(_CIDR.match(cell) for cell in found):
            return []
        if found:
            return [_build_address(artifact, index, name, address) for address in found]
    if not name or " " in name:
        return []
    return [Row(at=artifact.at(index), resource=resource, name=name, namespace=cells.get("NAMESPACE"), cells=cells)]


def _build_address(artifact: Artifact, index: int, node: str, address: str) -> NodeAddress:
    return NodeAddress(at=artifact.at(index), node=node, address=address, source="resource")


def _read_pool(artifact: Artifact, index: int, cells: dict[str, str]) -> list[Fact]:
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
            disabled=_TRUE.get(cells.get("DISABLED", "")),
            selector=cells.get("SELECTOR") or None,
            nat_outgoing=_TRUE.get(cells.get("NAT", "")),
        )
    ]


GET_READER = Reader(kind="calicoctl-get", anchor=_LISTING, read=_read_listing)
