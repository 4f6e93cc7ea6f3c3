"""Output that a jsonpath template shaped."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import NodeAddress
from calivet.facts.kubernetes import Condition, Node, Object
from calivet.readers.kubectl.chosen_columns import JSONPATH_READER as READER
from tests.readers.host_reading import facts_of


def test_range_over_nodes() -> None:
    command = (
        'kubectl get nodes -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\t"}'
        '{.metadata.annotations.projectcalico\\.org/IPv4Address}{"\\n"}{end}\''
    )
    facts = facts_of(READER, "fig-1\t10.9.0.11/24\nfig-2\t", command)
    assert [node.name for node in facts if isinstance(node, Node)] == ["fig-1", "fig-2"]
    assert [(one.node, one.address) for one in facts if isinstance(one, NodeAddress)] == [("fig-1", "10.9.0.11/24")]


def test_range_that_begins_with_a_new_line() -> None:
    command = 'kubectl get nodes -o=jsonpath=\'{range .items[*]}{"\\n"}{.metadata.name}{": "}{.spec.podCIDR}{end}\''
    artifact_lines = "\n\nfig-1: 10.50.1.0/24\nfig-2: 10.50.2.0/24"
    facts = facts_of(READER, artifact_lines, command)
    assert [(one.name, one.pod_cidr) for one in facts if isinstance(one, Node)] == [
        ("fig-1", "10.50.1.0/24"),
        ("fig-2", "10.50.2.0/24"),
    ]


def test_one_object_with_several_values() -> None:
    command = r"kubectl get node fig-1 -o jsonpath='{.status.addresses[0].address} {.spec.podCIDR}{" + '"\\n"' + "}'"
    (node,) = [one for one in facts_of(READER, "10.9.0.11 10.50.1.0/24", command) if isinstance(one, Node)]
    assert (node.name, node.internal_ip, node.pod_cidr) == ("fig-1", "10.9.0.11", "10.50.1.0/24")


def test_each_line_its_path() -> None:
    command = 'kubectl get node fig-1 -o jsonpath=\'{.status.allocatable}{"\\n"}{.spec.taints}{"\\n"}\''
    output = '{"cpu":"1","pods":"110"}\n[{"effect":"NoSchedule","key":"pool","value":"gpu"}]'
    facts = facts_of(READER, output, command)
    (node,) = [one for one in facts if isinstance(one, Node)]
    (thing,) = [one for one in facts if isinstance(one, Object)]
    assert node.taints == ("pool=gpu:NoSchedule",)
    assert str(thing.values["status.allocatable.cpu"]) == "1"


def test_single_value_of_a_resource() -> None:
    command = "kubectl get felixconfiguration default -o jsonpath='{.spec.bpfEnabled}'; echo"
    (thing,) = [one for one in facts_of(READER, "true", command) if isinstance(one, Object)]
    assert (thing.kind, thing.name, thing.values["spec.bpfEnabled"]) == ("FelixConfiguration", "default", True)


def test_range_over_conditions() -> None:
    command = (
        "kubectl get tigerastatus calico -o "
        "jsonpath='{range .status.conditions[*]}{.type}={.status} {.message}{\"\\n\"}{end}'"
    )
    facts = facts_of(READER, "Degraded=True no pools left\nAvailable=False waiting", command)
    told = [(one.type, one.status, one.message) for one in facts if isinstance(one, Condition)]
    assert told == [("Degraded", "True", "no pools left"), ("Available", "False", "waiting")]


def test_what_went_through_another_program_is_left_alone() -> None:
    command = "kubectl get secret x -o jsonpath='{.data.pw}' | base64 -d"
    assert facts_of(READER, "hunter2", command) == []
    assert facts_of(READER, "a b c", "kubectl get po -o jsonpath='{.items[*].metadata.name}'") == []
    assert facts_of(READER, "calico/node:v3.1.3 calico/cni:v3.1.3", "kubectl get ds x -o jsonpath='{..image}'") == []


def test_secrets_keep_theirs() -> None:
    facts = facts_of(READER, "aHVudGVyMg==", "kubectl get secret x -o jsonpath='{.data.pw}'")
    assert "aHVudGVyMg==" not in str([one.values for one in facts if isinstance(one, Object)])


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=4))
def test_any_text(template: str, output: list[str]) -> None:
    command = f"kubectl get nodes -o jsonpath='{template}'"
    READER.read(Artifact("x", 1, [command, *output], command=command), [0])
