"""Cuts a Markdown text: marked code is output, the rest is prose unless it plainly is output."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.cutting.command_lines import is_bare_command
from calivet.evidence.cutting.output_shapes import is_plainly_output
from calivet.evidence.cutting.pieces import Mode, Piece, split_paragraphs
from calivet.evidence.cutting.prompts import read_bare_command, read_prompt
from calivet.evidence.cutting.transcripts import cut_session
from calivet.evidence.decoding.line_prefixes import peel
from calivet.search.expressions import expression

FENCE = expression(r"(?P<indent>\s*)(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")
ONE_LINE = expression(r"\s*`{3,}(?P<code>[^`]+)`{3,}\s*$")
CLOSED_LATE = expression(r"(?P<code>.*[^`\s])\s*`{3,}\s*$")
LANGUAGE = expression(r"\s*[\w+#.-]+\s*$")
TAGS = (
    (
        expression(r"\s*(?:<\w++[^>]*+>\s*){0,3}<pre\b[^>]*+>(?:\s*<code[^>]*>)?(?P<code>.*)$", re.IGNORECASE),
        expression(r"</pre>", re.IGNORECASE),
    ),
    (expression(r"\s*\{(?:code|noformat)(?::[^}]*)?\}(?P<code>.*)$"), expression(r"\{(?:code|noformat)\}")),
    (expression(r"\s*\[code(?:=[^\]]*)?\](?P<code>.*)$", re.IGNORECASE), expression(r"\[/code\]", re.IGNORECASE)),
)
HTML_TAG = expression(r"</?(?:code|span|b|i|em|strong|font|a|br|p|div)\b[^<>]*>", re.IGNORECASE)


class Block(Struct):
    """Lines of text, or of code without its marks."""

    start: int
    lines: list[str]
    code: bool = False


def has_fences(lines: list[str]) -> bool:
    """Is there marked code at all?"""
    return any(
        ("```" in line or "~~~" in line or "<pre" in line or "{code" in line or "{noformat" in line or "[code" in line)
        and bool(FENCE.match(line) or ONE_LINE.match(line) or _match_tag(line))
        for line in lines
    )


def split_fences(lines: list[str]) -> list[Block]:
    """Text and code in turns. The lines that only mark code are in no block."""
    blocks: list[Block] = []
    index = text = 0
    while index < len(lines):
        found = _find_code_at(lines, index)
        if found is None:
            index += 1
            continue
        block, stop = found
        if text < index:
            blocks.append(Block(text, lines[text:index]))
        if block.lines:
            blocks.append(block)
        index = text = stop
    if text < len(lines):
        blocks.append(Block(text, lines[text:]))
    return blocks


def _find_code_at(lines: list[str], index: int) -> tuple[Block, int] | None:
    line = lines[index]
    if fence := FENCE.match(line):
        return _read_fenced(lines, index, fence)
    if single := ONE_LINE.match(line):
        return Block(index, [single["code"].strip()], code=True), index + 1
    if tagged := _match_tag(line):
        return _read_between_tags(lines, index, *tagged)
    return None


def _read_fenced(lines: list[str], index: int, fence: re.Match[str]) -> tuple[Block, int]:
    """Ends at a fence at least as long, at one that opens another block, or at ticks behind the last line."""
    ticks, info = fence["ticks"], fence["info"].strip()
    indent = len(fence["indent"])
    first = index if _is_content(info) else index + 1
    code = [info] if first == index else []
    position = index + 1
    while position < len(lines):
        line = lines[position]
        other = FENCE.match(line)
        if other and other["ticks"].startswith(ticks):
            if not other["info"].strip():
                return Block(first, code, code=True), position + 1
            if LANGUAGE.match(other["info"]) and len(other["ticks"]) == len(ticks):
                return Block(first, code, code=True), position
        elif ticks[0] == "`" and (late := CLOSED_LATE.match(line)) and "`" not in late["code"]:
            code.append(late["code"])
            return Block(first, code, code=True), position + 1
        code.append(line[indent:] if not line[:indent].strip() else line)
        position += 1
    return Block(first, code, code=True), position


def _is_content(info: str) -> bool:
    """Chat programs put the first line right behind the ticks."""
    return " " in info and bool(read_prompt(info) or is_bare_command(info) or is_plainly_output(info))


def _match_tag(line: str) -> tuple[re.Match[str], re.Pattern[str]] | None:
    if "<" in line or "{" in line or "[" in line:
        for opener, closer in TAGS:
            if found := opener.match(line):
                return found, closer
    return None


def _read_between_tags(
    lines: list[str], index: int, opener: re.Match[str], closer: re.Pattern[str]
) -> tuple[Block, int]:
    html = "<pre" in opener[0].lower()
    code: list[str] = []
    line, position = opener["code"], index
    while not (end := closer.search(line)):
        code.append(line)
        position += 1
        if position == len(lines):
            break
        line = lines[position]
    if end:
        code.append(line[: end.start()])
    code = _unescape_lines(code) if html else code
    blank = next((number for number, text in enumerate(code) if text.strip()), len(code))
    return Block(index + blank, code[blank:], code=True), position + 1


def _unescape_lines(lines: list[str]) -> list[str]:
    from html import unescape

    return [unescape(HTML_TAG.sub("", line)) for line in lines]


SUFFIXES = (".md", ".markdown", ".mdx", ".mkd", ".rst", ".adoc")
FRONT_MATTER = expression(r"(?:---|\+\+\+)\s*$")
FRONT_MATTER_LINES = 60
QUOTE = expression(r"\s{0,3}> ?")
INDENTED = expression(r" {4}|\t")
DEEPEST = 4


def is_markdown(name: str, lines: list[str]) -> bool:
    """By its name or by fenced code."""
    return name.lower().endswith(SUFFIXES) or has_fences(lines)


def cut_markdown(lines: list[str], depth: int = 0) -> list[Piece]:
    """The pieces of the text; quotes and long fences may hold a Markdown text of their own."""
    pieces: list[Piece] = []
    body = _skip_front_matter(lines) if not depth else 0
    if body:
        pieces.append(Piece(0, lines[:body], prose=True))
    for block in split_fences(lines[body:]):
        found = _cut_code(block.lines, depth) if block.code else _cut_text(block.lines, depth)
        pieces += [piece.shift(body + block.start) for piece in found]
    return pieces


def _skip_front_matter(lines: list[str]) -> int:
    if not lines or not FRONT_MATTER.match(lines[0]):
        return 0
    for index in range(1, min(len(lines), FRONT_MATTER_LINES)):
        if lines[index].rstrip() == lines[0].rstrip():
            return index + 1
    return 0


def _cut_code(lines: list[str], depth: int) -> list[Piece]:
    lines = peel(lines).lines
    if depth < DEEPEST and has_fences(lines):
        return cut_markdown(lines, depth + 1)
    return cut_session(lines, Mode.OUTPUT)


def _cut_text(lines: list[str], depth: int) -> list[Piece]:
    """Quotes and indented code are cut out; the rest goes on as one text."""
    pieces: list[Piece] = []
    start = index = 0
    while index < len(lines):
        stop = _end_of_quote(lines, index) if depth < DEEPEST else index
        if stop > index:
            inner = cut_markdown([QUOTE.sub("", line, count=1) for line in lines[index:stop]], depth + 1)
        else:
            stop = _end_of_indented(lines, index)
            inner = cut_session([INDENTED.sub("", line, count=1) for line in lines[index:stop]], Mode.OUTPUT)
        if stop == index:
            index += 1
            continue
        pieces += [piece.shift(start) for piece in cut_session(lines[start:index], Mode.PROSE)]
        pieces += [piece.shift(index) for piece in inner]
        start = index = stop
    return pieces + [piece.shift(start) for piece in cut_session(lines[start:], Mode.PROSE)]


def _end_of_quote(lines: list[str], index: int) -> int:
    """A single marked line with unmarked lines under it is a prompt rather than a quote."""
    stop = index
    while stop < len(lines) and QUOTE.match(lines[stop]):
        stop += 1
    if stop == index + 1 and stop < len(lines) and lines[stop].strip() and read_prompt(lines[index]):
        return index
    return stop


def _end_of_indented(lines: list[str], index: int) -> int:
    """Indented paragraphs are code where their first line looks like it; a list goes on in indented prose."""
    if (index and lines[index - 1].strip()) or not INDENTED.match(lines[index]) or not lines[index].strip():
        return index
    first = INDENTED.sub("", lines[index], count=1)
    if not (read_prompt(first) or read_bare_command(first) or is_plainly_output(first)):
        return index
    stop = index
    for start, end in split_paragraphs(lines[index:]):
        if not all(INDENTED.match(line) for line in lines[index + start : index + end]):
            break
        stop = index + end
    return stop
