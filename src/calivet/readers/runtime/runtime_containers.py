"""What the container runtime lists: containers and images."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.fact import Version
from calivet.facts.runtime import ImageList, RuntimeContainer
from calivet.facts.times import parse_age
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.readers.subject import SPEAKER, find_subjects
from calivet.search.expressions import expression

# Which program a container image holds, and in which version.
_IMAGE_PATH = expression(r"^[\w.:/-]+$")
_IMAGE_TAG = expression(r"^\w[\w.+-]*$")
_ARCHITECTURE = expression(r"-(?:amd64|arm64|arm|ppc64le|s390x)$")

# Searched in the whole path, so that mirrors such as hub.local/k8s/calico-node and calico/node mean the same.
_PROGRAMS = (
    (expression(r"calico.{0,200}[/-]node$|hardened-calico$"), "calico-node"),
    (expression(r"calico.{0,200}[/-]cni$"), "calico-cni"),
    (expression(r"(?:^|[/-])typha$"), "typha"),
    (expression(r"(?:^|[/-])kube-(?:policy-)?controllers?$"), "kube-controllers"),
    (expression(r"pod2daemon-flexvol$"), "flexvol-driver"),
    (expression(r"calico.{0,200}[/-]apiserver$"), "calico-apiserver"),
    (expression(r"calico.{0,200}[/-]ctl$"), "calicoctl"),
    (expression(r"(?:tigera|calico).*operator$"), "operator"),
    (expression(r"(?:^|[/-])flannel$"), "flannel"),
    (expression(r"(?:^|[/-])kube-proxy$"), "kube-proxy"),
    (expression(r"(?:^|/)kube-apiserver$"), "kube-apiserver"),
    (expression(r"(?:^|/)coredns$"), "coredns"),
    (expression(r"(?:^|/)etcd$"), "etcd"),
)


def parse_image_version(image: str, at: Line, owner: str | None = None, host: str | None = None) -> Version | None:
    """The version that an image's tag states; None for images of other programs, and where there is no tag."""
    path, _, tag = image.strip().partition("@")[0].rpartition(":")
    if not _IMAGE_PATH.match(path) or not _IMAGE_TAG.match(tag):
        return None
    path = _ARCHITECTURE.sub("", path.lower().replace("_", "-"))
    for pattern, program in _PROGRAMS:
        if pattern.search(path):
            return Version(at=at, host=host, program=program, version=tag, owner=owner)
    return None


# A node's own list of images: crictl, docker, nerdctl, ctr.
_LISTS_IMAGES = expression(
    r"\b(?:crictl|docker|nerdctl|ctr)(?: -\S{1,80}(?: [\w./:]{1,200})?){0,6}? (?:images?|i)"
    r"(?: (?:ls|list))?(?: -\S+)*\s*"
    r"(?:\|\s*[ef]?grep\s+(?:-\w+\s+)*(?P<filter>\S+)\s*)?$"
)
_FILTER_WORD = expression(r"[\w./-]+")


def _read_image_list(artifact: Artifact, _: list[int]) -> Iterator[ImageList]:
    command = artifact.command or ""
    listed = _LISTS_IMAGES.search(command)
    if not listed or not artifact.host:
        return
    rows = tuple(line for line in artifact.lines if command not in line)
    word = _FILTER_WORD.search(listed["filter"]) if listed["filter"] else None
    yield ImageList(
        at=artifact.at(0),
        host=artifact.host,
        rows=rows,
        headed=any("IMAGE" in row or "REF" in row for row in rows),
        filtered=listed["filter"] is not None,
        filter=word[0] if word else None,
    )


IMAGE_LIST_READER = read_statements(_read_image_list, command=_LISTS_IMAGES)


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
    machines = find_subjects(artifact)
    for index in anchors:
        line = artifact.lines[index]
        row = _CRICTL.match(line) or _CRICTL_POD.match(line) or _DOCKER.match(line)
        if not row:
            continue
        reading.claim(index, index + 1)
        groups = row.groupdict()
        name, pod = _find_identity(groups)
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
                exit_code=int(groups["code"]) if groups.get("code") else None,
            )
        )
    return reading


def _find_identity(groups: dict[str, str | None]) -> tuple[str | None, str | None]:
    """Container and pod; docker and nerdctl hide both in the name."""
    if groups.get("attempt"):
        return groups.get("name") or SANDBOX, groups.get("pod")
    names = [word for word in (groups.get("rest") or "").split() if not _PORT.search(word)]
    if not names:
        return None, None
    if found := _DOCKER_NAME.match(names[-1]):
        return found["name"], found["pod"]
    if found := _NERDCTL_NAME.match(names[-1]):
        return found["name"] or SANDBOX, found["pod"]
    return names[-1], None


READER = Reader(kind="runtime-containers", anchor=expression(rf"^\s*(?:\S+: +)?{_ID}\s.* ago\s"), read=read)
