"""Private keys: framed by their BEGIN and END, without the frame, and packed in base64 once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.expressions import expression
from calivet.redaction.finding import Finder, Span, spans_of

KIND = "private-key"
FRAME = r"-{4,5} ?(?:BEGIN|END) (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
BEGIN = expression(FRAME.replace("|END", ""))
END = expression(FRAME.replace("BEGIN|", ""))
# The first bytes of every kind of key as base64 writes them: PKCS #1, #8 and #12, SEC 1, Ed25519, OpenSSH; PEM itself.
NAKED = (
    "MII[A-Za-z0-9+/]{1,3}IBA(?:AKC|DANBgkqhkiG9w0BAQEF|zCC)|MHcCAQEE|MIG[A-Za-z0-9]AgE[AB]|MIH[A-Za-z0-9]AgE[AB]"
    "|MC4CAQAw|MFECAQEw|b3BlbnNzaC1rZXkt|LS0tLS1CRUdJTi"
)
NAKED_RUN = expression(rf"(?<![A-Za-z0-9+/])(?:{NAKED})[A-Za-z0-9+/]*={{0,2}}")
PACKED = "LS0tLS1CRUdJTi"
# A line of a key; with words before it, only where it is too long or too clearly base64 to be one of them.
LINE_OF_BASE64 = expression(
    r"\s*(?P<run>[A-Za-z0-9+/]{8,}={0,2}|[A-Za-z0-9+/]+={1,2})\s*$"
    r"|.*\s(?P<headed>[A-Za-z0-9+/]{40,}={0,2}|[A-Za-z0-9+/]+={1,2})\s*$"
)
LONG_RUN = expression(r"[A-Za-z0-9+/]{16,}={0,2}")
LAST_WORD = expression(r"(?<![^\s\"'])[A-Za-z0-9+/]{2,}={0,2}(?=(?:\\n|[\"',\\])*\s*$)")
NOT_BASE64 = expression(r"\\+[nrt]|[^A-Za-z0-9+/]")
CLOSES = expression(rf"{FRAME}|[\"'`]")
LONGEST = 400

Piece = tuple[int, int, int]


def find_framed(lines: Sequence[str], index: int) -> Iterator[Span]:
    """The body between BEGIN and END; where one of them is cut off, the lines of nothing but base64."""
    line = lines[index]
    begins = list(BEGIN.finditer(line))
    for begin in begins:
        stop = CLOSES.search(line, begin.end())
        body = (index, begin.end(), stop.start() if stop else len(line))
        yield from _framed(lines, [body] if NOT_BASE64.sub("", _text(lines, [body])) else _below(lines, index + 1))
    if not begins and not any(BEGIN.search(lines[number]) for number in _before(index)):
        yield from _framed(lines, list(_wrapped(lines, _before(index)))[::-1])


def _framed(lines: Sequence[str], pieces: Sequence[Piece]) -> list[Span]:
    body = NOT_BASE64.sub("", _text(lines, pieces))
    return spans_of(KIND, pieces, lines, secret=body) if body else []


def _text(lines: Sequence[str], pieces: Sequence[Piece]) -> str:
    return "".join(lines[line][start:stop] for line, start, stop in pieces)


def _below(lines: Sequence[str], first: int) -> list[Piece]:
    numbers = _after(lines, first)
    last = next((number for number in numbers if END.search(lines[number])), None)
    if last is None:
        return list(_wrapped(lines, numbers))
    return [piece for number in range(first, last) for piece in _body(lines, number)]


def _body(lines: Sequence[str], number: int) -> list[Piece]:
    """The part of the line that belongs to a key; whatever a logger puts around it stays."""
    line = lines[number]
    runs = [run.span() for run in LONG_RUN.finditer(line)] or [word.span() for word in LAST_WORD.finditer(line)]
    return [(number, start, stop) for start, stop in runs]


def _before(index: int) -> range:
    return range(index - 1, max(-1, index - LONGEST), -1)


def _after(lines: Sequence[str], first: int) -> range:
    return range(first, min(len(lines), first + LONGEST))


def find_naked(lines: Sequence[str], index: int) -> Iterator[Span]:
    """A key in base64, on one line or wrapped."""
    for run in NAKED_RUN.finditer(lines[index]):
        pieces = [(index, *run.span())]
        if run.end() == len(lines[index].rstrip()):
            pieces += _wrapped(lines, _after(lines, index + 1))
        text = _text(lines, pieces)
        if not text.startswith(PACKED):
            yield from spans_of(KIND, pieces, lines)
        elif (body := _unpacked(text)) is not None:
            yield from spans_of(KIND, pieces, lines, secret=body)


def _wrapped(lines: Sequence[str], numbers: range) -> Iterator[Piece]:
    """Lines of nothing but base64, as far as they go."""
    for number in numbers:
        if not (found := LINE_OF_BASE64.match(lines[number])):
            return
        yield (number, *found.span(found.lastgroup or 0))


def _unpacked(text: str) -> str | None:
    """The body of the first private key in a PEM file that was packed in base64, or None where there is none."""
    import base64

    opened = base64.b64decode(text.rstrip("=")[: len(text.rstrip("=")) // 4 * 4]).decode("latin-1")
    begin = BEGIN.search(opened)
    if not begin:
        return None
    end = END.search(opened, begin.end())
    return NOT_BASE64.sub("", opened[begin.end() : end.start() if end else len(opened)])


FRAMED = Finder(FRAME, find_framed)
NAKED_FINDER = Finder(rf"(?:{NAKED})", find_naked)
