"""What container runtimes and their cgroups state, and who gave up waiting for them."""

from __future__ import annotations

from itertools import pairwise

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Command, Fact


class RuntimeContainer(Fact, frozen=True, kw_only=True):
    """A container as crictl or docker lists it."""

    name: str
    state: str
    """running, exited, created, unknown."""
    pod: str | None = None
    age: float | None = None
    exit_code: int | None = None


class ImageList(Fact, frozen=True, kw_only=True):
    """A node's own list of images, one to a row; repository and tag may stand in one column or in two."""

    rows: tuple[str, ...]
    headed: bool
    filtered: bool
    filter: str | None = None
    """The word that a filter looked for, where it is a plain one."""

    def lacks(self, image: str) -> bool:
        """Whether the image would stand here and does not; a filter must be one that lets it through."""
        if self.filtered and not (self.filter and self.filter in image):
            return False
        *path, last = image.partition("@")[0].split("/")
        name, _, tag = last.partition(":")
        short = "/".join([*path[-1:], name])
        return (self.headed or self.filter is not None) and not any(short in row and tag in row for row in self.rows)


class CgroupMemory(Fact, frozen=True, kw_only=True):
    """The limit of a memory cgroup in bytes, and the most that was used; `at` is the line of the latter."""

    limit: int
    peak: int
    calico: bool
    """The command says that it is Calico's."""


class CgroupKills(Fact, frozen=True, kw_only=True):
    """How often the kernel killed in a cgroup of Calico's."""

    kills: int
    pod: str | None = None


class CalicoImage(Fact, frozen=True, kw_only=True):
    """An image of Calico that a short text names."""

    version: str


class Interrupt(Fact, frozen=True, kw_only=True):
    """Somebody interrupted a command that had printed nothing."""


@once
def list_interrupted_commands(cluster: ClusterFacts) -> list[Command]:
    """Those that printed nothing before; the mark of the interrupt may stand in an artifact of its own."""
    marked = {id(cluster.artifact(mark.at)) for mark in cluster.all(Interrupt)}
    following = {id(one): other for one, other in pairwise(cluster.artifacts)}
    found = []
    for command in cluster.all(Command) if marked else ():
        own = cluster.artifact(command.at)
        after = following.get(id(own))
        cut_off = command.silent and own and after and after.name == own.name and not after.command
        if id(own) in marked or (cut_off and id(after) in marked):
            found.append(command)
    return found


class FormatError(Fact, frozen=True, kw_only=True):
    """The kernel does not know the format of a program that a container should run."""

    pod: str | None
