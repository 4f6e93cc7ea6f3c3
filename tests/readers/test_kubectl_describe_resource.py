"""Described custom resources read like the objects that they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import Pool
from calivet.facts.kubernetes import Condition, Object
from calivet.readers.kubectl.kubectl_describe import RESOURCE_READER as READER
from tests.readers.host_reading import facts_of

STATUS = """
Name:         calico
Namespace:
Labels:       <none>
API Version:  operator.tigera.io/v1
Kind:         TigeraStatus
Metadata:
  Creation Timestamp:  2023-05-02T07:11:20Z
Status:
  Conditions:
    Last Transition Time:  2023-05-02T07:14:55Z
    Message:               All objects available
    Reason:                AllObjectsAvailable
    Status:                False
    Type:                  Available
    Last Transition Time:  2023-05-02T07:14:55Z
    Message:               Pod fruit/calico-node-x7k2p has crash looping container: install-cni
    Reason:                PodFailure
    Status:                True
    Type:                  Degraded
Events:                    <none>
"""


def test_each_condition_of_a_tigerastatus() -> None:
    facts = facts_of(READER, STATUS)
    available, degraded = [fact for fact in facts if isinstance(fact, Condition)]
    assert (available.kind, available.object, available.type, available.status) == (
        "tigerastatus",
        "calico",
        "Available",
        "False",
    )
    assert (degraded.status, degraded.reason) == ("True", "PodFailure")
    assert degraded.message == "Pod fruit/calico-node-x7k2p has crash looping container: install-cni"
    assert "crash looping" in degraded.at.text


def test_fields_have_their_own_names() -> None:
    (found,) = [fact for fact in facts_of(READER, STATUS) if isinstance(fact, Object)]
    assert (found.kind, found.name, found.api) == ("TigeraStatus", "calico", "operator.tigera.io/v1")
    assert found.values["status.conditions[1].reason"] == "PodFailure"
    assert found.lines["status.conditions[1].reason"] == 17


def test_a_single_item_of_a_list() -> None:
    (found,) = facts_of(
        READER,
        """
        Name:         default
        API Version:  operator.tigera.io/v1
        Kind:         Installation
        Spec:
          Calico Network:
            Bgp:  Disabled
            Ip Pools:
              Block Size:     26
              Cidr:           10.44.0.0/16
              Allowed Uses:
                Workload
                Tunnel
          Cni:
            Type:  Calico
        """,
    )
    assert found.values["spec.calicoNetwork.bgp"] == "Disabled"
    assert found.values["spec.calicoNetwork.ipPools[0].blockSize"] == 26
    assert found.values["spec.calicoNetwork.ipPools[0].allowedUses[1]"] == "Tunnel"
    assert found.values["spec.cni.type"] == "Calico"


def test_an_ip_pool() -> None:
    facts = facts_of(
        READER,
        """
        Name:         default-ipv4-ippool
        API Version:  crd.projectcalico.org/v1
        Kind:         IPPool
        Spec:
          Block Size:     26
          Cidr:           10.244.0.0/16
          Ipip Mode:      Always
          Nat Outgoing:   true
          Node Selector:  all()
        """,
    )
    (pool,) = [fact for fact in facts if isinstance(fact, Pool)]
    assert (pool.name, pool.cidr, pool.ipip) == ("default-ipv4-ippool", "10.244.0.0/16", "Always")


@given(st.lists(st.sampled_from(STATUS.splitlines()), max_size=30))
def test_pages_torn_to_pieces_are_survived(lines: list[str]) -> None:
    anchors = [index for index, line in enumerate(lines) if READER.anchor.search(line)]
    READER.read(Artifact("x", 1, lines), anchors)
