"""`calicoctl node status`: the BGP sessions as one node sees them, or that there is no BIRD to ask."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import BgpPeer, BirdDown
from calivet.readers.calico.boxes import read_box, row_cells
from calivet.readers.inside import Machines, inside
from calivet.readers.reader import Reader, Reading

_ADDRESS, _TYPE, _STATE, _SINCE, _INFO = _HEADER = ["PEER ADDRESS", "PEER TYPE", "STATE", "SINCE", "INFO"]
_PEER_TYPES = r"(?:node-to-node mesh|node specific|global)"
_ANCHOR = expression(
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


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact)
    pod = inside(artifact).pod
    for index in anchors:
        line = artifact.lines[index]
        if index in reading.claimed:
            continue
        if row_cells(line):
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


READER = Reader(kind="calicoctl-node-status", anchor=_ANCHOR, read=_read)
