"""Columns that an operator chose: -o custom-columns, jsonpath and go-template."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from msgspec import Struct

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.kubernetes import Row
from calivet.readers.columns import parse_cells, split_header
from calivet.readers.command import find_output_start
from calivet.readers.kubectl.kubectl_command import Request, parse_request
from calivet.readers.objects.field_paths import Choice, Steps, add_value, parse_field_path, read_printed
from calivet.readers.objects.tree import Branch
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

_CUSTOM_COLUMNS = expression(r"custom-columns=")
_SPECIFICATION = expression(r"custom-columns=(?P<columns>(?:\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|[^\s'\"|;\\])+)")
_QUOTES = expression(r"['\"]")
_GAP = expression(r"[ \t]{2,}|\t")


def read_custom_columns(artifact: Artifact, _anchors: list[int]) -> Reading:
    """Reads the rows below the command as the objects that they were taken from."""
    reading = Reading()
    asked = parse_request(artifact)
    columns = _parse_columns(artifact.command or "")
    if asked.verb != "get" or len(columns) < 2:
        return reading
    headers = [header for header, _ in columns]
    for index, texts in _list_rows(artifact.lines, find_output_start(artifact), headers):
        reading.claim(index, index + 1)
        root = Branch(index)
        for (_, steps), text in zip(columns, texts, strict=True):
            add_value(root, steps, text, index)
        reading.facts += read_printed(artifact, root, asked)
        reading.facts.append(_build_row(root, dict(zip(headers, texts, strict=True)), asked, artifact.at(index)))
    return reading


def _build_row(root: Branch, texts: dict[str, str], asked: Request, at: Line) -> Row:
    """The row as it stands, for what reads headers."""
    name, namespace = root.text("metadata", "name"), root.text("metadata", "namespace") or asked.namespace
    host = name if asked.resource == "node" else root.text("spec", "nodeName")
    return Row(at=at, host=host, resource=asked.resource, name=name, namespace=namespace, cells=texts)


def _parse_columns(command: str) -> list[tuple[str, Steps]]:
    found = _SPECIFICATION.search(command)
    written = _QUOTES.sub("", found["columns"]).split(",") if found else []
    parted = (column.partition(":") for column in written)
    return [(header, parse_field_path(path)) for header, colon, path in parted if colon]


def _list_rows(lines: list[str], start: int, headers: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row with its index; a header that a filter cut off is not missed."""
    table = None
    for index in range(start, len(lines)):
        line = lines[index]
        if table is None and line.split() == headers:
            table = split_header(line)
        elif table and len(table) == len(headers):
            texts = list(parse_cells(line, table).values())
            if line.strip() and all(texts):
                yield index, texts
        elif len(texts := _GAP.split(line.strip())) == len(headers):
            yield index, texts


CUSTOM_COLUMNS_READER = Reader(kind="kubectl-custom-columns", anchor=_CUSTOM_COLUMNS, read=read_custom_columns)


_JSONPATH = expression(r"jsonpath=")
_TEMPLATE = expression(
    r"'jsonpath=(?P<outer>[^']*)'|jsonpath=(?:'(?P<single>[^']*)'|\"(?P<double>(?:[^\"\\]|\\.)*)\"|(?P<bare>[^\s'\"|;]+))"
)
# What is piped on into anything but a filter comes out as something else.
_CHANGED = expression(r"\|\s*(?!(?:[ef]?grep|sort|uniq|head|tail|column|tee)\b)")
_PART = expression(r"\{(?P<inside>(?:\"[^\"]*\"|'[^']*'|[^{}\"'])*)\}|(?P<plain>[^{}]+)")
_RANGE = expression(r"^range\s+(?P<path>\S+)$")
_ITEMS: Steps = ("items",)
_ESCAPES = {r"\n": "\n", r"\t": "\t"}

Pieces = list[str | Steps]


class _Template(Struct):
    """What each printed line is made of; in a range the lines come again and again."""

    lines: list[Pieces]
    ranged: Steps = ()


def read_jsonpath_lines(artifact: Artifact, _anchors: list[int]) -> Reading:
    """Reads the lines below the command as values of the objects that they were taken from."""
    reading = Reading()
    asked = parse_request(artifact)
    command = artifact.command or ""
    found = _TEMPLATE.search(command)
    if asked.verb != "get" or not found or _CHANGED.search(command[found.end() :]):
        return reading
    written = found["outer"] or found["single"] or (found["double"] or "").replace('\\"', '"') or found["bare"] or ""
    template = _parse_template(written)
    for root in _build_roots(artifact, template):
        if root.children:
            reading.facts += read_printed(artifact, root, asked)
            reading.claim(root.index, root.index + 1)
    return reading


def _parse_template(text: str) -> _Template:
    """Nothing for what cannot be told apart afterwards: ranges in ranges, values without a line of their own."""
    lines: list[Pieces] = [[]]
    ranged: Steps = ()
    for part in _PART.finditer(text):
        inside = part["inside"]
        if inside is not None and (around := _RANGE.match(inside)):
            if ranged:
                return _Template([])
            ranged, lines = parse_field_path(around["path"]), [[]]
        elif inside == "end":
            break
        elif inside is not None and not inside.startswith(('"', "'")):
            if inside.startswith((".items", "..")):
                return _Template([])
            lines[-1].append(parse_field_path(inside))
        else:
            _add_words(lines, part["plain"] if inside is None else inside.strip("\"'"))
    if ranged and len(lines) == 1:
        return _Template([])
    return _Template([line for line in lines if any(isinstance(piece, tuple) for piece in line)], ranged)


def _add_words(lines: list[Pieces], words: str) -> None:
    """Text between values; where it breaks the line, what follows is another line."""
    for written, meant in _ESCAPES.items():
        words = words.replace(written, meant)
    first, *rest = words.split("\n")
    lines[-1].append(first)
    lines += [[one] for one in rest]


def _build_roots(artifact: Artifact, template: _Template) -> Iterator[Branch]:
    """An object for each turn of a range over objects, else one object that holds all lines."""
    if not template.lines:
        return
    each_its_own = template.ranged[:1] == _ITEMS
    root = Branch(find_output_start(artifact))
    for turn, (index, shape) in enumerate(_match_lines(artifact, template)):
        if each_its_own and turn % len(template.lines) == 0:
            yield root
            root = Branch(index)
        prefix = () if each_its_own or not template.ranged else (*template.ranged[:-1], Choice(turn))
        for steps, text in _find_values(shape, artifact.lines[index]):
            add_value(root, (*prefix, *steps), text, index)
    yield root


def _match_lines(artifact: Artifact, template: _Template) -> Iterator[tuple[int, Pieces]]:
    """The lines of output with what each is made of; ranges often begin with an empty line."""
    numbers = range(find_output_start(artifact), len(artifact.lines))
    if not template.ranged:
        return zip(numbers, template.lines, strict=False)
    return zip((number for number in numbers if artifact.lines[number].strip()), cycle(template.lines), strict=False)


def _find_values(shape: Pieces, line: str) -> list[tuple[Steps, str]]:
    """The values between the template's words; nothing where the line does not have these words."""
    found: list[tuple[Steps, str]] = []
    waiting: Steps | None = None
    for piece in shape:
        if isinstance(piece, tuple):
            waiting = piece
        elif piece:
            before, there, line = line.partition(piece)
            if not there:
                return []
            if waiting is not None:
                found.append((waiting, before.strip()))
            waiting = None
    return [*found, (waiting, line.strip())] if waiting is not None else found


JSONPATH_READER = Reader(kind="kubectl-jsonpath", anchor=_JSONPATH, read=read_jsonpath_lines)
