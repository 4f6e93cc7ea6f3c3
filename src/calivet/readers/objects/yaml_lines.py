"""YAML as Kubernetes people print and write it, read line by line.

A general YAML parser gives up on the first fault, and pastes are cut, elided and indented at will. Reading by
indentation keeps all that is good, knows each value's line, and never builds objects or follows aliases.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from msgspec import Struct, field

from calivet.facts.fact import Scalar
from calivet.readers.objects.flow import parse_flow, parse_scalar, unquote
from calivet.readers.objects.tree import DEEPEST, Branch, Step
from calivet.search.expressions import expression

_BLOCK = expression(r"^[|>][-+\d]*(?:\s+#.*)?$")
_ANCHOR = expression(r"^&\S+\s*")
_TAG = expression(r"^!(\S*)\s*")
_HARMLESS_TAGS = {"!str", "!int", "!bool", "!float", "!null", "!binary", "!map", "!seq"}
_COMMENT = expression(r"(?:^|\s)#.*$")
_QUOTED = expression(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'(?!')""")

# Longer than real texts in quotes or brackets; one that stays open must not swallow the rest of the page.
_LONGEST = 400


def parse_plain_value(text: str) -> tuple[Scalar, bool]:
    """The value on this line alone, and whether it could be understood; a tag that names a class is refused."""
    text = _ANCHOR.sub("", text)
    tag = _TAG.match(text)
    if tag and tag[1] not in _HARMLESS_TAGS:
        return None, False
    text = _TAG.sub("", text)
    if quoted := _QUOTED.match(text):
        return unquote(quoted[0]), True
    return _strip_comment(text) if tag and tag[1] == "!str" else parse_bare_value(text), True


def parse_bare_value(text: str) -> Scalar:
    """The value of a text without quotes, brackets and tags."""
    return parse_scalar(_strip_comment(text))


def _strip_comment(text: str) -> str:
    return _COMMENT.sub("", text).strip() if "#" in text else text.strip()


def fill_branch(branch: Branch, indent: int, text: str, lines: list[str], index: int) -> int | None:
    """Fills the branch where the value is a text block, a bracket or an open quote; the line behind it, else None."""
    text = _ANCHOR.sub("", text)
    if _BLOCK.match(text):
        branch.value, stop = _read_text_block(text, indent, lines, index)
        return stop
    if text[:1] in ("{", "["):
        return _read_brackets(branch, text, _list_deeper_lines(lines, index, indent), index)
    if text[:1] in ("'", '"') and not _QUOTED.match(text):
        return _open_quote(branch, text, _list_deeper_lines(lines, index, indent), index)
    return None


def _list_deeper_lines(lines: list[str], index: int, indent: int) -> Iterator[str]:
    """The lines that a value may go on in; only a closing bracket may stand as far out as its key."""
    for line in lines[index + 1 : index + _LONGEST]:
        content = line.expandtabs(8)
        if content.strip() and len(content) - len(content.lstrip()) <= indent and content.lstrip()[0] not in "]}":
            return
        yield line


def _read_text_block(head: str, indent: int, lines: list[str], index: int) -> tuple[str, int]:
    stop = index + 1
    for position in range(index + 1, len(lines)):
        line = lines[position].expandtabs(8)
        if line.strip():
            if len(line) - len(line.lstrip()) <= indent:
                break
            stop = position + 1
    text = dedent("\n".join(lines[index + 1 : stop]))
    text = text.replace("\n", " ") if head[0] == ">" else text
    return text + "\n" * ("-" not in head), stop


def _read_brackets(branch: Branch, text: str, following: Iterator[str], index: int) -> int:
    taken = [text]
    depth = _measure_depth(text)
    while depth > 0 and (line := next(following, None)) is not None:
        taken.append(line)
        depth += _measure_depth(line)
    if depth > 0:
        taken = [text]
    parsed, _ = parse_flow("\n".join(taken), index)
    branch.value, branch.children = parsed.value, parsed.children
    return index + len(taken)


def _measure_depth(text: str) -> int:
    return sum(text.count(bracket) for bracket in "{[") - sum(text.count(bracket) for bracket in "}]")


def _open_quote(branch: Branch, text: str, following: Iterator[str], index: int) -> int:
    taken = [text]
    for line in following:
        taken.append(line.strip())
        if line.rstrip().endswith(text[0]) and (quoted := _QUOTED.match(" ".join(taken))):
            branch.value = unquote(quoted[0].replace("\\ ", ""))
            return index + len(taken)
    branch.value = text[1:]
    return index + 1


_KEY = expression(
    r"""(?P<key>"[^"]+"|'[^']+'|[^\s:#"'\[\]{},&*!|>%@`?-](?:[^\s:]|:(?=\S))*)[ \t]*:(?:[ \t]+(?P<value>\S.*))?$"""
)
_ITEM = expression(r"-(?:[ \t]+|$)")
_NEW_DOCUMENT = expression(r"^--(?:-.*)?$")
_ELISION = expression(r"^(?:\.{2,}|…+|<snip>|\[\.\.\.\])$")
# At the margin Kubernetes writes no key with a capital letter; kubectl describe and most logs do.
_ROOT_KEY = expression(r"[a-z.]")

_LONGEST_TEXT = 100_000
# Who wrote which field: half of an object, and never a word about the cluster.
_BULK = "managedFields"
# Most lines begin with a letter, and only a line that does not can be one of these.
_ELISION_MARKS = frozenset(".…<[")


class Yaml(Struct):
    """What was found from a line on: the documents, and where the first line of something else stands."""

    roots: list[Branch] = field(default_factory=list)
    stop: int = 0
    unread: set[int] = field(default_factory=set)


class _Open(Struct, frozen=True, gc=False):
    indent: int
    branch: Branch
    is_item: bool = False


def parse_yaml(lines: list[str], start: int) -> Yaml:
    """Reads documents from this line on, up to the first line that is no YAML."""
    parser = _Parser(lines, start)
    while parser.index < len(lines) and parser.take():
        pass
    return Yaml([root for root in parser.roots if root.children], parser.stop, parser.unread)


class _Parser:
    def __init__(self, lines: list[str], start: int) -> None:
        self.lines = lines
        self.index = self.stop = start
        self.roots: list[Branch] = []
        self.unread: set[int] = set()
        self.open: list[_Open] = []
        self.unfinished: _Open | None = None
        """The last plain text, which may go on in the next line."""
        self.has_keys = False
        """The document holds keys, and not only a list's items: of those there may be many to go through."""
        self._start_document()

    def take(self) -> bool:
        """Takes the next line, with those that belong to its value; False where it is no YAML."""
        line = self.lines[self.index].expandtabs(8).rstrip()
        content = line.lstrip()
        mark = content[:1]
        if not mark or mark == "#" or (mark in _ELISION_MARKS and _ELISION.match(content)):
            self.unfinished = None
            self.index += 1
            return True
        if mark == "-" and _NEW_DOCUMENT.match(content):
            self._start_document()
        elif not self._read_entry(len(line) - len(content), content):
            return False
        self.index += 1
        self.stop = self.index
        return True

    def _start_document(self) -> None:
        self.roots.append(Branch(self.index))
        self.open = [_Open(-1, self.roots[-1])]
        self.unfinished = None
        self.has_keys = False

    def _read_entry(self, indent: int, content: str) -> bool:
        while content[0] == "-" and (found := _ITEM.match(content)):
            while self.open[-1].indent > indent or (self.open[-1].indent == indent and self._is_full()):
                self.open.pop()
            if self._is_bullet(indent):
                return False
            item = self._add(len(self.open[-1].branch.children), indent, is_item=True)
            content = content[found.end() :]
            if not content or item is None:
                return True
            if not _KEY.match(content) and not _ITEM.match(content):
                return self._value(item, content)
            indent += found.end()
        key = _KEY.match(content)
        return self._read_member(indent, key["key"], key["value"] or "") if key else self._continue(indent, content)

    def _is_full(self) -> bool:
        """Whether an item at the same indent cannot be below the last branch: a key without a value can hold a list."""
        return self.open[-1].is_item or self.open[-1].branch.value is not None

    def _is_bullet(self, indent: int) -> bool:
        """A dash at the margin, below keys, is a list in somebody's prose."""
        return len(self.open) == 1 and indent == 0 and self.has_keys

    def _read_member(self, indent: int, key: str, value: str) -> bool:
        while self.open[-1].indent >= indent:
            self.open.pop()
        key = key.strip("\"'")
        if len(self.open) == 1:
            if not _ROOT_KEY.match(key) or (": " in value and value[0] not in "\"'{[#"):
                return False
            if key in self.open[0].branch.children:
                self._start_document()
            self.has_keys = True
        member = self._add(key, indent)
        self.unfinished = None
        if key == _BULK:
            self._skip(indent)
            return True
        return member is None or not value or self._value(member, value)

    def _skip(self, indent: int) -> None:
        """Leaves out what is below the key at this indent; the items of its list may stand as far out as itself."""
        for position in range(self.index + 1, len(self.lines)):
            line = self.lines[position]
            content = line.lstrip()
            depth = len(line) - len(content)
            if content and (depth < indent or (depth == indent and content[0] != "-")):
                return
            self.index = position

    def _add(self, key: Step, indent: int, *, is_item: bool = False) -> _Open | None:
        if len(self.open) >= DEEPEST:
            self.unread.add(self.index)
            return None
        parent = self.open[-1].branch
        if len(self.open) == 1 and not parent.children:
            parent.index = self.index
        parent.children[key] = Branch(self.index)
        self.open.append(_Open(indent, parent.children[key], is_item))
        return self.open[-1]

    def _value(self, holder: _Open, text: str) -> bool:
        """A value that spreads over several lines takes them all; a plain one may be continued later."""
        self.unfinished = None
        if text[:1].isalnum():
            holder.branch.value = parse_bare_value(text)
            self.unfinished = holder if isinstance(holder.branch.value, str) else None
            return True
        if (stop := fill_branch(holder.branch, holder.indent, text, self.lines, self.index)) is not None:
            self.index = stop - 1
            return True
        holder.branch.value, understood = parse_plain_value(text)
        if not understood:
            self.unread.add(self.index)
        elif isinstance(holder.branch.value, str):
            self.unfinished = holder
        return True

    def _continue(self, indent: int, content: str) -> bool:
        if self.unfinished is None or indent <= self.unfinished.indent:
            return False
        text = str(self.unfinished.branch.value)
        if len(text) < _LONGEST_TEXT:
            self.unfinished.branch.value = f"{text} {content}"
        return True
