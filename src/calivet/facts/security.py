"""Who may do what: certificates, tokens, permissions, policies that bind even root, and what a cloud lets through."""

from __future__ import annotations

import re
from datetime import datetime

from calivet.facts.fact import Fact
from calivet.search.expressions import expression

_OF_TYPHA = expression(r"typha|node-certs|felix", re.IGNORECASE)
_OF_CLUSTER = expression(
    r"kube|apiserver|admin|scheduler|controller|etcd|front-proxy|system:node|/pki/|kubelet|^ca$|k3s|rke2", re.IGNORECASE
)


def find_certificate_owner(name: str) -> str | None:
    """Whose certificate has this name: typha, for those between Typha and Felix, or cluster."""
    if _OF_TYPHA.search(name):
        return "typha"
    return "cluster" if _OF_CLUSTER.search(name) else None


class AuthorityValue(Fact, frozen=True, kw_only=True):
    """Something that tells one certificate authority from another, as it was shown."""

    kind: str
    """fingerprint, modulus, begin, serial, key, sum."""
    form: str
    """Keeps apart what cannot be compared: sums of different kinds."""
    value: str
    place: str
    """The file or object that holds it."""
    cluster: bool
    """It is the cluster's own, not the one that a client trusts."""


class TokenEnd(Fact, frozen=True, kw_only=True):
    """When a token of Calico's ends."""

    end: datetime


class TokenRefused(Fact, frozen=True, kw_only=True):
    """The API server answered 401 to a token that the operator tried."""

    calico: bool
    """The command says that it is Calico's."""
    variable: str | None = None
    """The shell's variable that held it."""


class PermissionAnswer(Fact, frozen=True, kw_only=True):
    """What `kubectl auth can-i` says on behalf of a service account."""

    account: str
    answer: str
    """yes, no."""


class SelinuxMode(Fact, frozen=True, kw_only=True):
    """How SELinux works on a machine."""

    mode: str
    """enforcing, permissive, disabled."""


class HostWrite(Fact, frozen=True, kw_only=True):
    """Somebody wrote into one of Calico's directories on the host, without trouble."""

    place: str


class DeniedWrite(Fact, frozen=True, kw_only=True):
    """A program in a container was refused one of Calico's directories of the host."""

    place: str


class ContainerTrial(Fact, frozen=True, kw_only=True):
    """A container that the operator ran by hand to try a thing out; `at` is the refusal, where there was one."""

    free: bool
    """Privileged, or bound by no policy."""
    mapped: bool
    """Root in it is somebody else outside, so that being refused needs no policy."""
    denied: bool


class CloudRules(Fact, frozen=True, kw_only=True):
    """A list of what a cloud's firewall lets through."""

    ranges: tuple[tuple[int, int], ...] = ()
    """Of ports, first and last."""
    numbers: frozenset[int] = frozenset()
    """Every number that stands there by itself."""
    everything: bool = False
    """A word or a number that stands for all ports."""

    def does_let_through(self, port: int) -> bool:
        """Whether the rules name this port, or something that it is part of."""
        inside = any(first <= port <= last for first, last in self.ranges)
        return self.everything or inside or port in self.numbers


class SourceCheck(Fact, frozen=True, kw_only=True):
    """The cloud checks that the packets of the machine at this address have that address as their source."""

    address: str
