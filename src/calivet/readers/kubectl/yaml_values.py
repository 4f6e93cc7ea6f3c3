"""The values of YAML: plain ones, and those that spread over lines."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from calivet.evidence.expressions import expression
from calivet.facts.fact import Scalar
from calivet.readers.kubectl.flow import parse_flow
from calivet.readers.kubectl.scalars import scalar, unquoted
from calivet.readers.kubectl.tree import Branch

_BLOCK = expression(r"^[|>][-+\d]*(?:\s+#.*)?$")
_ANCHOR = expression(r"^&\S+\s*")
_TAG = expression(r"^!(\S*)\s*")
_HARMLESS_TAGS = {"!str", "!int", "!bool", "!float", "!null", "!binary", "!map", "!seq"}
_COMMENT = expression(r"(?:^|\s)#.*$")
_QUOTED = expression(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'(?!')""")

# Longer than real texts in quotes or brackets; one that stays open must not swallow the rest of the page.
_LONGEST = 400


def plain_value(text: str) -> tuple[Scalar, bool]:
    """The value on this line alone, and whether it could be understood; a tag that names a class is refused."""
    text = _ANCHOR.sub("", text)
    tag = _TAG.match(text)
    if tag and tag[1] not in _HARMLESS_TAGS:
        return None, False
    text = _TAG.sub("", text)
    if quoted := _QUOTED.match(text):
        return unquoted(quoted[0]), True
    return _bare(text) if tag and tag[1] == "!str" else bare_value(text), True


def bare_value(text: str) -> Scalar:
    """The value of a text without quotes, brackets and tags."""
    return scalar(_bare(text))


def _bare(text: str) -> str:
    return _COMMENT.sub("", text).strip() if "#" in text else text.strip()


def spread(branch: Branch, indent: int, text: str, lines: list[str], index: int) -> int | None:
    """Fills the branch where the value is a text block, a bracket or an open quote; the line behind it, else None."""
    text = _ANCHOR.sub("", text)
    if _BLOCK.match(text):
        branch.value, stop = _text_block(text, indent, lines, index)
        return stop
    if text[:1] in ("{", "["):
        return _bracket(branch, text, _deeper(lines, index, indent), index)
    if text[:1] in ("'", '"') and not _QUOTED.match(text):
        return _open_quote(branch, text, _deeper(lines, index, indent), index)
    return None


def _deeper(lines: list[str], index: int, indent: int) -> Iterator[str]:
    """The lines that a value may go on in; only a closing bracket may stand as far out as its key."""
    for line in lines[index + 1 : index + _LONGEST]:
        content = line.expandtabs(8)
        if content.strip() and len(content) - len(content.lstrip()) <= indent and content.lstrip()[0] not in "]}":
            return
        yield line


def _text_block(head: str, indent: int, lines: list[str], index: int) -> tuple[str, int]:
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


def _bracket(branch: Branch, text: str, following: Iterator[str], index: int) -> int:
    taken = [text]
    depth = _depth(text)
    while depth > 0 and (line := next(following, None)) is not None:
        taken.append(line)
        depth += _depth(line)
    if depth > 0:
        taken = [text]
    parsed, _ = parse_flow("\n".join(taken), index)
    branch.value, branch.children = parsed.value, parsed.children
    return index + len(taken)


def _depth(text: str) -> int:
    return sum(text.count(bracket) for bracket in "{[") - sum(text.count(bracket) for bracket in "}]")


def _open_quote(branch: Branch, text: str, following: Iterator[str], index: int) -> int:
    taken = [text]
    for line in following:
        taken.append(line.strip())
        if line.rstrip().endswith(text[0]) and (quoted := _QUOTED.match(" ".join(taken))):
            branch.value = unquoted(quoted[0].replace("\\ ", ""))
            return index + len(taken)
    branch.value = text[1:]
    return index + 1
