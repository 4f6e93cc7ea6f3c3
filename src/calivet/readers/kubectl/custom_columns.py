"""Tables of `kubectl get -o custom-columns`: what a column means is told by its path, not by its header."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact, Line
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Row
from calivet.readers.columns import cells, split_header
from calivet.readers.command import output_start
from calivet.readers.kubectl.field_paths import Steps, field_path, grow
from calivet.readers.kubectl.kubectl_command import Request, request
from calivet.readers.kubectl.printed_objects import printed_facts
from calivet.readers.kubectl.tree import Branch
from calivet.readers.reader import Reader, Reading

_ANCHOR = expression(r"custom-columns=")
_SPECIFICATION = expression(r"custom-columns=(?P<columns>(?:\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|[^\s'\"|;\\])+)")
_QUOTES = expression(r"['\"]")
_GAP = expression(r"[ \t]{2,}|\t")


def read(artifact: Artifact, _anchors: list[int]) -> Reading:
    """Reads the rows below the command as the objects that they were taken from."""
    reading = Reading()
    asked = request(artifact)
    columns = _columns(artifact.command or "")
    if asked.verb != "get" or len(columns) < 2:
        return reading
    headers = [header for header, _ in columns]
    for index, texts in _rows(artifact.lines, output_start(artifact), headers):
        reading.claim(index, index + 1)
        root = Branch(index)
        for (_, steps), text in zip(columns, texts, strict=True):
            grow(root, steps, text, index)
        reading.facts += printed_facts(artifact, root, asked)
        reading.facts.append(_row(root, dict(zip(headers, texts, strict=True)), asked, artifact.at(index)))
    return reading


def _row(root: Branch, texts: dict[str, str], asked: Request, at: Line) -> Row:
    """The row as it stands, for what reads headers."""
    name, namespace = root.text("metadata", "name"), root.text("metadata", "namespace") or asked.namespace
    host = name if asked.resource == "node" else root.text("spec", "nodeName")
    return Row(at=at, host=host, resource=asked.resource, name=name, namespace=namespace, cells=texts)


def _columns(command: str) -> list[tuple[str, Steps]]:
    found = _SPECIFICATION.search(command)
    written = _QUOTES.sub("", found["columns"]).split(",") if found else []
    parted = (column.partition(":") for column in written)
    return [(header, field_path(path)) for header, colon, path in parted if colon]


def _rows(lines: list[str], start: int, headers: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row with its index; a header that a filter cut off is not missed."""
    table = None
    for index in range(start, len(lines)):
        line = lines[index]
        if table is None and line.split() == headers:
            table = split_header(line)
        elif table and len(table) == len(headers):
            texts = list(cells(line, table).values())
            if line.strip() and all(texts):
                yield index, texts
        elif len(texts := _GAP.split(line.strip())) == len(headers):
            yield index, texts


READER = Reader(kind="kubectl-custom-columns", anchor=_ANCHOR, read=read)
