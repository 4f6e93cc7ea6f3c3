"""Cuts what `kubectl cluster-info dump` prints: lists of objects, and each container's log between two marks."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.evidence.pieces import Piece

MARK = expression(
    r"==== (?P<edge>START|END) logs for container (?P<container>\S+) of pod (?P<namespace>\S+)/(?P<pod>\S+) ====$"
)
RULE = "==== "


def cut_dump(lines: list[str]) -> list[Piece]:
    """One piece for each log, one for whatever stands between two of them; none where there is no mark."""
    marks = [
        (index, found) for index, line in enumerate(lines) if line.startswith(RULE) and (found := MARK.match(line))
    ]
    pieces: list[Piece] = []
    behind = 0
    for index, found in marks:
        if found["edge"] == "START":
            pieces.append(Piece(behind, lines[behind:index]))
            behind = index
        else:
            command = f"kubectl logs -n {found['namespace']} {found['pod']} -c {found['container']}"
            pieces.append(Piece(behind, lines[behind:index], command=command))
            behind = index + 1
    if marks:
        pieces.append(Piece(behind, lines[behind:]))
    return [piece for piece in pieces if any(line.strip() for line in piece.lines)]
