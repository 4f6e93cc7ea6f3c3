"""Signs in addresses that calico-node was given, in place of finding one itself."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress
from calivet.facts.fact import Variable
from calivet.facts.picture import Picture
from calivet.signs.computed.records import bare, own_addresses
from calivet.signs.sighting import Sighting

_CALICO = ("CALICO_", "FELIX_", "CLUSTER_TYPE", "DATASTORE_TYPE")
_FIXED = expression(r"(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?")


def given_address_of_another(picture: Picture) -> Iterator[Sighting]:
    """calico-node was told to use an address that is another node's own."""
    owners = {address: node for node, address in own_addresses(picture).items()}
    for fact in picture.all(NodeAddress):
        node = picture.names.node(fact.node or fact.host)
        owner = owners.get(bare(fact.address))
        if fact.source == "environment" and node and owner and owner != node:
            yield Sighting(line=fact.at, node=node, values={"address": bare(fact.address), "owner": owner})


def one_address_for_all(picture: Picture) -> Iterator[Sighting]:
    """The environment that all calico-node pods share has one node's address in it."""
    variables = [variable for variable in picture.all(Variable) if variable.host is None]
    of_calico = {variable.at.artifact for variable in variables if variable.name.startswith(_CALICO)}
    shared = len(picture.latest_pods("calico-node")) > 1
    for variable in variables if shared else ():
        fixed = variable.name == "IP" and _FIXED.fullmatch(variable.value)
        if fixed and variable.at.artifact in of_calico:
            yield Sighting(line=variable.at, values={"address": variable.value})


SIGNS = {
    "given-address-of-another": given_address_of_another,
    "one-address-for-all-nodes": one_address_for_all,
}
