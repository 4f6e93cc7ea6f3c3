"""What a call of kubectl would change, told from its words."""

from __future__ import annotations

import json

import pytest

from calivet.fix.broker import split_ssh
from calivet.fix.kubectl import Call, KubectlError, find_verb, find_wanted, is_reading
from calivet.fix.objects import Discovery, apply_patch, build_patch, find_conflicts, list_differences
from tests.fix.drawn import draw_api


@pytest.mark.parametrize(
    ("call", "verb", "reads"),
    [
        ("get nodes -o wide", "get", True),
        ("-n kube-system get pods -l k8s-app=calico-node", "get", True),
        ("patch daemonset x -n y --type merge -p {}", "patch", False),
        ("-n y rollout restart daemonset x", "rollout restart", False),
        ("rollout status -n y ds/x", "rollout status", False),
        ("set env ds/x A=b", "set env", False),
        ("create configmap x --dry-run=client -o yaml", "create", True),
        ("create configmap x", "create", False),
        ("delete pod x", "delete", False),
        ("exec -n y x -c calico-node -- birdcl show protocols", "exec", True),
        ("certificate approve csr-1", "certificate approve", False),
        ("", "", False),
    ],
)
def test_whether_it_reads(call, verb, reads):
    assert (find_verb(call.split()), is_reading(call.split())) == (verb, reads)


@pytest.mark.parametrize(
    "call", ["edit ds x", "replace -f x", "taint nodes x a=b:NoSchedule", "certificate approve x", "cp a b", ""]
)
def test_what_is_not_known_is_refused(call, tmp_path):
    def kubectl(_arguments, _given):
        raise AssertionError("it must not even be asked")

    with pytest.raises(KubectlError, match="does not know"):
        find_wanted(call.split(), b"", kubectl, Discovery(draw_api(tmp_path)))


def test_a_drain_leaves_what_is_bound_to_the_node(tmp_path):
    def pod(name, **head):
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "a", **head}, "status": {}}

    pods = [
        pod("app"),
        pod("agent", ownerReferences=[{"kind": "DaemonSet"}]),
        pod("static", annotations={"kubernetes.io/config.mirror": "x"}),
        {**pod("done"), "status": {"phase": "Succeeded"}},
    ]

    def kubectl(arguments, _given):
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {}}
        tree = {"kind": "List", "items": pods} if "pods" in arguments else node
        return Call(0, json.dumps(tree).encode(), "")

    found = find_wanted("drain n --ignore-daemonsets".split(), b"", kubectl, Discovery(draw_api(tmp_path)))
    assert [(one.verb, one.ref.name) for one in found] == [("write", "n"), ("evict", "app")]
    assert found[0].after is not None
    assert found[0].after["spec"] == {"unschedulable": True}


@pytest.mark.parametrize(
    ("words", "node", "script"),
    [
        (["n1", "sudo", "ls", "/x"], "n1", "sudo ls /x"),
        (["-o", "ConnectTimeout=5", "n1", "uptime"], "n1", "uptime"),
        (["n1", "sudo sh -c 'a; b'"], "n1", "sudo sh -c 'a; b'"),
    ],
)
def test_whom_ssh_is_told_to_log_in_to(words, node, script):
    assert split_ssh(words) == (node, script)


def test_a_patch_makes_one_of_the_other_and_back():
    before = {"a": 1, "b": {"c": [1], "d": "x"}, "e": {"f": 1}}
    after = {"a": 1, "b": {"c": [1, 2], "d": "x"}, "g": {"h": {}}}
    assert apply_patch(before, build_patch(before, after)) == after
    assert apply_patch(after, build_patch(after, before)) == before
    assert build_patch(before, before) == {}


def test_only_fields_that_somebody_else_has_changed_are_conflicts():
    after, before = {"a": 1, "b": {"c": 2}, "n": 5}, {"a": 0, "b": {"c": 0}}
    patch = build_patch(after, before)
    assert list(find_conflicts(patch, after, {"a": 1, "b": {"c": 2}, "n": 5, "new": 9})) == []
    assert list(find_conflicts(patch, after, {"a": 7, "b": {"c": 8}, "n": 5})) == ["a", "b.c"]
    assert list(find_conflicts(patch, after, before)) == []


def test_differences_are_named_by_their_place():
    before = {"spec": {"containers": [{"name": "calico-node", "env": []}]}}
    after = {"spec": {"containers": [{"name": "calico-node", "env": [{"name": "IP", "value": "x"}]}]}}
    lines = list_differences(before, after)
    assert '+ spec.containers[calico-node].env[IP].value: "x"' in lines
