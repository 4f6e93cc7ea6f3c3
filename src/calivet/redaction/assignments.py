"""Secrets that a name gives away: `password: x`, `TOKEN=x`, `"apiKey": "x"`, `--token x`, in any text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.redaction.blocks import BLOCK, below
from calivet.redaction.finding import Finder, Span
from calivet.redaction.secret_names import ENDINGS, WORDS, kind_of
from calivet.redaction.values import is_innocent, is_plain, looks_random

HINT = (
    rf"(?i)(?:{WORDS})(?:{ENDINGS})?(?:\\*[\"'])?\s*(?:[:=：]|是|为|is\s)|密码\s|口令\s"
    rf"|-[\w.-]*(?:{WORDS})(?:{ENDINGS})?\s+[^\s-]"
)
NAME = expression(
    r"(?:(?P<name_quote>\\{0,9}[\"'])|(?<![\w@.-])(?P<dashes>--?)?)"
    rf"(?P<name>[\w.-]{{0,80}}?(?:{WORDS})(?:{ENDINGS})?)(?![A-Za-z0-9_-])(?(name_quote)(?P=name_quote))"
    r"(?P<sign>\s*(?:=>|:=|[:=：](?!=))\s*|\s*[是为]\s*|\s+is\s+|(?<=[码令])\s+|(?(dashes)\s+(?!-)|(?!)))",
    re.IGNORECASE | re.ASCII,
)
QUOTED = expression(r"(?P<quote>\\{0,9}[\"'`])(?P<value>.*?)(?:(?<!\\)(?P=quote)|$)")
# A comma, semicolon or ampersand ends a value only where another name follows.
WORD = expression(r"(?:[^\s\"'`\\,;&]|[,;&](?![\w.-]+[=:]|\s|$))+")
# A field of its own: nothing but blanks, a list's dash or the opening of a map stands before it on the line.
FIELD = expression(r"\s*(?:-\s+|export\s+|set\s+|\?\s+)*[\"']?")
NOTHING_MORE = expression(r"[\s,}]*$")
IN_A_MAP = expression(r"[{,]\s?")
BLANK = expression(r"\s*$")
VARIABLE = expression(r"[A-Z_][A-Z0-9_]*")
COMMENT = expression(r"\s#.*$")
# What a test prints that went well.
VERDICT = "PASS:"
CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}


class _Value(Struct):
    start: int
    stop: int
    quoted: bool = False


def find(lines: Sequence[str], index: int) -> Iterator[Span]:
    """Every name on this line that says secret, with the value that follows it here or on the lines below."""
    line = lines[index]
    at = 0
    while named := NAME.search(line, at):
        at = named.end()
        kind = kind_of(named["name"])
        if kind is None or named[0].startswith(VERDICT):
            continue
        if BLANK.match(line, at) or BLOCK.match(line, at):
            yield from below(lines, index, kind)
            continue
        value = _value(line, named, kind)
        text = line[value.start : value.stop]
        if text and _is_secret(text, named, value, kind):
            at = value.stop
            quote = "" if value.quoted or not text.isdigit() else named["name_quote"] or ""
            yield Span(index, value.start, value.stop, kind, text, quote)


def _value(line: str, named: re.Match[str], kind: str) -> _Value:
    start = named.end()
    if quoted := QUOTED.match(line, start):
        return _Value(quoted.start("value"), quoted.end("value"), quoted=True)
    opened = line[max(0, named.start() - 1) : named.start()]
    if opened in ('"', "'") and not named["name_quote"]:
        # All of `NAME=value` is one quoted string.
        stop = line.find(opened, start)
        return _Value(start, len(line) if stop < 0 else stop - (line[stop - 1] == "\\"), quoted=True)
    if _is_alone(named, kind):
        end = COMMENT.sub("", line).rstrip().rstrip(",")
        return _Value(start, max(start, len(end)))
    word = WORD.match(line, start)
    return _Value(start, _closed(line, start, word.end()) if word else start)


def _is_alone(named: re.Match[str], kind: str) -> bool:
    """The value has the rest of the line to itself: an environment's line, or a password in YAML."""
    if "=" in named["sign"]:
        return not named.start() and named["sign"] == "=" and bool(VARIABLE.fullmatch(named["name"]))
    return ":" in named["sign"] and kind == "password" and _is_field(named)


def _is_field(named: re.Match[str]) -> bool:
    return bool(FIELD.fullmatch(named.string, 0, named.start()))


def _closed(line: str, start: int, stop: int) -> int:
    """Without what closes a bracket that was opened before the value, or ends the sentence."""
    while stop > start and (last := line[stop - 1]) in ")]}>.,;:":
        if CLOSERS.get(last, " ") in line[start:stop]:
            break
        stop -= 1
    return stop


def _is_secret(text: str, named: re.Match[str], value: _Value, kind: str) -> bool:
    if is_innocent(text, named["name"], kind) or (not value.quoted and is_plain(text.split(maxsplit=1)[0])):
        return False
    return _is_told(named, value) or looks_random(text)


def _is_told(named: re.Match[str], value: _Value) -> bool:
    """The line has the form of a setting, rather than of a sentence in which the word occurs."""
    sign = named["sign"]
    if "=" in sign or named["dashes"]:
        return True
    if ":" not in sign or named["name_quote"]:
        return ":" in sign
    if IN_A_MAP.fullmatch(named.string, max(0, named.start() - 2), named.start()) or (sign == ":" and not value.quoted):
        return True
    return _is_field(named) and (value.quoted or bool(NOTHING_MORE.match(named.string, value.stop)))


FINDER = Finder(HINT, find)
