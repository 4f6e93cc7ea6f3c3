"""Reads what the probe prints, strictly, so that tests see each section with its output and its end."""

from __future__ import annotations

import re

from msgspec import Struct, field

BEGIN = re.compile(r"# calivet-probe 2 host=(\S+) user=(\S+) time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ( #:[0-9a-f]{20})")
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
    begin = BEGIN.fullmatch(first)
    assert begin, first
    mark = begin[3]
    end = END.fullmatch(last.removesuffix(mark))
    assert end, last
    prompt = re.compile(rf"\[{re.escape(begin[2])}@{re.escape(begin[1])} ~\][#$] (.+)")
    found: list[Section] = []
    for line in lines:
        own = line.removesuffix(mark)
        if own != line and (opened := prompt.fullmatch(own)):
            assert not found or found[-1].end, f"{found[-1].command} has no end"
            found.append(Section(opened[1]))
        elif own != line:
            assert FOOT.fullmatch(own), line
            found[-1].end = own
        else:
            assert found, line
            assert not found[-1].end, line
            found[-1].output.append(line)
    assert len(found) == int(end[1])
    return {section.command: section for section in found}
