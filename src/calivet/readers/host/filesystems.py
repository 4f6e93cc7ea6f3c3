"""File systems (df, mount) and listings of folders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Setting
from calivet.facts.host import Disk, File
from calivet.readers.command import find_paths, list_output_lines, look_inside, search_command
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SHARED, SPEAKER, Subjects, find_subjects
from calivet.search.expressions import expression

_TOOLS = "ls|ll|cat|stat|head|tail|less|more|grep|cp|mv|find|file|md5sum|sysctl|vi|vim|cd|bash|tree"
_MISSING = expression(
    rf"^\s*{SPEAKER}(?:sudo: )?(?:{_TOOLS})\b[^/]*['\"‘“]?(?P<path>/[^'\"’”:：]*[^'\"’”:：\s])['\"’”]?"
    r"(?: for reading)?[:：] ?(?:No such file or directory|没有那个文件或目录)"
)
_LISTING = expression(
    r"(?:(?:^|[;&|'\"(]|\bsudo|--)\s*|\bssh\s(?:.{0,200}?\W)?)(?P<tool>ls|ll|find)\b(?P<rest>[^;&|]*)(?P<after>.*)$"
)
_LONG_OPTION = expression(r"\s-[a-zA-Z]*l")
_IN_A_POD = expression(r"\b(?:kubectl|oc)\b.{0,300}?\bexec\b|\b(?:docker|crictl|nerdctl|podman)\s+exec\b")
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
    if search_command(artifact, _IN_A_POD):
        return reading
    machines = find_subjects(artifact)
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
    places = [path.rstrip("/") for path in find_paths(artifact) if path in listing["rest"] and "*" not in path]
    long = listing["tool"] == "ll" or _LONG_OPTION.search(listing["rest"]) is not None
    alone = not re.search(r"[;&\n]", command)
    return _Request(listing["tool"], places, long, alone, alone and "|" not in command)


def _read_listing(artifact: Artifact, request: _Request, machines: Subjects, reading: Reading) -> None:
    place = request.places[0] if len(request.places) == 1 else None
    missing, found = bool(reading.facts), 0
    for index, text in list_output_lines(artifact):
        if index in reading.claimed:
            continue
        if head := _DIRECTORY_HEAD.match(text):
            place = head["path"].rstrip("/")
        for name in () if head else _parse_names(text, request):
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


def _parse_names(text: str, request: _Request) -> list[str]:
    if request.tool == "find":
        return [text] if text.startswith("/") and _NAME.match(text) else []
    if row := _LONG_ROW.match(text):
        name = row["name"].split(" -> ", 1)[0].strip()
        return [] if name in (".", "..") else [name]
    words = text.split()
    plain = all(_NAME.match(word) and not word.endswith(":") for word in words)
    return words if plain and not request.long and (request.whole or (request.alone and len(words) == 1)) else []


FILE_LISTING_READER = Reader(
    kind="file-listing",
    anchor=expression(
        rf"^(?:{FRONT}(?:sudo: )?(?:{_TOOLS})\b.*(?:No such file or directory|没有那个文件或目录)"
        rf"|[-dlcbps][rwxsStT-]{{9}}|{SHARED}|.*ls\s+[-/]|.*ll\s+[-/]|.*find\s+/|.*\.conflist)"
    ),
    read=read,
)


# Disk space and inodes: `df`, `df -h`, `df -i`, with or without header, English or Chinese.
_DISK_SIZE = r"(?:\d+(?:[.,]\d+)?[KMGTPE]?i?B?)"
_DISK_ROW = expression(
    rf"^\s*{SPEAKER}(?P<device>\S+)\s+(?:[a-z][\w.-]*\s+)?{_DISK_SIZE}\s+{_DISK_SIZE}\s+{_DISK_SIZE}\s+(?P<used>\d+)%\s+(?P<mount>/.*?)\s*$"
)
# A long device name stands on a line of its own, its figures on the next.
_WRAPPED = expression(rf"^\s+{_DISK_SIZE}\s+{_DISK_SIZE}\s+{_DISK_SIZE}\s+(?P<used>\d+)%\s+(?P<mount>/.*?)\s*$")
_DISK_HEADER = expression(r"^\s*(?:\S+: +)?(?:Filesystem|文件系统)\s")
_INODE_HEADER = expression(r"\bInodes\b|\bIUse%|Inode")
_INODE_COMMAND = expression(r"\bdf\s+(?:\S+\s+)*?-\w*i")
# Read-only images are always full, and a pod's own mounts repeat the disk that carries them.
_OF_NO_MATTER = expression(
    r"^/(?:snap|media|mnt/cdrom|var/lib/snapd|sys|proc)(?:/|$)"
    r"|/kubelet/pods/|/io\.containerd\.|/docker/(?:overlay2|containers|devicemapper)/|/containers/storage/|/var/run/netns/"
)


def read_disks(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each row of a file system that matters."""
    reading = Reading()
    machines = find_subjects(artifact)
    inodes = search_command(artifact, _INODE_COMMAND) is not None
    for index in anchors:
        line = artifact.lines[index]
        if _DISK_HEADER.match(line):
            inodes = _INODE_HEADER.search(line) is not None
            reading.claim(index, index + 1)
        elif row := _DISK_ROW.match(line) or _WRAPPED.match(line):
            reading.claim(index, index + 1)
            groups = row.groupdict()
            mount = row["mount"]
            if _OF_NO_MATTER.search(mount) or "/loop" in (groups.get("device") or ""):
                continue
            host = machines.at(index, groups.get("speaker"))
            reading.facts.append(
                Disk(at=artifact.at(index), host=host, mount=mount, used=float(row["used"]), inodes=inodes)
            )
    return reading


DISK_READER = Reader(
    kind="disk",
    anchor=expression(rf"^(?:{FRONT}(?:Filesystem|文件系统)\s|.*%\s+/)"),
    read=read_disks,
)


# Whether mounts pass on what is mounted below them: `findmnt` with its column PROPAGATION, and mountinfo of /proc.
_KINDS = r"(?:private|shared|slave|unbindable)(?:,(?:private|shared|slave|unbindable))*"
_MOUNT_ROW = expression(rf"^[\s│├└─|`-]*(?P<target>/\S*)\s(?:.*\s)?(?P<kind>{_KINDS})(?=\s|$)")
_PAIRS = expression(rf'TARGET="(?P<target>[^"]+)".*\bPROPAGATION="(?P<kind>{_KINDS})"')
_JSON_TARGET = expression(r'"target"\s*:\s*"(?P<target>[^"]+)"')
_JSON_KIND = expression(rf'"propagation"\s*:\s*"(?P<kind>{_KINDS})"')
_ALONE = expression(rf"^\s*(?P<kind>{_KINDS})\s*$")
# 25 30 0:23 / /sys rw,nosuid,relatime shared:7 - sysfs sysfs rw
_MOUNTINFO = expression(
    r"^\s*\d+ \d+ \d+:\d+ \S+ (?P<target>/\S*) \S+ (?P<optional>(?:[a-z_]+(?::\d+)? )*)- (?P<type>\S+) "
)
_ASKED = expression(r"\bfindmnt\b.*PROPAGATION", re.IGNORECASE)
_MOUNT_HEADER = expression(r"\bTARGET\b.*\bPROPAGATION\b|\bPROPAGATION\b.*\bTARGET\b|\"propagation\"")
# The runtime's own namespace is the one that counts, and a node of kind is a container.
_AS_GOOD_AS_HOST = expression(
    r"\bnsenter\b.*(?:-t\s*1\b|dockerd|containerd|crio|kubelet)|\bexec\s.*-(?:control-plane|worker)\d*\s"
)
Shown = tuple[int, str, str]


def read_mount_propagation(artifact: Artifact, anchors: list[int]) -> Reading:
    """One setting for each mount of the host; a container has mounts of its own, which are private anyway."""
    reading = Reading()
    place = look_inside(artifact)
    if place.pod or (place.apart and not search_command(artifact, _AS_GOOD_AS_HOST)):
        return reading
    machines = find_subjects(artifact)
    for index, target, kind in [*_read_table(artifact, anchors), *_read_mountinfo(artifact)]:
        reading.claim(index, index + 1)
        host = machines.at(index)
        reading.facts.append(Setting(at=artifact.at(index), host=host, program="mount", key=target, value=kind))
    return reading


def _read_table(artifact: Artifact, anchors: list[int]) -> Iterator[Shown]:
    """What findmnt shows, in any of its layouts; the same words elsewhere mean something else."""
    if not search_command(artifact, _ASKED) and not any(
        _MOUNT_HEADER.search(artifact.lines[index]) for index in anchors
    ):
        return
    only, above = find_paths(artifact), None
    for index, line in list_output_lines(artifact):
        above = _JSON_TARGET.search(line) or above
        if row := _MOUNT_ROW.match(line) or _PAIRS.search(line):
            yield index, row["target"], row["kind"]
        elif above and (kind := _JSON_KIND.search(line)):
            yield index, above["target"], kind["kind"]
        elif len(only) == 1 and (alone := _ALONE.match(line)):
            yield index, only[0], alone["kind"]


def _read_mountinfo(artifact: Artifact) -> Iterator[Shown]:
    """The kernel's own words: a mount without any of them passes nothing on."""
    for index, text in list_output_lines(artifact):
        if row := _MOUNTINFO.match(text):
            words = [word.split(":")[0] for word in row["optional"].split()]
            kind = "shared" if "shared" in words else "slave" if "master" in words else "private"
            yield index, row["target"], kind


MOUNT_PROPAGATION_READER = Reader(
    kind="mount-propagation",
    anchor=expression(r'^(?:.*findmnt .*ropagation|.*PROPAGATION|.*"propagation"|.*/mountinfo|\s*\d+ \d+ .* - sysfs )'),
    read=read_mount_propagation,
)
