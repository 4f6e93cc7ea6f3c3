"""Private keys: framed by their BEGIN and END, without the frame, and packed in base64 once more; kubeconfigs too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.redaction.spans import Finder, Piece, Span, build_spans
from calivet.search.expressions import expression

KIND = "private-key"
FRAME = r"-{4,5} ?(?:BEGIN|END) (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
BEGIN = expression(FRAME.replace("|END", ""))
END = expression(FRAME.replace("BEGIN|", ""))
# The first bytes of every kind of key as base64 writes them: PKCS #1, #8 and #12, SEC 1, Ed25519, OpenSSH; PEM itself.
PACKED = "LS0tLS1CRUdJTi"
# `apiVersion:`, `kind: Config`, `clusters:`: a kubeconfig.
KUBECONFIG = "YXBpVmVyc2lvbj|a2luZDogQ29uZmln|Y2x1c3RlcnM6"
NAKED = (
    "MII[A-Za-z0-9+/]{1,3}IBA(?:AKC|DANBgkqhkiG9w0BAQEF|zCC)|MHcCAQEE|MIG[A-Za-z0-9]AgE[AB]|MIH[A-Za-z0-9]AgE[AB]"
    rf"|MC4CAQAw|MFECAQEw|b3BlbnNzaC1rZXkt|{PACKED}|{KUBECONFIG}"
)
NAKED_RUN = expression(rf"(?<![A-Za-z0-9+/])(?:{NAKED})[A-Za-z0-9+/]*={{0,2}}")
IN_KUBECONFIG = expression(r"token|password|client-key|secret")
# A line of a key; with words before it, only where it is too long or too clearly base64 to be one of them.
LINE_OF_BASE64 = expression(
    r"\s*(?P<run>[A-Za-z0-9+/]{8,}={0,2}|[A-Za-z0-9+/]+={1,2})\s*$"
    r"|.*\s(?P<headed>[A-Za-z0-9+/]{40,}={0,2}|[A-Za-z0-9+/]+={1,2})\s*$"
)
LONG_RUN = expression(r"[A-Za-z0-9+/]{16,}={0,2}")
LAST_WORD = expression(r"(?<![^\s\"'])[A-Za-z0-9+/]{2,}={0,2}(?=(?:\\n|[\"',\\]){0,20}\s*$)")
NOT_BASE64 = expression(r"\\{1,15}[nrt]|[^A-Za-z0-9+/]")
CLOSES = expression(rf"{FRAME}|[\"'`]")
LONGEST = 400


def find_framed(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The body between BEGIN and END; where one of them is cut off, the lines of nothing but base64."""
    done = -1
    for index in hits:
        line, opened = lines[index], False
        for begin in BEGIN.finditer(line):
            opened = True
            stop = CLOSES.search(line, begin.end())
            body = (index, begin.end(), stop.start() if stop else len(line))
            is_inline = NOT_BASE64.sub("", _join_pieces(lines, [body]))
            pieces = [body] if is_inline else _take_below(lines, max(done, index) + 1)
            yield from _build_frame_spans(lines, pieces)
            done = max([done, index, *(number for number, _, _ in pieces)])
        if not opened and done < index - 1:
            pieces = list(_find_wrapped(lines, range(index - 1, max(done, index - LONGEST), -1)))
            yield from _build_frame_spans(lines, pieces[::-1])
            done = index


def _build_frame_spans(lines: Sequence[str], pieces: Sequence[Piece]) -> list[Span]:
    body = NOT_BASE64.sub("", _join_pieces(lines, pieces))
    return build_spans(KIND, pieces, lines, secret=body) if body else []


def _join_pieces(lines: Sequence[str], pieces: Sequence[Piece]) -> str:
    return "".join(lines[line][start:stop] for line, start, stop in pieces)


def _take_below(lines: Sequence[str], first: int) -> list[Piece]:
    """Up to the END, unless another key begins before it."""
    numbers = range(first, min(len(lines), first + LONGEST))
    frame = next((number for number in numbers if END.search(lines[number]) or BEGIN.search(lines[number])), None)
    if frame is None or not END.search(lines[frame]):
        return list(_find_wrapped(lines, numbers))
    return [piece for number in range(first, frame) for piece in _take_body(lines, number)]


def _take_body(lines: Sequence[str], number: int) -> list[Piece]:
    """The part of the line that belongs to a key; whatever a logger puts around it stays."""
    line = lines[number]
    runs = [run.span() for run in LONG_RUN.finditer(line)] or [word.span() for word in LAST_WORD.finditer(line)]
    return [(number, start, stop) for start, stop in runs]


def find_naked(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """A key in base64, on one line or wrapped. A line that goes on with one that began above is gone through once."""
    done = -1
    for index in hits:
        if index <= done:
            continue
        for run in NAKED_RUN.finditer(lines[index]):
            pieces = [(index, *run.span())]
            if run.end() == len(lines[index].rstrip()):
                pieces += _find_wrapped(lines, range(index + 1, min(len(lines), index + LONGEST)))
            if (body := _find_secret_part(_join_pieces(lines, pieces))) is not None:
                yield from build_spans(KIND, pieces, lines, secret=body)
                done = pieces[-1][0]


def _find_wrapped(lines: Sequence[str], numbers: range) -> Iterator[Piece]:
    """Lines of nothing but base64, as far as they go."""
    for number in numbers:
        if not (found := LINE_OF_BASE64.match(lines[number])):
            return
        yield (number, *found.span(found.lastgroup or 0))


def _find_secret_part(text: str) -> str | None:
    """What is secret in the run: itself, or what was packed in base64 once more; None where that is public."""
    import base64

    is_file = not text.startswith(PACKED)
    if is_file and not expression(KUBECONFIG).match(text):
        return text
    opened = base64.b64decode(text.rstrip("=")[: len(text.rstrip("=")) // 4 * 4]).decode("latin-1")
    if is_file:
        return text if IN_KUBECONFIG.search(opened) else None
    begin = BEGIN.search(opened)
    if not begin:
        return None
    end = END.search(opened, begin.end())
    return NOT_BASE64.sub("", opened[begin.end() : end.start() if end else len(opened)])


FRAMED = Finder(FRAME, find_framed)
NAKED_FINDER = Finder(rf"(?:{NAKED})", find_naked)
