"""When certificates end: `openssl x509`, `openssl s_client`, `curl -v`, `kubeadm certs check-expiration`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.readers.command import paths
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_NOT_AFTER = expression(
    r"(?:not\s?after\s*[:=]|expire date:)\s*([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4}) GMT", re.IGNORECASE
)
_SUBJECT = expression(r"^\s*(?:\*\s*)?(?:\d+ s:|subject\s*[:=])\s*(?P<subject>.+)$", re.IGNORECASE)
_COMMON_NAME = expression(r"CN\s*=\s*([^,/]+)")
_FILE_LINE = expression(r"^[\s=#*>-]*(?P<path>[/\w][\w./-]*\.(?:crt|pem|cert|cer))[\s:=#*<-]*$")
_FILE = expression(r"\.(?:crt|pem|cert|cer)$")
_KUBEADM_ROW = expression(
    r"^\s*(?P<name>[a-z][\w.-]+)\s+"
    r"(?P<month>[A-Z][a-z]{2}) (?P<day>\d\d), (?P<year>\d{4}) (?P<time>\d\d:\d\d) UTC\s+\S+"
)
_SUBJECT_REACH = 12
_UNNAMED = "certificate"


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One setting for each certificate: its name, and its last moment in ISO form."""
    reading = Reading()
    machines = subjects(artifact)
    named_above = _subject_comes_first(artifact)
    for index in anchors:
        line = artifact.lines[index]
        if row := _KUBEADM_ROW.match(line):
            name, end = row["name"], _iso(f"{row['year']} {row['month']} {row['day']} {row['time']}:00")
        elif date := _NOT_AFTER.search(line):
            name, end = _name(artifact, index, named_above), _iso(f"{date[4]} {date[1]} {date[2]} {date[3]}")
        else:
            continue
        reading.claim(index, index + 1)
        if end is None:
            reading.unread.add(index)
            continue
        reading.facts.append(
            Setting(at=artifact.at(index), host=machines.at(index), program="certificate", key=name, value=end)
        )
    return reading


def _subject_comes_first(artifact: Artifact) -> bool:
    """openssl prints in the order of its options, so the first pair tells for all that follow."""
    first = next((line for line in artifact.lines if _SUBJECT.match(line) or _NOT_AFTER.search(line)), "")
    return _SUBJECT.match(first) is not None


def _name(artifact: Artifact, index: int, named_above: bool) -> str:
    """The subject's common name, a file's name above, or the file in the command."""
    for line in _neighbours(artifact, index, -1 if named_above else 1):
        if (subject := _SUBJECT.match(line)) and (found := _COMMON_NAME.search(subject["subject"])):
            return found[1].strip()
    for line in _neighbours(artifact, index, -1):
        if file := _FILE_LINE.match(line):
            return file["path"]
    return next((path for path in paths(artifact) if _FILE.search(path)), _UNNAMED)


def _neighbours(artifact: Artifact, index: int, step: int) -> Iterator[str]:
    """The lines of the same certificate in one direction: they end where the next date of an end stands."""
    for near in range(index + step, index + step * _SUBJECT_REACH, step):
        if not 0 <= near < len(artifact.lines) or _NOT_AFTER.search(artifact.lines[near]):
            return
        yield artifact.lines[near]


def _iso(words: str) -> str | None:
    try:
        return datetime.strptime(words, "%Y %b %d %H:%M:%S").replace(tzinfo=UTC).isoformat()
    except ValueError:
        return None


READER = Reader(
    kind="certificates",
    anchor=expression(
        r"^(?:.*ot ?[Aa]fter ?[:=]\s*[A-Z]|.*expire date:"
        r"|\s*[a-z][\w.-]+\s+[A-Z][a-z]{2} \d\d, \d{4} \d\d:\d\d UTC)"
    ),
    read=read,
)
