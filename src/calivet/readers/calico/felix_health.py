"""The table of Felix's health reporters, from its log or from the body of /readiness and /liveness."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import HealthReport
from calivet.facts.fact import Scalar
from calivet.facts.times import parse_time
from calivet.readers.calico.boxes import read_box, row_cells
from calivet.readers.inside import Machines
from calivet.readers.reader import Reader, Reading

_SAID = {
    "reporting live": True,
    "reporting non-live": False,
    "reporting ready": True,
    "reporting non-ready": False,
    "timed out": False,
}
_LINES_TO_THE_HEAD = 3


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    latest: dict[tuple[Scalar, ...], HealthReport] = {}
    machines = Machines(artifact)
    for index in anchors:
        if index in reading.claimed:
            continue
        header = row_cells(artifact.lines[index])
        if not header or header[0] != "COMPONENT":
            continue
        box = read_box(artifact.lines, index)
        reading.claim(box.start, box.stop)
        for row, cells in box.named(header):
            report = _report(artifact, row, index, cells, machines)
            # A log repeats the table at each change: one report of each kind is enough, the last.
            latest[report.component, report.live, report.ready, report.timed_out, report.detail] = report
    reading.facts.extend(sorted(latest.values(), key=lambda report: report.at.number))
    return reading


def _report(artifact: Artifact, row: int, header: int, cells: dict[str, str], machines: Machines) -> HealthReport:
    live, ready = cells.get("LIVENESS", ""), cells.get("READINESS", "")
    above = artifact.lines[max(0, header - _LINES_TO_THE_HEAD) : header]
    times = [time for line in above if (time := parse_time(line))]
    return HealthReport(
        at=artifact.at(row),
        host=machines.at(row),
        component=cells["COMPONENT"],
        live=_SAID.get(live),
        ready=_SAID.get(ready),
        timed_out="timed out" in (live, ready),
        detail=cells.get("DETAIL") or None,
        time=times[-1] if times else None,
    )


READER = Reader(kind="felix-health", anchor=expression(r"COMPONENT\s+[|│]"), read=_read)
