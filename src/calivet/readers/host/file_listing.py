"""Which files a host has: `ls` and `find` of places the command names, and the tools' words about missing ones."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import File
from calivet.readers.command import asked, output_lines, paths
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SHARED, SPEAKER, Subjects, subjects

_TOOLS = "ls|ll|cat|stat|head|tail|less|more|grep|cp|mv|find|file|md5sum|sysctl|vi|vim|cd|bash|tree"
_MISSING = expression(
    rf"^\s*{SPEAKER}(?:sudo: )?(?:{_TOOLS})\b[^/]*['\"‘“]?(?P<path>/[^'\"’”:：]*[^'\"’”:：\s])['\"’”]?"
    r"(?: for reading)?[:：] ?(?:No such file or directory|没有那个文件或目录)"
)
_LISTING = expression(r"(?:^|[;&|'\"(]|\bsudo|\bssh\s.*?|--)\s*(?P<tool>ls|ll|find)\b(?P<rest>[^;&|]*)(?P<after>.*)$")
_LONG_OPTION = expression(r"\s-[a-zA-Z]*l")
_IN_A_POD = expression(r"\b(?:kubectl|oc)\b.*\bexec\b|\b(?:docker|crictl|nerdctl|podman)\s+exec\b")
# Behind these, a line is no longer a listing's line.
_REWRITTEN = expression(r"\|\s*(?:wc|awk|sed|xargs|cut|tr)\b")
_LONG_ROW = expression(
    r"^[-dlcbps][rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+[\d.,]+[KMGT]?\s+"
    r"(?:[A-Z][a-z]{2}\s+\d{1,2}|\d{1,2}月\s+\d{1,2}|\d{4}-\d\d-\d\d)\s+(?:[\d:.]+|\d{4})(?:\s+[+-]\d{4})?\s+(?P<name>.+)$"
)
_DIRECTORY_HEAD = expression(r"^(?P<path>/\S+):$")
_NAME = expression(r"^[\w./@+~:,=-]+$")


class _Request(Struct, frozen=True):
    """What the command asks to list, and how far its output can be trusted to be just that."""

    tool: str
    places: list[str]
    long: bool
    alone: bool
    """No other command prints into the same output."""
    whole: bool
    """Nor does a filter take lines away: what is not shown is not there."""


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Missing files are stated by any tool; present ones are read only where the listing's place is known."""
    reading = Reading()
    if asked(artifact, _IN_A_POD):
        return reading
    machines = subjects(artifact)
    for index in anchors:
        if found := _MISSING.match(artifact.lines[index]):
            host = machines.at(index, found["speaker"])
            reading.facts.append(File(at=artifact.at(index), host=host, path=found["path"], exists=False))
            reading.claim(index, index + 1)
    if request := _request(artifact):
        _read_listing(artifact, request, machines, reading)
    return reading


def _request(artifact: Artifact) -> _Request | None:
    command = artifact.command or ""
    listing = _LISTING.search(command)
    if not listing or _REWRITTEN.search(listing["after"]):
        return None
    places = [path.rstrip("/") for path in paths(artifact) if path in listing["rest"] and "*" not in path]
    long = listing["tool"] == "ll" or _LONG_OPTION.search(listing["rest"]) is not None
    alone = not re.search(r"[;&\n]", command)
    return _Request(listing["tool"], places, long, alone, alone and "|" not in command)


def _read_listing(artifact: Artifact, request: _Request, machines: Subjects, reading: Reading) -> None:
    place = request.places[0] if len(request.places) == 1 else None
    missing, found = bool(reading.facts), 0
    for index, text in output_lines(artifact):
        if index in reading.claimed:
            continue
        if head := _DIRECTORY_HEAD.match(text):
            place = head["path"].rstrip("/")
        for name in () if head else _names(text, request):
            if path := name if name.startswith("/") else f"{place}/{name}" if place else None:
                found += 1
                reading.facts.append(File(at=artifact.at(index), host=machines.at(index), path=path, exists=True))
                reading.claim(index, index + 1)
    if (
        request.whole
        and len(request.places) == 1
        and request.tool != "find"
        and not missing
        and len(machines.heads) <= 1
    ):
        _note_place(artifact, request.places[0], found, machines, reading)


def _note_place(artifact: Artifact, place: str, found: int, machines: Subjects, reading: Reading) -> None:
    """The place itself exists, and where its listing is empty, nothing is in it."""
    if not any(isinstance(fact, File) and fact.path == place for fact in reading.facts):
        reading.facts.append(File(at=artifact.at(0), host=machines.at(0), path=place, exists=True))
    if not found:
        reading.facts.append(File(at=artifact.at(0), host=machines.at(0), path=f"{place}/*", exists=False))


def _names(text: str, request: _Request) -> list[str]:
    if request.tool == "find":
        return [text] if text.startswith("/") and _NAME.match(text) else []
    if row := _LONG_ROW.match(text):
        name = row["name"].split(" -> ", 1)[0].strip()
        return [] if name in (".", "..") else [name]
    words = text.split()
    plain = all(_NAME.match(word) and not word.endswith(":") for word in words)
    return words if plain and not request.long and (request.whole or (request.alone and len(words) == 1)) else []


READER = Reader(
    kind="file-listing",
    anchor=expression(
        rf"^(?:{FRONT}(?:sudo: )?(?:{_TOOLS})\b.*(?:No such file or directory|没有那个文件或目录)"
        rf"|[-dlcbps][rwxsStT-]{{9}}|{SHARED}|.*ls\s+[-/]|.*ll\s+[-/]|.*find\s+/|.*\.conflist)"
    ),
    read=read,
)
