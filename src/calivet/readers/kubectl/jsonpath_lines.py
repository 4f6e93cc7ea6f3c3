"""Output of `kubectl get -o jsonpath`: each line is read by the template that printed it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.command import output_start
from calivet.readers.kubectl.field_paths import Choice, Steps, field_path, grow
from calivet.readers.kubectl.kubectl_command import request
from calivet.readers.kubectl.printed_objects import printed_facts
from calivet.readers.kubectl.tree import Branch
from calivet.readers.reader import Reader, Reading

_ANCHOR = expression(r"jsonpath=")
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


def read(artifact: Artifact, _anchors: list[int]) -> Reading:
    """Reads the lines below the command as values of the objects that they were taken from."""
    reading = Reading()
    asked = request(artifact)
    command = artifact.command or ""
    found = _TEMPLATE.search(command)
    if asked.verb != "get" or not found or _CHANGED.search(command[found.end() :]):
        return reading
    written = found["outer"] or found["single"] or (found["double"] or "").replace('\\"', '"') or found["bare"] or ""
    template = _template(written)
    for root in _roots(artifact, template):
        if root.children:
            reading.facts += printed_facts(artifact, root, asked)
            reading.claim(root.index, root.index + 1)
    return reading


def _template(text: str) -> _Template:
    """Nothing for what cannot be told apart afterwards: ranges in ranges, values without a line of their own."""
    lines: list[Pieces] = [[]]
    ranged: Steps = ()
    for part in _PART.finditer(text):
        inside = part["inside"]
        if inside is not None and (around := _RANGE.match(inside)):
            if ranged:
                return _Template([])
            ranged, lines = field_path(around["path"]), [[]]
        elif inside == "end":
            break
        elif inside is not None and not inside.startswith(('"', "'")):
            if inside.startswith((".items", "..")):
                return _Template([])
            lines[-1].append(field_path(inside))
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


def _roots(artifact: Artifact, template: _Template) -> Iterator[Branch]:
    """An object for each turn of a range over objects, else one object that holds all lines."""
    if not template.lines:
        return
    each_its_own = template.ranged[:1] == _ITEMS
    root = Branch(output_start(artifact))
    for turn, (index, shape) in enumerate(_printed(artifact, template)):
        if each_its_own and turn % len(template.lines) == 0:
            yield root
            root = Branch(index)
        prefix = () if each_its_own or not template.ranged else (*template.ranged[:-1], Choice(turn))
        for steps, text in _values(shape, artifact.lines[index]):
            grow(root, (*prefix, *steps), text, index)
    yield root


def _printed(artifact: Artifact, template: _Template) -> Iterator[tuple[int, Pieces]]:
    """The lines of output with what each is made of; ranges often begin with an empty line."""
    numbers = range(output_start(artifact), len(artifact.lines))
    if not template.ranged:
        return zip(numbers, template.lines, strict=False)
    return zip((number for number in numbers if artifact.lines[number].strip()), cycle(template.lines), strict=False)


def _values(shape: Pieces, line: str) -> list[tuple[Steps, str]]:
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


READER = Reader(kind="kubectl-jsonpath", anchor=_ANCHOR, read=read)
