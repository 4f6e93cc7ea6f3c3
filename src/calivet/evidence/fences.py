"""Finds the marked code in a text: Markdown fences, HTML, ticket systems and forums."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.commands import is_bare_command
from calivet.evidence.expressions import expression
from calivet.evidence.prompts import prompt
from calivet.evidence.shapes import is_plainly_output

FENCE = expression(r"(?P<indent>\s*)(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")
ONE_LINE = expression(r"\s*`{3,}(?P<code>[^`]+)`{3,}\s*$")
CLOSED_LATE = expression(r"(?P<code>.*[^`\s])\s*`{3,}\s*$")
LANGUAGE = expression(r"\s*[\w+#.-]+\s*$")
TAGS = (
    (
        expression(r"\s*(?:<\w+[^>]*>\s*){0,3}<pre\b[^>]*>(?:\s*<code[^>]*>)?(?P<code>.*)$", re.IGNORECASE),
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
        and bool(FENCE.match(line) or ONE_LINE.match(line) or _tagged(line))
        for line in lines
    )


def split_fences(lines: list[str]) -> list[Block]:
    """Text and code in turns. The lines that only mark code are in no block."""
    blocks: list[Block] = []
    index = text = 0
    while index < len(lines):
        found = _code_at(lines, index)
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


def _code_at(lines: list[str], index: int) -> tuple[Block, int] | None:
    line = lines[index]
    if fence := FENCE.match(line):
        return _fenced(lines, index, fence)
    if single := ONE_LINE.match(line):
        return Block(index, [single["code"].strip()], code=True), index + 1
    if tagged := _tagged(line):
        return _between_tags(lines, index, *tagged)
    return None


def _fenced(lines: list[str], index: int, fence: re.Match[str]) -> tuple[Block, int]:
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
    return " " in info and bool(prompt(info) or is_bare_command(info) or is_plainly_output(info))


def _tagged(line: str) -> tuple[re.Match[str], re.Pattern[str]] | None:
    if "<" in line or "{" in line or "[" in line:
        for opener, closer in TAGS:
            if found := opener.match(line):
                return found, closer
    return None


def _between_tags(lines: list[str], index: int, opener: re.Match[str], closer: re.Pattern[str]) -> tuple[Block, int]:
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
    code = _unescaped(code) if html else code
    blank = next((number for number, text in enumerate(code) if text.strip()), len(code))
    return Block(index + blank, code[blank:], code=True), position + 1


def _unescaped(lines: list[str]) -> list[str]:
    from html import unescape

    return [unescape(HTML_TAG.sub("", line)) for line in lines]
