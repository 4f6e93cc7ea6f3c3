"""What all facts share, and the facts that belong to no particular program."""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.artifact import Line

Scalar = str | int | float | bool | None


class Fact(Struct, frozen=True, kw_only=True, gc=False):
    """A typed statement with the line that makes it. Facts hold no facts, so there are no circles to look for."""

    at: Line
    host: str | None = None
    """The machine the fact is about, where it is known."""


class Command(Fact, frozen=True, kw_only=True):
    """The operator ran this."""

    line: str


class Note(Fact, frozen=True, kw_only=True):
    """The author's own words: weak evidence."""

    text: str


class Setting(Fact, frozen=True, kw_only=True):
    """A configuration value of a program: kubelet cgroupDriver, containerd SystemdCgroup."""

    program: str
    """kubelet, containerd, docker, crio, kube-proxy, kernel..."""
    key: str
    value: Scalar
    file: str | None = None


class Variable(Fact, frozen=True, kw_only=True):
    """An environment variable, of a pod's container or of a process or shell."""

    name: str
    value: str
    owner: str | None = None
    """The pod or the program that has it."""
    container: str | None = None


class Version(Fact, frozen=True, kw_only=True):
    """A program's version as some output names it."""

    program: str
    """calico-node, calico-cni, typha, operator, kubernetes, kubelet, containerd, docker, kernel, os..."""
    version: str
    owner: str | None = None


class Reach(Fact, frozen=True, kw_only=True):
    """The outcome of a reachability test (ping, nc, telnet, curl) made from `host`."""

    target: str
    """Address or name, without port."""
    port: int | None = None
    protocol: str
    """icmp, tcp, udp, http."""
    outcome: str
    """ok, refused, timeout, no-route, unresolved, loss, reset, error."""
    detail: str | None = None
    size: int | None = None
    """Payload size, where the test set one (ping -s)."""
    pod: str | None = None
    """The pod the test was made from, where it was not made from the host itself."""
