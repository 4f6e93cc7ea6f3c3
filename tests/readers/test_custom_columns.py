"""Tables whose columns the operator chose."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import NodeAddress, Pool
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Event, Node, Object, Pod, Row
from calivet.readers.kubectl.chosen_columns import CUSTOM_COLUMNS_READER as READER
from tests.readers.host_reading import facts_of

ADDRESSES = (
    "kubectl get nodes -o custom-columns='NAME:.metadata.name,"
    'INTERNAL:.status.addresses[?(@.type=="InternalIP")].address,'
    "CALICO:.metadata.annotations.projectcalico\\.org/IPv4Address'"
)


def test_internal_and_calico_addresses() -> None:
    table = "NAME    INTERNAL    CALICO\nfig-1   10.9.0.11   10.9.0.11/24\nfig-2   10.9.0.12   172.30.0.12/16"
    facts = facts_of(READER, table, ADDRESSES)
    assert [(node.name, node.internal_ip) for node in facts if isinstance(node, Node)] == [
        ("fig-1", "10.9.0.11"),
        ("fig-2", "10.9.0.12"),
    ]
    assert [(one.node, one.address, one.source) for one in facts if isinstance(one, NodeAddress)] == [
        ("fig-1", "10.9.0.11/24", "annotation"),
        ("fig-2", "172.30.0.12/16", "annotation"),
    ]
    assert [row.cells["CALICO"] for row in facts if isinstance(row, Row)] == ["10.9.0.11/24", "172.30.0.12/16"]


def test_short_headers_double_quotes_and_oc() -> None:
    command = (
        r'oc get node -o=custom-columns="N:.metadata.name,IP:.metadata.annotations.projectcalico\.org/IPv4Address"'
    )
    facts = facts_of(READER, "N       IP\nfig-1   10.9.0.11/24\nfig-2   <none>", command)
    assert [(one.node, one.address) for one in facts if isinstance(one, NodeAddress)] == [("fig-1", "10.9.0.11/24")]


def test_header_cut_off_by_a_filter() -> None:
    command = "kubectl get blockaffinities -o custom-columns=NODE:.spec.node,CIDR:.spec.cidr --no-headers | sort"
    facts = facts_of(READER, "fig-1   10.50.64.0/26\nfig-2   10.50.64.64/26", command)
    things = [thing for thing in facts if isinstance(thing, Object)]
    assert {thing.kind for thing in things} == {"BlockAffinity"}
    assert [thing.values["spec.cidr"] for thing in things] == ["10.50.64.0/26", "10.50.64.64/26"]


def test_pools_and_pods() -> None:
    command = (
        "kubectl get ippools -o custom-columns=N:.metadata.name,C:.spec.cidr,OFF:.spec.disabled,S:.spec.nodeSelector"
    )
    facts = facts_of(READER, "N     C             OFF    S\nmain  10.50.0.0/16  true   all()", command)
    (pool,) = [one for one in facts if isinstance(one, Pool)]
    assert (pool.name, pool.cidr, pool.disabled, pool.selector) == ("main", "10.50.0.0/16", True, "all()")
    command = (
        "kubectl get pods -n calico-system -o custom-columns=NAME:.metadata.name,"
        "READY:.status.containerStatuses[0].ready,IMAGE:.spec.containers[0].image"
    )
    table = (
        "NAME                READY   IMAGE\n"
        "calico-node-b7x2k   true    docker.io/calico/node:v3.25.1\n"
        "calico-node-wq5zt   false   docker.io/calico/node:v3.25.1"
    )
    facts = facts_of(READER, table, command)
    pods = [pod for pod in facts if isinstance(pod, Pod)]
    assert [(pod.name, pod.status, pod.ready, pod.restarts) for pod in pods] == [
        ("calico-node-b7x2k", "Running", 1, None)
    ]
    assert {one.version for one in facts if isinstance(one, Version)} == {"v3.25.1"}


def test_events_with_messages() -> None:
    command = "kubectl get events -o custom-columns=OBJ:.involvedObject.name,R:.reason,MSG:.message"
    facts = facts_of(
        READER, "OBJ           R              MSG\ncalico-node   FailedCreate   Error creating: denied", command
    )
    (event,) = [one for one in facts if isinstance(one, Event)]
    assert (event.object, event.reason, event.message) == ("calico-node", "FailedCreate", "Error creating: denied")


def test_not_a_table() -> None:
    assert (
        facts_of(READER, "error: custom-columns format specified but no custom columns given", "kubectl get no -o x")
        == []
    )
    assert (
        facts_of(READER, "No resources found", "kubectl get pods -o custom-columns=N:.metadata.name,I:.status.podIP")
        == []
    )


@given(st.lists(st.text(max_size=40), max_size=6))
def test_any_text(lines: list[str]) -> None:
    lines = [f"$ {ADDRESSES}", *lines]
    READER.read(Artifact("x", 1, lines, command=ADDRESSES), [0])
