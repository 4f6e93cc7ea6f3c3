"""The commands that shell text would run."""

from __future__ import annotations

import pytest

from tests.advice.shell import fill_gaps, find_dead_lookup, list_commands


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("kubectl get pods -A", ["kubectl get pods -A"]),
        ("a b; c d && e | f 2>/dev/null > /tmp/x", ["a b", "c d", "e", "f"]),
        ("ssh n1 sudo swapoff -a", ["swapoff -a"]),
        ("ssh n1 \"sudo sh -c 'for m in a b; do modprobe \\$m; done; date'\"", ["modprobe $m", "date"]),
        ('for node in a b; do ssh "$node" sudo uptime; done', ["uptime"]),
        ("kubectl exec -n x p -c calico-node -- birdcl show", ["kubectl exec -n x p -c calico-node -- birdcl show", "birdcl show"]),
        ("kubectl delete pod $(kubectl get pod -o name)", ["kubectl delete pod substituted", "kubectl get pod -o name"]),
        ('x="$(kubectl get ns)"; echo "$x"', ["kubectl get ns", "echo $x"]),
        ("calicoctl create -f - <<'EOF'\nkind: IPPool\nEOF\ncalicoctl get ippool", ["calicoctl create -f -", "calicoctl get ippool"]),
        ("timeout 3 bash -c '</dev/tcp/10.1.2.3/179' && echo open", ["echo open"]),
        ('kubectl patch x -p "{\\"a\\":${v:-null}}"', ['kubectl patch x -p {"a":substituted}']),
        ("IP=autodetect kubectl get ns # and more; rm -rf /", ["kubectl get ns"]),
        ("kubectl get x -o yaml > saved.yaml && kubectl edit x", ["kubectl get x -o yaml", "kubectl edit x"]),
    ],
)  # fmt: skip
def test_commands(text, commands):
    assert sorted(" ".join(words) for words in list_commands(text)) == sorted(commands)


def test_a_lookup_in_single_quotes_is_dead():
    assert find_dead_lookup('kubectl patch x -p \'{"a":"$(kubectl get ns)"}\'') != ""
    assert find_dead_lookup('kubectl patch x -p \'{"a":"\'"$(kubectl get ns)"\'"}\'') == ""
    assert find_dead_lookup("ssh n1 \"sudo sh -c 'nc $(kubectl get ns -o jsonpath='{.a}') 1'\"") == ""


def test_gaps():
    assert fill_gaps("kubectl delete node <removed-node> 2>&1 </dev/null") == "kubectl delete node gap 2>&1 </dev/null"
