"""Docker's settings and version: `docker info`, `docker version`, daemon.json, dockerd's flags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Scalar, Setting, Version
from calivet.readers.command import asked, file_named, output_lines, output_start
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_SETTINGS: tuple[tuple[str, re.Pattern[str], Callable[[str], Scalar]], ...] = (
    ("cgroup-driver", expression(r"^\s*Cgroup Driver: (\w+)\s*$"), str),
    ("cgroup-version", expression(r"^\s*Cgroup Version: (\d)\s*$"), str),
    ("storage-driver", expression(r"^\s*Storage Driver: (\w+)\s*$"), str),
    ("live-restore", expression(r"^\s*Live Restore Enabled: (true|false)\s*$"), lambda text: text == "true"),
    ("live-restore", expression(r"\"live-restore\"\s*:\s*(true|false)"), lambda text: text == "true"),
    ("live-restore", expression(r"\bdockerd\b.*(--live-restore)\b"), bool),
    ("cgroup-driver", expression(r"\bnative\.cgroupdriver=(systemd|cgroupfs)\b"), str),
    ("exec-opts", expression(r"\b(native\.cgroupdriver=(?:systemd|cgroupfs))\b"), str),
)
_SERVER_VERSION = expression(r"^\s*Server Version: (\d[\w.+~-]*)\s*$")
_MIRRORS = expression(r"^\s*Registry Mirrors:\s*$|\"registry-mirrors\"\s*:\s*\[(?P<inline>[^\]]*)")
_ADDRESS = expression(r"https?://[^\s\"',]+")
_PART = expression(r"^ ?(?P<part>Client|Server|Engine|containerd|runc|docker-init)(?::| [\w -]+:?$)")
_PART_VERSION = expression(r"^\s+Version:\s+v?(?P<version>\d[\w.+~-]*)\s*$")
_ASKED_VERSION = expression(r"\bdocker\s+(?:version|info)\s.*\.ServerVersion|\bdocker\s+version\s.*\.Server\.Version")
_BARE_VERSION = expression(r"^'?(\d+\.\d+[\w.+~-]*)'?$")
_VERSION_REACH = 2
_PROGRAMS = {"Engine": "docker", "Server": "docker", "containerd": "containerd", "runc": "runc"}


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Settings line by line; versions also from the parts of `docker version`."""
    reading = Reading()
    machines, file = subjects(artifact), file_named(artifact, "docker")
    for index in anchors:
        line = artifact.lines[index]
        if index < output_start(artifact) or line.lstrip().startswith("#"):
            continue
        for key, value in _settings(artifact, index):
            at, host = artifact.at(index), machines.at(index)
            reading.facts.append(Setting(at=at, host=host, program="docker", key=key, value=value, file=file))
            reading.claim(index, index + 1)
    for index, program, version in (*_versions(artifact, anchors), *_bare_version(artifact)):
        at, host = artifact.at(index), machines.at(index)
        reading.facts.append(Version(at=at, host=host, program=program, version=version))
        reading.claim(index, index + 1)
    return reading


def _settings(artifact: Artifact, index: int) -> Iterator[tuple[str, Scalar]]:
    line = artifact.lines[index]
    for key, pattern, value in _SETTINGS:
        if found := pattern.search(line):
            yield key, value(found[1])
    mirrors = _MIRRORS.search(line)
    if mirrors and (addresses := _addresses(artifact, index, mirrors["inline"])):
        yield "registry-mirrors", ",".join(addresses)


def _addresses(artifact: Artifact, index: int, inline: str | None) -> list[str]:
    """On the line itself, or on the lines below as long as they hold addresses."""
    found = _ADDRESS.findall(inline or "")
    for line in artifact.lines[index + 1 :]:
        below = _ADDRESS.findall(line)
        if (found and inline) or not below:
            break
        found += below
    return found


def _versions(artifact: Artifact, anchors: list[int]) -> Iterator[tuple[int, str, str]]:
    part, since = "", 0
    for index in anchors:
        line = artifact.lines[index]
        if found := _SERVER_VERSION.match(line):
            yield index, "docker", found[1]
        elif found := _PART.match(line):
            part, since = found["part"], index
        elif (found := _PART_VERSION.match(line)) and part in _PROGRAMS and index - since <= _VERSION_REACH:
            yield index, _PROGRAMS[part], found["version"]
            part = ""


def _bare_version(artifact: Artifact) -> Iterator[tuple[int, str, str]]:
    if asked(artifact, _ASKED_VERSION):
        for index, text in output_lines(artifact):
            if found := _BARE_VERSION.match(text):
                yield index, "docker", found[1]


READER = Reader(
    kind="docker-info",
    anchor=expression(
        r"^(?:\s*(?:Cgroup Driver|Cgroup Version|Storage Driver|Live Restore Enabled|Server Version|Registry Mirrors):"
        r"|\s+Version:\s+v?\d| ?(?:Client|Server|Engine|containerd|runc|docker-init)(?::| [\w -]+:?$)"
        r"|'?\d+\.\d+[\w.+~-]*'?\s*$"
        r"|.*native\.cgroupdriver=|.*\"live-restore\"|.*\"registry-mirrors\"|.*dockerd\b.*--live-restore)"
    ),
    read=read,
)
