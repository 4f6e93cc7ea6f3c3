"""What Felix has programmed: IP sets whose members tell how the cluster is set up, and figures of its rules."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import EgressRules, ProgrammedPool
from calivet.facts.networks import parse_network
from calivet.readers.command import Machines, list_output_lines
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


# Calivet's own count of the rules for pods.
_COUNTS = expression(r"^iptables-save \| sed .*/workloads/p.*\| uniq -c$")
_COUNT = expression(r"^(?P<number>\d{1,7}) (?P<what>workloads|restricted|allowing)$")


def _read_counts(artifact: Artifact, _: list[int]) -> Iterator[EgressRules]:
    found = (_COUNT.match(text) for _, text in list_output_lines(artifact))
    counts = {one["what"]: int(one["number"]) for one in found if one}
    if "workloads" in counts:
        numbers = {what: counts.get(what, 0) for what in ("workloads", "restricted", "allowing")}
        yield EgressRules(at=artifact.at(0), host=artifact.host, **numbers)


COUNTS_READER = read_statements(_read_counts, command=_COUNTS)
