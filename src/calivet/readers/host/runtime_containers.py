"""Containers as the runtime lists them: `crictl ps` and `pods`, `docker ps`, `nerdctl ps`, with or without header."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import RuntimeContainer
from calivet.facts.times import parse_age
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import SPEAKER, subjects

SANDBOX = "POD"
"""The name of a pod's own sandbox, as docker's names have it."""

_ID = r"[0-9a-f]{12,64}"
_AGO = r"(?P<created>(?:About |Less than )?(?:an?|\d+) \w+ ago)"
_CRICTL = expression(
    rf"^\s*{SPEAKER}{_ID}\s+\S+\s+{_AGO}\s+(?P<state>Running|Exited|Created|Unknown)\s+"
    rf"(?P<name>\S+)\s+(?P<attempt>\d+)(?:\s+{_ID}(?:\s+(?P<pod>\S+))?)?"
)
_CRICTL_POD = expression(
    rf"^\s*{SPEAKER}{_ID}\s+{_AGO}\s+(?P<state>Ready|NotReady)\s+(?P<pod>\S+)\s+\S+\s+(?P<attempt>\d+)\b"
)
_DOCKER = expression(
    rf"^\s*{SPEAKER}{_ID}\s+\S+\s+\"[^\"]*\"\s+{_AGO}\s+"
    r"(?P<state>Up|Exited|Created|Restarting|Dead|Removal|Paused)(?: \((?P<code>\d+)\))?"
    r"(?: In Progress| (?:About |Less than )?(?:an?|\d+) \w+(?: ago)?)?(?: \([^)]*\))?(?P<rest>.*)$"
)
_DOCKER_NAME = expression(r"^k8s_(?P<name>[^_]+)_(?P<pod>[^_]+)_[^_]+_[^_]+_(?P<attempt>\d+)$")
_NERDCTL_NAME = expression(r"^k8s://[^/]+/(?P<pod>[^/]+)(?:/(?P<name>[^/]+))?$")
_PORT = expression(r"->|/(?:tcp|udp|sctp),?$")
_STATES = {
    "up": "running",
    "ready": "running",
    "notready": "exited",
    "restarting": "exited",
    "dead": "exited",
    "removal": "exited",
    "paused": "running",
}


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """A row has shape enough to be known without its header."""
    reading = Reading()
    machines = subjects(artifact)
    for index in anchors:
        line = artifact.lines[index]
        row = _CRICTL.match(line) or _CRICTL_POD.match(line) or _DOCKER.match(line)
        if not row:
            continue
        reading.claim(index, index + 1)
        groups = row.groupdict()
        name, pod, attempt = _identity(groups)
        if name is None:
            reading.unread.add(index)
            continue
        state = row["state"].lower()
        reading.facts.append(
            RuntimeContainer(
                at=artifact.at(index),
                host=machines.at(index, row["speaker"]),
                name=name,
                state=_STATES.get(state, state),
                pod=pod,
                age=parse_age(row["created"]),
                attempt=attempt,
                exit_code=int(groups["code"]) if groups.get("code") else None,
            )
        )
    return reading


def _identity(groups: dict[str, str | None]) -> tuple[str | None, str | None, int | None]:
    """Container, pod and attempt; docker and nerdctl hide all three in the name."""
    if attempt := groups.get("attempt"):
        return groups.get("name") or SANDBOX, groups.get("pod"), int(attempt)
    names = [word for word in (groups.get("rest") or "").split() if not _PORT.search(word)]
    if not names:
        return None, None, None
    if found := _DOCKER_NAME.match(names[-1]):
        return found["name"], found["pod"], int(found["attempt"])
    if found := _NERDCTL_NAME.match(names[-1]):
        return found["name"] or SANDBOX, found["pod"], None
    return names[-1], None, None


READER = Reader(kind="runtime-containers", anchor=expression(rf"^\s*(?:\S+: +)?{_ID}\s.* ago\s"), read=read)
