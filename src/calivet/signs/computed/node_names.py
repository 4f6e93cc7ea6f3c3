"""Signs of machines that share a name, or that Calico keeps fewer records for than there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress
from calivet.facts.host import Interface
from calivet.facts.kubernetes import Node
from calivet.facts.picture import Picture
from calivet.signs.computed.paths import TUNNELS
from calivet.signs.computed.records import own_addresses
from calivet.signs.sighting import Sighting

_READS_FILE = expression(r"\b(?:cat|head|more|less)\b.*/var/lib/calico/nodename|nodename\b")
_NAME = expression(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_HOST_NETWORK = ("calico-node", "kube-proxy")
# A prompt with one of these says nothing about which machine it is.
_NAMELESS = expression(r"localhost(?:\..*)?|ubuntu|debian|template")


def node_names_repeat(picture: Picture) -> Iterator[Sighting]:
    """The file with the node's name was read on several machines and says the same."""
    read: dict[str, list[Sighting]] = defaultdict(list)
    for seen in _files_read(picture):
        read[seen.values["name"]].append(seen)
    for sightings in read.values():
        hosts = [seen.node for seen in sightings]
        distinct = len({host for host in hosts if host and not _NAMELESS.fullmatch(host)})
        nameless = sum(1 for host in hosts if not host or _NAMELESS.fullmatch(host))
        if distinct + nameless > 1:
            yield sightings[-1]


def nodename_of_another(picture: Picture) -> Iterator[Sighting]:
    """The file with the node's name holds the name of another machine."""
    known = {name.lower() for name in picture.names.nodes}
    known |= {artifact.host.lower() for artifact in picture.artifacts if artifact.host}
    for seen in _files_read(picture):
        here, name = (seen.node or "").lower(), seen.values["name"]
        if here and not _NAMELESS.fullmatch(here) and name in known and name.split(".")[0] != here.split(".")[0]:
            yield seen


def nodename_unknown(picture: Picture) -> Iterator[Sighting]:
    """The file with the node's name holds a name that no node of the cluster has."""
    nodes = {node.name.lower() for node in picture.all(Node)}
    for seen in _files_read(picture):
        node, name = picture.names.node(seen.node), seen.values["name"]
        if node and node.lower() in nodes and name not in nodes:
            yield replace(seen, node=node, values={"name": name, "node": node})


def tunnel_address_shared(picture: Picture) -> Iterator[Sighting]:
    """Two machines have the same address on their tunnel."""
    owners: dict[tuple[str, str], Interface] = {}
    for device in picture.all(Interface):
        for address in device.addresses if device.name in TUNNELS else ():
            first = owners.setdefault((device.name, address), device)
            if first.host and device.host and first.host != device.host:
                values = {"address": address, "device": device.name}
                yield Sighting(line=device.at, node=picture.names.node(device.host) or device.host, values=values)


def node_address_flips(picture: Picture) -> Iterator[Sighting]:
    """A node, or its pods in the host's network, is seen with two addresses: two machines answer to one name."""
    first: dict[str, str] = {}
    seen = [(node.name, node.internal_ip, node.at) for node in picture.all(Node)]
    seen += [(pod.node or "", pod.ip, pod.at) for role in _HOST_NETWORK for pod in picture.pods(role)]
    for name, address, line in seen:
        if name and address and first.setdefault(name, address) != address:
            yield Sighting(line=line, node=name, values={"name": name, "first": first[name], "second": address})


def two_names_one_address(picture: Picture) -> Iterator[Sighting]:
    """A node that is gone and a younger one have the same address: the machine was renamed."""
    by_address: dict[str, list[Node]] = defaultdict(list)
    for node in {node.name: node for node in picture.all(Node)}.values():
        by_address[node.internal_ip or ""].append(node)
    for address, sharing in by_address.items():
        youngest = min(sharing, key=lambda node: node.age or 0)
        gone = [node for node in sharing if node.ready is False and (node.age or 0) > (youngest.age or 0)]
        if address and gone:
            values = {"old": gone[0].name, "new": youngest.name, "address": address}
            yield Sighting(line=youngest.at, node=youngest.name, values=values)


def fewer_records(picture: Picture) -> Iterator[Sighting]:
    """calicoctl lists fewer nodes than machines that run calico-node."""
    records = [fact for fact in picture.all(NodeAddress) if fact.source == "resource" and fact.node]
    known = {fact.node for fact in records}
    own = own_addresses(picture)
    held = {own[node] for node in known if node in own}
    running = {pod.node for pod in picture.pods("calico-node") if pod.node}
    # A machine with the address of a recorded node gets no record of its own: that is one address twice.
    machines = {node for node in running if node in known or own.get(node) not in held}
    if len(known) > 1 and len(known) < len(machines):
        values = {"known": str(len(known)), "machines": str(len(machines))}
        yield Sighting(line=records[-1].at, values=values)


def _files_read(picture: Picture) -> Iterator[Sighting]:
    """Each time that the file with the node's name was printed, with the machine as its prompt names it."""
    for artifact in picture.artifacts:
        if artifact.prose or not _READS_FILE.search(artifact.command or ""):
            continue
        for index, text in enumerate(artifact.lines[1:], start=1):
            if _NAME.fullmatch(text.strip()):
                values = {"name": text.strip()}
                yield Sighting(line=artifact.at(index), node=artifact.host, order=artifact.order, values=values)
                break


SIGNS = {
    "node-names-repeat": node_names_repeat,
    "nodename-of-another": nodename_of_another,
    "nodename-unknown": nodename_unknown,
    "tunnel-address-shared": tunnel_address_shared,
    "node-address-flips": node_address_flips,
    "two-names-one-address": two_names_one_address,
    "fewer-calico-nodes-than-machines": fewer_records,
}
