"""JSON, and YAML written with brackets: one pass, no recursion, and what is cut off keeps its good part."""

from __future__ import annotations

from typing import Any

import msgspec

from calivet.facts.fact import Scalar
from calivet.readers.objects.tree import DEEPEST, Branch, Step
from calivet.search.expressions import expression

_WORDS: dict[str, Scalar] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "Null": None,
    "~": None,
    "": None,
}
# Eighteen digits are more than any field holds, and longer ones are text that happens to be digits.
_WHOLE = expression(r"^[-+]?(?:0|[1-9]\d{0,17})$")
_NUMERIC = frozenset("+-0123456789")
_FRACTION = expression(r"^[-+]?\d{1,18}\.\d{1,18}(?:[eE][-+]?\d{1,2})?$")


def parse_scalar(text: str) -> Scalar:
    """The value of an unquoted word."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if _WHOLE.match(text):
        return int(text)
    return float(text) if _FRACTION.match(text) else text


def unquote(text: str) -> str:
    """The text inside quotes, with its escapes resolved; damaged escapes stay as they are."""
    inner = text[1:-1] if len(text) > 1 and text[0] == text[-1] else text[1:]
    if text[:1] == "'":
        return inner.replace("''", "'")
    if "\\" not in text:
        return inner
    import json

    try:
        return str(json.loads(text))
    except ValueError:
        return inner


_BLANK = expression(r"[\s,]*")
_COLON = expression(r"\s*:")
_QUOTED = expression(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'""")
# A colon inside a plain word, as in an image's tag, parts nothing.
_PLAIN = expression(
    r"(?:[^\s,\[\]{}\"':]|:(?=[^\s,\[\]{}]))(?:[^\s,\[\]{}:]|:(?=[^\s,\[\]{}])|[ \t]+(?=[^\s,\[\]{}:#]))*"
)
_EMPTY = {"{": "{}", "[": "[]"}


def parse_flow(text: str, index: int) -> tuple[Branch, int]:
    """The first value in the text, whose first line has this index, and the position behind it.

    Text that begins inside an object, because its head was cut off, is read as that object's members.
    """
    parser = _Parser(text, index)
    while parser.step():
        pass
    return parser.root, parser.position


class _Parser:
    def __init__(self, text: str, index: int) -> None:
        self.text = text
        self.index = index
        self.position = 0
        self.root = Branch(index)
        self.open: list[tuple[str, Branch]] = []
        self.key: Step | None = None
        self.too_deep = 0
        if self._look_ahead() not in "{[":
            self.open.append(("{", self.root))

    def step(self) -> bool:
        """Takes one token; False at the end of the value or of the text."""
        char = self._look_ahead()
        if not char:
            return False
        if char in "{[":
            self.position += 1
            self._begin(char)
        elif char in "}]":
            self.position += 1
            self._end()
        else:
            self._word()
        return bool(self.open)

    def _look_ahead(self) -> str:
        """The next character that means something; lines are counted on the way."""
        start = self.position
        blank = _BLANK.match(self.text, start)
        self.position = blank.end() if blank else start
        self.index += self.text.count("\n", start, self.position)
        return self.text[self.position : self.position + 1]

    def _begin(self, bracket: str) -> None:
        if self.too_deep or len(self.open) >= DEEPEST:
            self.too_deep += 1
        elif self.open:
            self.open.append((bracket, self._add(Branch(self.index, _EMPTY[bracket]))))
        else:
            self.root = Branch(self.index, _EMPTY[bracket])
            self.open.append((bracket, self.root))

    def _end(self) -> None:
        self.key = None
        if self.too_deep:
            self.too_deep -= 1
        elif self.open:
            self.open.pop()

    def _word(self) -> None:
        found = _QUOTED.match(self.text, self.position) or _PLAIN.match(self.text, self.position)
        if not found:
            self.position += 1
            return
        self.position = found.end()
        quoted = found[0][0] in "\"'"
        colon = _COLON.match(self.text, self.position) if self.key is None and self.open[-1][0] == "{" else None
        if colon and not self.too_deep:
            self.position = colon.end()
            self.key = unquote(found[0]) if quoted else found[0]
        elif not self.too_deep and not found[0].startswith("..."):
            self._add(Branch(self.index, unquote(found[0]) if quoted else parse_scalar(found[0].strip())))

    def _add(self, branch: Branch) -> Branch:
        bracket, parent = self.open[-1]
        parent.value = None
        key = self.key if bracket == "{" and self.key is not None else len(parent.children)
        parent.children[key] = branch
        self.key = None
        return branch


# JSON that a program laid out, one value on each line or all on one: decoded at once, its lines counted. Lists of
# all pods of a large cluster are tens of megabytes. What was cut or laid out otherwise is left to the parser above.
_CLOSING = {"{": "}", "[": "]"}
_EMPTY_BRACKETS = {dict: "{}", list: "[]"}
# Whole numbers with more digits are text that happens to be digits.
_LARGEST = 10**18


class _UnlikeError(Exception):
    """The lines do not stand as a program would have laid them out."""


def parse_laid_out(lines: list[str], start: int) -> tuple[Branch, int] | None:
    """The value that begins on this line and the index behind it; None where it is not whole or laid out otherwise."""
    opening = lines[start].rstrip()
    bracket = opening[-1:]
    try:
        if bracket in _CLOSING.values():
            return _grow(msgspec.json.decode(opening), start, 0, step=0)[0], start + 1
        if bracket not in _CLOSING or opening[:-1].strip():
            return None
        stop = lines.index(opening[:-1] + _CLOSING[bracket], start) + 1
        root, behind = _grow(msgspec.json.decode("\n".join(lines[start:stop])), start, 0, step=1)
    except (ValueError, msgspec.DecodeError, UnicodeEncodeError, RecursionError, _UnlikeError):
        return None
    return (root, stop) if behind == stop else None


def _grow(value: Any, index: int, depth: int, *, step: int) -> tuple[Branch, int]:
    """The branch of a value whose first line has this index, and the index behind its last line.

    Each value takes a line, each bracket too; with a step of 0 all of them stand on one.
    """
    if depth > DEEPEST:
        raise _UnlikeError
    children: dict[Step, Branch] = {}
    branch = Branch(index, None, children)
    behind = index + step
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        if child and isinstance(child, (dict, list)):
            children[key], behind = _grow(child, behind, depth + 1, step=step)
        else:
            children[key] = Branch(behind, _to_scalar(child))
            behind += step
    return branch, behind + step


def _to_scalar(value: Any) -> Scalar:
    if isinstance(value, (dict, list)):
        return _EMPTY_BRACKETS[type(value)]
    if isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        return str(value)
    scalar: Scalar = value
    return scalar
