"""Tests of the signs in addresses that calico-node was given."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.facts.calico import NodeAddress
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact, Variable
from calivet.facts.kubernetes import Pod
from calivet.signs.identity.node_addresses import SIGNS

AT = Line("manifest.txt", 3, "a line")


def pod(name: str, node: str, ip: str) -> Pod:
    return Pod(at=Line("pods.txt", 1, name), name=f"calico-node-{name}", node=node, ip=ip, status="Running")


PODS = [pod("x2x2x", "w1", "10.7.8.1"), pod("y3y3y", "w2", "10.7.8.2")]


def variable(name: str, value: str, host: str | None = None) -> Variable:
    return Variable(at=AT, name=name, value=value, host=host)


def values(sign: str, *facts: Fact) -> list[dict[str, str]]:
    return [sighting.values for sighting in SIGNS[sign](ClusterFacts([], facts))]


def test_the_address_of_another_node() -> None:
    given = NodeAddress(at=AT, node="w2", address="10.7.8.1", source="environment")
    assert values("given-address-of-another", *PODS, given) == [{"address": "10.7.8.1", "owner": "w1"}]
    own = NodeAddress(at=AT, node="w1", address="10.7.8.1/24", source="environment")
    found = NodeAddress(at=AT, node="w2", address="10.7.8.1/24", source="autodetected")
    assert values("given-address-of-another", *PODS, own, found) == []


def test_one_address_in_the_shared_environment() -> None:
    sign = "one-address-for-all-nodes"
    backend = variable("CALICO_NETWORKING_BACKEND", "bird")
    assert values(sign, *PODS, backend, variable("IP", "10.7.8.1")) == [{"address": "10.7.8.1"}]
    assert values(sign, *PODS, backend, variable("IP", "autodetect")) == []
    assert values(sign, *PODS, backend, variable("IP", "(v1:status.hostIP)")) == []
    assert values(sign, PODS[0], backend, variable("IP", "10.7.8.1")) == []


def test_variables_of_a_shell_or_of_one_host() -> None:
    sign = "one-address-for-all-nodes"
    assert values(sign, *PODS, variable("IP", "10.7.8.1")) == []
    assert values(sign, *PODS, variable("CALICO_X", "1", "w1"), variable("IP", "10.7.8.1", "w1")) == []
