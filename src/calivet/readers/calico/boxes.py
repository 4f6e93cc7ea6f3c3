"""Tables drawn with lines around their cells, as Calico's own tools print them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.expressions import expression

_SEPARATOR = expression(r"[|│]")
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
        cells = row_cells(lines[index])
        if cells:
            _add(rows, index, cells)
        elif not _BORDER.search(lines[index]) and not _blank_inside(lines, index):
            break
        index += 1
    bordered = 0 < start < len(lines) and bool(_BORDER.search(lines[start - 1]))
    return Box(rows, start - bordered, index)


def row_cells(line: str) -> list[str]:
    """The cells of a row; nothing where the line is not one. Log heads in front of it are passed over."""
    text = line.rstrip()
    if not text.endswith(("|", "│")):
        return []
    return [cell.strip() for cell in _SEPARATOR.split(text)[1:-1]]


def _add(rows: list[tuple[int, list[str]]], index: int, cells: list[str]) -> None:
    """A row without a first cell is the wrapped rest of the row above."""
    if cells[0] or not rows:
        rows.append((index, cells))
        return
    above = rows[-1][1]
    for position, cell in enumerate(cells[: len(above)]):
        if cell:
            above[position] = f"{above[position]} {cell}".strip()


def _blank_inside(lines: list[str], index: int) -> bool:
    """Pastes may have every other line empty; but a border above and one below are of two tables."""
    if lines[index].strip() or not 0 < index < len(lines) - 1:
        return False
    above, below = lines[index - 1], lines[index + 1]
    return bool(row_cells(below) or (row_cells(above) and _BORDER.search(below)))
