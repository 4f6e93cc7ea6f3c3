"""Signs of machines that share a name, or that Calico keeps fewer records for than there are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from calivet.facts.calico import NodeAddress
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_READS_FILE = re.compile(r"\b(?:cat|head|more|less)\b.*/var/lib/calico/nodename|nodename\b")
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
# A prompt with one of these says nothing about which machine it is.
_NAMELESS = re.compile(r"localhost(?:\..*)?|ubuntu|debian|template")


def node_names_repeat(picture: Picture) -> Iterator[Sighting]:
    """The file with the node's name was read on several machines and says the same."""
    read: dict[str, list[Sighting]] = defaultdict(list)
    for artifact in picture.artifacts:
        if artifact.prose or not _READS_FILE.search(artifact.command or ""):
            continue
        for index, text in enumerate(artifact.lines[1:], start=1):
            if _NAME.fullmatch(text.strip()):
                found = Sighting(line=artifact.at(index), node=artifact.host, order=artifact.order)
                read[text.strip()].append(found)
                break
    for name, sightings in read.items():
        hosts = [seen.node for seen in sightings]
        distinct = len({host for host in hosts if host and not _NAMELESS.fullmatch(host)})
        nameless = sum(1 for host in hosts if not host or _NAMELESS.fullmatch(host))
        if distinct + nameless > 1:
            last = sightings[-1]
            yield Sighting(line=last.line, order=last.order, values={"name": name})


def fewer_records(picture: Picture) -> Iterator[Sighting]:
    """calicoctl lists fewer nodes than machines that run calico-node."""
    records = [fact for fact in picture.all(NodeAddress) if fact.source == "resource" and fact.node]
    known = {fact.node for fact in records}
    machines = {pod.node for pod in picture.pods("calico-node") if pod.node}
    if len(known) > 1 and len(known) < len(machines):
        values = {"known": str(len(known)), "machines": str(len(machines))}
        yield Sighting(line=records[-1].at, values=values)


SIGNS = {"node-names-repeat": node_names_repeat, "fewer-calico-nodes-than-machines": fewer_records}
