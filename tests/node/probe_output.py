"""Reads what the probe prints, strictly, so that tests see each section with its output and its end."""

from __future__ import annotations

import re

from msgspec import Struct, field

BEGIN = re.compile(r"# calivet-probe 1 host=(\S+) user=(\S+) time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
END = re.compile(r"# calivet-probe end sections=(\d+) seconds=\d+\.\d")
FOOT = re.compile(r"#= (?:exit=\d+ seconds=\d+\.\d\d(?: timeout)?(?: cut)?|absent \S+|skipped .+)")


class Section(Struct):
    """One command."""

    command: str
    output: list[str] = field(default_factory=list)
    end: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.output)


def sections(printed: str) -> dict[str, Section]:
    """By command; fails where the stream has not the shape that readers rely on."""
    first, *lines, last = printed.splitlines()
    begin, end = BEGIN.fullmatch(first), END.fullmatch(last)
    assert begin, first
    assert end, last
    prompt = re.compile(rf"\[{re.escape(begin[2])}@{re.escape(begin[1])} ~\][#$] (.+)")
    found: list[Section] = []
    for line in lines:
        if opened := prompt.fullmatch(line):
            assert not found or found[-1].end, f"{found[-1].command} has no end"
            found.append(Section(opened[1]))
        elif line.startswith("#= "):
            assert FOOT.fullmatch(line), line
            found[-1].end = line
        else:
            assert found, line
            assert not found[-1].end, line
            found[-1].output.append(line)
    assert len(found) == int(end[1])
    return {section.command: section for section in found}
