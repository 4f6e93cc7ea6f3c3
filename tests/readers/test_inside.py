from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.readers.command import Inside, Machines, look_inside


def of(command: str | None, name: str = "notes.md") -> Inside:
    return look_inside(Artifact(name=name, first=1, lines=[f"$ {command}"], host="bastion", command=command))


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "kubectl -n shop exec web-0 -- curl -s http://10.9.0.1",
            Inside("curl -s http://10.9.0.1", "web-0", apart=True),
        ),
        ("kubectl exec -it web-0 -n shop -c app -- ip a", Inside("ip a", "web-0", "app", apart=True)),
        ("kubectl exec web-0 ping 10.9.0.1", Inside("ping 10.9.0.1", "web-0", apart=True)),
        ("k exec deploy/web -- sh -c 'nc -vz db 5432'", Inside("nc -vz db 5432'", apart=True)),
        ("kubectl logs calico-node-9zxvk -c install-cni | tail", Inside("", "calico-node-9zxvk", "install-cni")),
        ("sudo calicoctl node status", Inside("calicoctl node status")),
        ("time timeout 5 curl -k https://10.9.0.1", Inside("curl -k https://10.9.0.1")),
        ("DATASTORE_TYPE=kubernetes calicoctl get nodes", Inside("calicoctl get nodes")),
        ("ip netns exec blue ip route", Inside("ip route", apart=True)),
        ("nsenter -t 4711 -n ip a", Inside("ip a", apart=True)),
        ("docker exec -it web ip a", Inside("ip a", apart=True)),
        ("docker exec calico-node ip a", Inside("ip a")),
        (None, Inside()),
    ],
)
def test_what_ran_where(command: str | None, expected: Inside):
    assert of(command) == expected


def test_a_file_named_after_a_pod():
    assert of(None, "nodes/fig-1/calico-node-9zxvk.log").pod == "calico-node-9zxvk"


def test_the_network_of_a_container_is_not_the_host_s():
    lines = ["$ x", "1: lo"]
    apart = Artifact(name="n", first=1, lines=lines, host="fig-1", command="nsenter -t 1 -n ip a")
    here = Artifact(name="n", first=1, lines=lines, host="fig-1", command="ip a")
    assert (Machines(apart, network=True).at(1), Machines(here, network=True).at(1)) == (None, "fig-1")
