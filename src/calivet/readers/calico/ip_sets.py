"""IP sets that Felix keeps, where their members tell how the cluster is set up."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import ProgrammedPool
from calivet.facts.networks import parse_network
from calivet.readers.command import Machines
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

_ALL_POOLS = expression(r"^\s*Name: cali[46]0all-ipam-pools\s*$")
_NEXT = expression(r"^\s*Name: ")
_MEMBERS = expression(r"^\s*Members:\s*$")


def _read_pools(artifact: Artifact, anchors: list[int]) -> Iterator[ProgrammedPool]:
    """The members of `ipset list`, to the end of the set."""
    machines = Machines(artifact)
    for start in anchors:
        is_below = False
        for index in range(start + 1, len(artifact.lines)):
            text = artifact.lines[index]
            if _NEXT.match(text) or (is_below and not parse_network(text.strip())):
                break
            if is_below:
                yield ProgrammedPool(at=artifact.at(index), host=machines.at(index), cidr=text.strip())
            is_below = is_below or _MEMBERS.match(text) is not None


POOLS_READER = read_statements(_read_pools, anchor=_ALL_POOLS)
