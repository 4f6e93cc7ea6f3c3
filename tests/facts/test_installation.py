"""What the parts of an installation are called, from what operators show of it."""

from __future__ import annotations

import pytest

from calivet.facts.installation import Units, find_installation, find_units
from tests.facts.drawing import picture_of, pods, table

ROOT = "[root@bastion ~]# "
CALICO = "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1"
CANAL = "rke2-canal-7gnx2 2/2 Running 0 9d 10.71.0.11 birch-1"
STORE = """{root}kubectl get clusterinformations default -o yaml
apiVersion: {api}
kind: ClusterInformation
metadata:
  name: default
spec:
  datastoreReady: {ready}
"""
MIGRATED = STORE.format(root=ROOT, api="projectcalico.org/v3", ready="true") + STORE.format(
    root=ROOT, api="crd.projectcalico.org/v1", ready="false"
)


def test_the_usual_names():
    found = find_installation(picture_of(pods(CALICO)))
    assert (found.namespace, found.daemonset, found.selector) == ("kube-system", "calico-node", "k8s-app=calico-node")
    assert (found.api_group, found.kubectl, found.control_plane) == ("crd.projectcalico.org", "kubectl", None)


def test_canal_has_names_of_its_own():
    found = find_installation(picture_of(pods(CANAL)))
    assert (found.daemonset, found.selector) == ("rke2-canal", "k8s-app=canal")


def test_after_a_migration_the_resources_are_in_the_new_group():
    assert find_installation(picture_of(MIGRATED)).api_group == "projectcalico.org"


@pytest.mark.parametrize(
    ("typed", "program"),
    [
        ("kubectl get pods -A", "kubectl"),
        ("microk8s kubectl get pods -A", "microk8s kubectl"),
        ("sudo k3s kubectl get pods -A", "k3s kubectl"),
        ("oc get pods -A", "oc"),
    ],
)
def test_kubectl_as_it_was_typed(typed, program):
    text = f"{ROOT}{typed}\nNAMESPACE NAME READY STATUS RESTARTS AGE\nkube-system calico-node-2bs6x 1/1 Running 0 9d\n"
    assert find_installation(picture_of(text)).kubectl == program


HEADER = "NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME"


def machines(*rows, version="v1.30.6", system="Rocky~Linux~8.6", runtime="containerd://1.6.8"):
    """`kubectl get nodes -o wide` with rows of name and roles."""
    full = [
        f"{row.split()[0]} Ready {row.split()[1]} 90d {version} 10.71.0.9 <none> {system} 5.14 {runtime}"
        for row in rows
    ]
    return picture_of(f"{ROOT}kubectl get nodes -o wide\n{table(HEADER, *full)}")


class TestUnits:
    def test_usually_kubelet_and_containerd(self):
        assert find_units(picture_of(""), "birch-1") == Units("kubelet", "containerd")

    def test_the_runtime_that_the_node_names(self):
        assert find_units(machines("birch-1 <none>", runtime="docker://20.10.7"), "birch-1").runtime == "docker"
        assert find_units(machines("birch-1 <none>", runtime="cri-o://1.29.1"), "birch-1").runtime == "crio"

    def test_one_service_runs_both_on_rke2(self):
        first, other = "rke2-server", "rke2-agent"
        picture = machines("birch-1 control-plane,etcd,master", "birch-2 <none>", version="v1.30.6+rke2r1")
        assert find_units(picture, "birch-1") == Units(first, first)
        assert find_units(picture, "birch-2") == Units(other, other)
        assert find_installation(picture).control_plane == "birch-1"

    @pytest.mark.parametrize(
        ("shown", "unit"),
        [
            ("journalctl -u rke2-server", "rke2-server"),
            ("journalctl -u rke2-agent", "rke2-agent"),
            ("systemctl status rke2-server", "rke2-server"),
        ],
    )
    def test_a_server_is_told_by_its_service_where_no_role_is_known(self, shown, unit):
        active = "   Active: active (running) since Mon 2026-05-04 10:11:12 UTC; 2h ago"
        text = f"[root@birch-1 ~]# ls /var/lib/rancher/rke2/agent\n/var/lib/rancher/rke2/agent/etc\n[root@birch-1 ~]# {shown}\n● {unit}.service - Rancher\n{active}\n"
        assert find_units(picture_of(text), "birch-1") == Units(unit, unit)

    def test_talos_has_none(self):
        assert find_units(machines("birch-1 <none>", system="Talos~(v1.7.4)"), "birch-1") == Units(None, None)
