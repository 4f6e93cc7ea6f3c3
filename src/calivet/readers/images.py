"""Which program a container image holds, and in which version."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Line
from calivet.facts.fact import Version

_PATH = re.compile(r"^[\w.:/-]+$")
_TAG = re.compile(r"^\w[\w.+-]*$")
_ARCHITECTURE = re.compile(r"-(?:amd64|arm64|arm|ppc64le|s390x)$")

# Searched in the whole path, so that mirrors such as hub.local/k8s/calico-node and calico/node mean the same.
_PROGRAMS = (
    (re.compile(r"calico.*[/-]node$|hardened-calico$"), "calico-node"),
    (re.compile(r"calico.*[/-]cni$"), "calico-cni"),
    (re.compile(r"(?:^|[/-])typha$"), "typha"),
    (re.compile(r"(?:^|[/-])kube-(?:policy-)?controllers?$"), "kube-controllers"),
    (re.compile(r"pod2daemon-flexvol$"), "flexvol-driver"),
    (re.compile(r"calico.*[/-]apiserver$"), "calico-apiserver"),
    (re.compile(r"calico.*[/-]ctl$"), "calicoctl"),
    (re.compile(r"(?:tigera|calico).*operator$"), "operator"),
    (re.compile(r"(?:^|[/-])flannel$"), "flannel"),
    (re.compile(r"(?:^|[/-])kube-proxy$"), "kube-proxy"),
    (re.compile(r"(?:^|/)kube-apiserver$"), "kube-apiserver"),
    (re.compile(r"(?:^|/)coredns$"), "coredns"),
    (re.compile(r"(?:^|/)etcd$"), "etcd"),
)


def image_version(image: str, at: Line, owner: str | None = None, host: str | None = None) -> Version | None:
    """The version that an image's tag states; None for images of other programs, and where there is no tag."""
    path, _, tag = image.strip().partition("@")[0].rpartition(":")
    if not _PATH.match(path) or not _TAG.match(tag):
        return None
    path = _ARCHITECTURE.sub("", path.lower().replace("_", "-"))
    for pattern, program in _PROGRAMS:
        if pattern.search(path):
            return Version(at=at, host=host, program=program, version=tag, owner=owner)
    return None
