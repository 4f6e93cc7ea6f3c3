"""What all facts share, and the facts that belong to no particular program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.search.expressions import expression

_PARTLY = expression(r"^\d\d?% packet loss")
_PATH_MTU = expression(r"\bmtu ?= ?(?P<mtu>\d{2,5})")

Scalar = str | int | float | bool | None


class Fact(Struct, frozen=True, kw_only=True, gc=False):
    """A typed statement with the line that makes it. Facts hold no facts, so there are no circles to look for."""

    at: Line
    host: str | None = None
    """The machine the fact is about, where it is known."""


class Command(Fact, frozen=True, kw_only=True):
    """The operator ran this."""

    line: str
    printed: int = 0
    """How many lines stand below it, blank ones too."""
    silent: bool = False
    """It printed nothing, or nothing in the first lines below it."""


class Note(Fact, frozen=True, kw_only=True):
    """The author's own words: weak evidence."""

    text: str


class Remark(Fact, frozen=True, kw_only=True):
    """A line beside a program's output that reads like the author's own words."""

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

    @property
    def arrived(self) -> bool:
        """Whether some of it did, which is enough to say that it fits."""
        return self.outcome == "ok" or _PARTLY.match(self.detail or "") is not None

    @property
    def path_mtu(self) -> int | None:
        """The limit for which it was turned back."""
        found = _PATH_MTU.search(self.detail or "")
        return int(found["mtu"]) if found else None


class FailedDial(Fact, frozen=True, kw_only=True):
    """A program could not connect."""

    address: str
    port: int
    of_api: bool = False
    """What it asked for is the API server's."""


class FailedLookup(Fact, frozen=True, kw_only=True):
    """A tool could not resolve a name."""


class Silence(Fact, frozen=True, kw_only=True):
    """A command says that it got no answer."""


class AskedUrl(Fact, frozen=True, kw_only=True):
    """A program asked for something at this address."""

    address: str


Item = TypeVar("Item", bound=Fact)


def latest_of(facts: Iterable[Item], key: Callable[[Item], object]) -> list[Item]:
    """The last statement about each thing, in the order in which the things were first spoken of."""
    latest: dict[object, Item] = {}
    for fact in facts:
        latest[key(fact)] = fact
    return list(latest.values())


class EmptySearch(Fact, frozen=True, kw_only=True):
    """The operator looked for something on a machine, and there was none."""

    what: str
    """cali-interfaces, shared-mounts, calico-rules, service-rules, bgp-peers."""


class Count(Fact, frozen=True, kw_only=True):
    """The operator had something counted."""

    what: str
    """ipam-blocks, nodes, inotify-instances."""
    number: int
