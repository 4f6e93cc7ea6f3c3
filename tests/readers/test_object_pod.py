"""A pod in YAML and JSON, in every writing, whole and torn."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Variable, Version
from calivet.facts.kubernetes import Container, Object, Pod, Probe
from calivet.readers.objects.kubernetes_object import READER
from tests.readers.host_reading import facts_of

POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {
        "name": "calico-node-x7k2p",
        "namespace": "kube-system",
        "labels": {"k8s-app": "calico-node"},
        "ownerReferences": [{"kind": "DaemonSet", "name": "calico-node"}],
        "managedFields": [{"manager": "kubelet", "fieldsV1": {"f:status": {'k:{"type":"Ready"}': {}}}}],
    },
    "spec": {
        "nodeName": "fig-2",
        "initContainers": [{"name": "install-cni", "image": "calico/cni:v3.20.0"}, {"name": "mount-bpffs"}],
        "containers": [
            {
                "name": "calico-node",
                "image": "calico/node:v3.20.0",
                "env": [
                    {"name": "IP", "value": "autodetect"},
                    {"name": "NODENAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                    {"name": "MTU", "valueFrom": {"configMapKeyRef": {"key": "veth_mtu", "name": "calico-config"}}},
                ],
                "livenessProbe": {
                    "exec": {"command": ["/bin/calico-node", "-felix-live"]},
                    "initialDelaySeconds": 10,
                    "timeoutSeconds": 1,
                    "periodSeconds": 10,
                    "failureThreshold": 6,
                },
                "resources": {"limits": {"memory": "64Mi"}},
            }
        ],
    },
    "status": {
        "phase": "Running",
        "podIP": "10.9.0.12",
        "startTime": "2021-08-16T11:42:03Z",
        "conditions": [{"type": "Ready", "status": "False"}],
        "initContainerStatuses": [
            {"name": "install-cni", "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}},
            {"name": "mount-bpffs", "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}},
        ],
        "containerStatuses": [
            {
                "name": "calico-node",
                "ready": False,
                "restartCount": 144,
                "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}},
                "lastState": {
                    "terminated": {
                        "exitCode": 137,
                        "reason": "OOMKilled",
                        "startedAt": "2021-08-23T08:01:19Z",
                        "finishedAt": "2021-08-23T08:02:31Z",
                    }
                },
            }
        ],
    },
}
WRITTEN = {
    "yaml": yaml.safe_dump(POD, default_flow_style=False),
    "json": json.dumps(POD, indent=4),
    "json in one line": json.dumps(POD),
    "yaml list": yaml.safe_dump({"apiVersion": "v1", "items": [POD], "kind": "List"}, default_flow_style=False),
    "json list": json.dumps({"kind": "PodList", "items": [{key: POD[key] for key in ("metadata", "spec", "status")}]}),
    "shifted": "\n".join("    " + line for line in yaml.safe_dump(POD, default_flow_style=False).splitlines()),
}


def only(facts: list, kind: type) -> list:
    return [fact for fact in facts if isinstance(fact, kind)]


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_a_pod_in_every_writing(text: str) -> None:
    facts = facts_of(READER, text)
    (pod,) = only(facts, Pod)
    assert (pod.name, pod.namespace, pod.node, pod.host) == ("calico-node-x7k2p", "kube-system", "fig-2", "fig-2")
    assert (pod.status, pod.ready, pod.containers, pod.restarts) == ("CrashLoopBackOff", 0, 1, 144)
    assert (pod.owner, pod.conditions, pod.ip) == ("DaemonSet/calico-node", {"Ready": "False"}, "10.9.0.12")
    assert pod.started == datetime(2021, 8, 16, 11, 42, 3, tzinfo=UTC)
    *starting, main = only(facts, Container)
    assert [(each.name, each.init, each.exit_code) for each in starting] == [
        ("install-cni", True, 0),
        ("mount-bpffs", True, 0),
    ]
    assert (main.state, main.reason, main.message) == ("waiting", "CrashLoopBackOff", "back-off 5m0s")
    assert (main.last_exit_code, main.last_reason, main.memory_limit) == (137, "OOMKilled", "64Mi")
    (probe,) = only(facts, Probe)
    assert (probe.kind, probe.action, probe.target) == ("liveness", "exec", "/bin/calico-node -felix-live")
    assert (probe.delay, probe.timeout, probe.period, probe.failures) == (10.0, 1.0, 10.0, 6)
    assert (probe.pod, probe.container) == ("calico-node-x7k2p", "calico-node")
    assert {each.name: each.value for each in only(facts, Variable)} == {
        "IP": "autodetect",
        "NODENAME": "(v1:spec.nodeName)",
        "MTU": "<set to the key 'veth_mtu' of config map 'calico-config'>",
    }
    assert {each.program for each in only(facts, Version)} == {"calico-cni", "calico-node"}
    (found,) = only(facts, Object)
    assert found.values["spec.containers[0].env[0].value"] == "autodetect"
    assert not any("managedFields" in path for path in found.values)


def test_paths_know_their_lines() -> None:
    text = WRITTEN["yaml"]
    (found,) = only(facts_of(READER, text), Object)
    number = text.splitlines().index("  nodeName: fig-2") + 1
    assert found.lines["spec.nodeName"] == number


def test_the_line_of_a_container_says_how_it_ended() -> None:
    container = only(facts_of(READER, WRITTEN["yaml"]), Container)[-1]
    assert container.at.text == "exitCode: 137"


@pytest.mark.parametrize(
    ("states", "word"),
    [
        ([{"running": {}}, {"waiting": {"reason": "PodInitializing"}}], "Init:0/2"),
        ([{"terminated": {"exitCode": 0}}, {"waiting": {"reason": "CrashLoopBackOff"}}], "Init:CrashLoopBackOff"),
        ([{"terminated": {"exitCode": 0}}, {"terminated": {"exitCode": 1, "reason": "Error"}}], "Init:Error"),
    ],
)
def test_the_status_word_of_a_pod_in_init(states: list[dict[str, Any]], word: str) -> None:
    names = ("install-cni", "mount-bpffs")
    starting = [{"name": name, "state": state} for name, state in zip(names, states, strict=True)]
    status = {"phase": "Pending", "initContainerStatuses": starting}
    (pod,) = only(facts_of(READER, json.dumps({**POD, "status": status})), Pod)
    assert pod.status == word


def test_a_daemonset_gives_its_templates_probes_but_no_pod() -> None:
    daemonset = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "calico-node"},
        "spec": {"template": {"spec": POD["spec"]}},
        "status": {"conditions": []},
    }
    facts = facts_of(READER, yaml.safe_dump(daemonset))
    assert only(facts, Pod) == []
    (probe,) = only(facts, Probe)
    assert (probe.pod, probe.container) == (None, "calico-node")
    assert {each.owner for each in only(facts, Variable)} == {"calico-node"}


def test_cut_json_keeps_its_good_part() -> None:
    text = "\n".join(WRITTEN["json"].splitlines()[:30])
    (found,) = only(facts_of(READER, text), Object)
    assert found.values["metadata.name"] == "calico-node-x7k2p"


@given(st.lists(st.sampled_from((WRITTEN["yaml"] + WRITTEN["json"]).splitlines()), max_size=40))
def test_objects_torn_to_pieces_are_survived(lines: list[str]) -> None:
    anchors = [index for index, line in enumerate(lines) if READER.anchor.search(line)]
    READER.read(Artifact("x", 1, lines), anchors)


def test_what_was_not_printed_is_not_made_up() -> None:
    status = {"phase": "Running", "containerStatuses": [{"name": "calico-node"}]}
    partial = {"kind": "Pod", "metadata": {"name": "calico-node-x7k2p"}, "status": status}
    (pod,) = [fact for fact in facts_of(READER, yaml.safe_dump(partial)) if isinstance(fact, Pod)]
    assert (pod.status, pod.ready, pod.restarts) == ("Running", None, None)
