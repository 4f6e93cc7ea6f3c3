"""JSON, and YAML written with brackets: one pass, no recursion, and what is cut off keeps its good part."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.readers.kubectl.scalars import scalar, unquoted
from calivet.readers.kubectl.tree import DEEPEST, Branch, Step

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
        if self._peek() not in "{[":
            self.open.append(("{", self.root))

    def step(self) -> bool:
        """Takes one token; False at the end of the value or of the text."""
        char = self._peek()
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

    def _peek(self) -> str:
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
            self.key = unquoted(found[0]) if quoted else found[0]
        elif not self.too_deep and not found[0].startswith("..."):
            self._add(Branch(self.index, unquoted(found[0]) if quoted else scalar(found[0].strip())))

    def _add(self, branch: Branch) -> Branch:
        bracket, parent = self.open[-1]
        parent.value = None
        key = self.key if bracket == "{" and self.key is not None else len(parent.children)
        parent.children[key] = branch
        self.key = None
        return branch
