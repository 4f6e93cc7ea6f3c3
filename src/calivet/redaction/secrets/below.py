"""Values that stand on the lines below their name, or go on there: YAML's scalars, kubectl describe, wrapped base64."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from calivet.redaction.secrets.quoting import find_close
from calivet.redaction.secrets.values import is_plain, looks_random
from calivet.redaction.spans import Finder, Piece, Span, build_spans
from calivet.search.expressions import expression

DIGIT = expression(r"\d")
WIDEST = 200
# Narrower than this nobody's terminal is.
NARROWEST = 60
LINES = 400
# With words before it only where it is too long, or too clearly base64, to be one of them.
RUN = expression(
    r"\s*(?P<run>[\w+/.-]{4,}={0,2}|[\w+/-]+={1,2})\s*$|.*\s(?P<headed>[\w+/.-]{40,}={0,2}|[A-Za-z0-9+/]+={1,2})\s*$"
)
REST = expression(r"\s*(?P<run>[\w+/.=-]+)\s*$")
CAPITAL = expression(r"[A-Z]")
LONGEST_RUN = 1 << 14


def find_margin(lines: Sequence[str], index: int, beside: int) -> str:
    """What this line and the one beside it begin with; times and numbers may differ."""
    if not 0 <= beside < len(lines):
        return ""
    one, other = (DIGIT.sub("0", lines[number][:WIDEST]) for number in (index, beside))
    same = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), len(one))
    return lines[index][: len(one[: one.rfind(" ", 0, same) + 1].rstrip())]


def strip_margin(lines: Sequence[str], numbers: Iterable[int], margin: str) -> Iterator[tuple[int, str]]:
    """The lines without their margin, up to the first that has another."""
    plain = DIGIT.sub("0", margin)
    for number in numbers:
        line = lines[number]
        if DIGIT.sub("0", line[: len(margin)]) != plain:
            return
        yield number, line[len(margin) :]


def find_wrapped_below(lines: Sequence[str], index: int, start: int, stop: int) -> Iterator[Piece]:
    """Where what ends this line at `stop` goes on below; names in Kubernetes have no capitals, so none is a part.

    But behind two pieces of one length the next word is the rest, however short and plain it is.
    """
    line = lines[index]
    width = len(line.rstrip())
    if stop < width or width < NARROWEST:
        return
    margin = find_margin(lines, index, index + 1)
    narrower, size, is_cut_evenly = NARROWEST, stop - start, False
    for number, body in strip_margin(lines, range(index + 1, min(len(lines), index + LINES)), margin):
        run = (REST if is_cut_evenly else RUN).match(body) if len(body) <= LONGEST_RUN else None
        begin, end = run.span(run.lastgroup or 0) if run else (0, 0)
        if not run or not (is_cut_evenly or CAPITAL.search(body, begin, end)):
            return
        yield number, begin + len(margin), end + len(margin)
        width = len(lines[number].rstrip())
        if width < narrower or (is_cut_evenly and end - begin < size):
            return
        narrower = width  # the first line may be wider: a name stands before its value
        size, is_cut_evenly = end - begin, end - begin == size


# A bound on what a misread line can cost.
LONGEST = 200
FEW = 20
SHORT = 40
BLOCK = expression(r"(?:!{1,2}[\w/-]{1,20}\s+)?[|>][-+\d]{0,4}\s*(?:#.*)?$")
ACCOUNTS = expression(r"\s*(?:list|users):\s*[|>][-+\d]*\s*$")
ACCOUNT = expression(r"\s*[\w.-]{1,80}:(?P<secret>\S+)\s*$")
RULE = expression(r"\s*-{4,}\s*$")
WORD = expression(r"\s*(?:[-*]\s+)?[\"']?(?P<word>[^\s\"']\S*?)[\"']?,?\s*$")
FIELD = expression(r"\s*(?:-\s+)?[\"']?[\w./-]+[\"']?:(?:\s|$)|\s*[{\[|>]")
ONE_WORD = expression(r"\s*\S*\s*$")

Body = tuple[int, str]
"""A line's number, and the line without its margin."""


def indent_of(line: str) -> int:
    """The column of the first character; a list's dash belongs to the indentation."""
    bare = line.lstrip(" ")
    while bare.startswith("- "):
        bare = bare[2:].lstrip(" ")
    return len(line) - len(bare)


def find_below(lines: Sequence[str], index: int, kind: str) -> Iterator[Span]:
    """The value of the name that ends this line."""
    margin = find_margin(lines, index, index + 1)
    bodies = strip_margin(lines, range(index, min(len(lines), index + LONGEST)), margin)
    first, second = next(bodies, None), next(bodies, None)
    if first is None or second is None:
        return
    if BLOCK.search(first[1][-SHORT:]):
        yield from _build_body_spans(lines, _take_deeper(chain([first, second], bodies)), len(margin), kind)
    elif RULE.match(second[1]):
        yield from _build_body_spans(lines, _take_until_blank(bodies), len(margin), kind)
    else:
        yield from _find_word_below(lines, [first, second], len(margin), kind)


def _find_word_below(lines: Sequence[str], bodies: Sequence[Body], margin: int, kind: str) -> Iterator[Span]:
    """A word alone on the next line: the value where it stands deeper than the name, or where no sentence has it."""
    number, body = bodies[1]
    word = WORD.match(body)
    if not word or FIELD.match(body):
        return
    text = word["word"]
    is_deeper = len(body) - len(body.lstrip(" ")) > indent_of(bodies[0][1])
    if is_plain(text) or not (looks_random(text) or (is_deeper and kind != "credential")):
        return
    start, stop = word.span("word")
    pieces: list[Piece] = [(number, start + margin, stop + margin)]
    yield from build_spans(kind, [*pieces, *find_wrapped_below(lines, number, start + margin, stop + margin)], lines)


def find_rest_of_quoted(lines: Sequence[str], index: int, opening: str, kind: str) -> Iterator[Span]:
    """The lines on which a quoted value goes on, each a single word, up to the one that closes it."""
    pieces: list[Piece] = []
    for number in range(index + 1, min(len(lines), index + FEW)):
        line = lines[number]
        start = len(line) - len(line.lstrip())
        stop = find_close(line, start, opening)
        if not ONE_WORD.match(line if stop < 0 else line[:stop]):
            return
        if stop >= 0:
            yield from build_spans(kind, [*pieces, (number, start, stop)], lines)
            return
        pieces.append((number, start, len(line)))


def find_accounts(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The passwords in cloud-init's list of accounts."""
    for index in hits:
        margin = find_margin(lines, index, index + 1)
        bodies = strip_margin(lines, range(index + 1, min(len(lines), index + LONGEST)), margin)
        first = next(bodies, None)
        if first is None or not ACCOUNTS.match(first[1]):
            continue
        for number, body in _take_deeper(chain([first], bodies)):
            if account := ACCOUNT.match(body):
                start, stop = account.span("secret")
                yield Span(number, start + len(margin), stop + len(margin), "password", account["secret"])


def _take_deeper(bodies: Iterator[Body]) -> Iterator[Body]:
    """The lines after the first that are indented more than it."""
    column = indent_of(next(bodies)[1])
    for number, body in bodies:
        if body.strip() and len(body) - len(body.lstrip(" ")) <= column:
            return
        yield number, body


def _take_until_blank(bodies: Iterator[Body]) -> Iterator[Body]:
    for number, body in bodies:
        if not body.strip():
            return
        yield number, body


def _build_body_spans(lines: Sequence[str], bodies: Iterator[Body], margin: int, kind: str) -> list[Span]:
    pieces = []
    for number, body in bodies:
        text = body.strip()
        if text and not is_plain(text):
            start = margin + body.index(text)
            pieces.append((number, start, start + len(text)))
    return build_spans(kind, pieces, lines)


CHPASSWD = Finder(r"chpasswd:\s*$", find_accounts)
