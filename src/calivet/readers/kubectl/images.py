"""Which program a container image holds, and in which version."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.fact import Version

_PATH = expression(r"^[\w.:/-]+$")
_TAG = expression(r"^\w[\w.+-]*$")
_ARCHITECTURE = expression(r"-(?:amd64|arm64|arm|ppc64le|s390x)$")

# Searched in the whole path, so that mirrors such as hub.local/k8s/calico-node and calico/node mean the same.
_PROGRAMS = (
    (expression(r"calico.*[/-]node$|hardened-calico$"), "calico-node"),
    (expression(r"calico.*[/-]cni$"), "calico-cni"),
    (expression(r"(?:^|[/-])typha$"), "typha"),
    (expression(r"(?:^|[/-])kube-(?:policy-)?controllers?$"), "kube-controllers"),
    (expression(r"pod2daemon-flexvol$"), "flexvol-driver"),
    (expression(r"calico.*[/-]apiserver$"), "calico-apiserver"),
    (expression(r"calico.*[/-]ctl$"), "calicoctl"),
    (expression(r"(?:tigera|calico).*operator$"), "operator"),
    (expression(r"(?:^|[/-])flannel$"), "flannel"),
    (expression(r"(?:^|[/-])kube-proxy$"), "kube-proxy"),
    (expression(r"(?:^|/)kube-apiserver$"), "kube-apiserver"),
    (expression(r"(?:^|/)coredns$"), "coredns"),
    (expression(r"(?:^|/)etcd$"), "etcd"),
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
