"""/etc/hosts: names that a machine knows without asking anybody."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.facts.host import HostsEntry
from calivet.readers.command import Machines
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

_ENTRY = expression(
    r"^\s*(?P<address>\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]*:[\da-fA-F:.]+)\s+(?P<names>[A-Za-z\d][\w.-]*(?:\s+[\w.-]+)*)\s*(?:#.*)?$"
)
_ANCHOR = expression(r"^(?:\s*(?:127\.0\.\d\.1|::1)\s+[A-Za-z]|.*/etc/hosts\b)")
_FILE = expression(r"/etc/hosts\b")
# What is added to the file, or is to be written into it, is not what it holds.
_ADDITION = expression(
    r">>\s{0,4}\"?/etc/hosts|\btee\b.{0,20}\s-a\b.{0,40}/etc/hosts|(?:添加|追加|增加|写入|\b(?:add|append)\b).{0,60}/etc/hosts"
    r"|/etc/hosts.{0,20}(?:添加|追加|增加|写入)",
    re.IGNORECASE,
)
_FILE_NAME = expression(r"(?:^|/)(?:etc[/_.-])?hosts(?:\.txt)?$")
# These print the same shape, but what they say may come from a name server.
_RESOLVER = expression(r"\bgetent\b|\bdig\b|\bnslookup\b")
_LOCAL = expression(r"\blocalhost\b|\blocaldomain\b")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    if _RESOLVER.search(artifact.command or ""):
        return reading
    command = artifact.command or ""
    if _ADDITION.search(command):
        return reading
    known = bool(_FILE.search(command) or _FILE_NAME.search(artifact.name))
    for index in anchors:
        if index in reading.claimed:
            continue
        title = artifact.lines[index]
        titled = bool(_FILE.search(title)) and not _ADDITION.search(title)
        if known or titled or _LOCAL.search(artifact.lines[index]):
            _read_block(artifact, index + titled, reading)
    return reading


def _read_block(artifact: Artifact, start: int, reading: Reading) -> None:
    """All entries around this line, up to the first line that is none."""
    first = start
    while first > 0 and _does_belong(artifact.lines[first - 1]):
        first -= 1
    machines = Machines(artifact)
    for index in range(first, len(artifact.lines)):
        line = artifact.lines[index]
        if not _does_belong(line):
            break
        if index in reading.claimed or not (found := _ENTRY.match(line)):
            continue
        reading.claim(index, index + 1)
        reading.facts.append(
            HostsEntry(
                at=artifact.at(index),
                host=machines.at(index),
                address=found["address"],
                names=tuple(found["names"].split()),
            )
        )


def _does_belong(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith("#") or bool(_ENTRY.match(text))


READER = Reader(kind="hosts-file", anchor=_ANCHOR, read=_read)
