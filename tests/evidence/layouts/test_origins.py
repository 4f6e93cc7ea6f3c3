"""Which command a file of a known archive is the output of, told by its path."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.cutting.cut import cut_document
from calivet.evidence.gather import gather_documents
from calivet.evidence.layouts.origins import find_origin

KNOWN = {
    # calicoctl node diags
    "diags-20250311_102107.tar.gz/diagnostics/ipv4_tables": "iptables-save -c",
    "diagnostics/logs/cni/cni.log": "cat /var/log/calico/cni/cni.log",
    "diagnostics/logs/k8s_calico-node_calico-node-v7n4c_kube-system_0f1e_3.log": "docker logs k8s_calico-node_calico-node-v7n4c_kube-system_0f1e_3",
    # calicoctl cluster diags, old and new
    "calico-diagnostics/nodes/calico-node-v7n4c/calico-node-v7n4c.log": "kubectl logs calico-node-v7n4c",
    "calico-diagnostics/ipam/ipamblocks.yaml": "kubectl get ipamblocks -o yaml",
    "calico-diagnostics/tigerastatus.txt": "kubectl get tigerastatus -o wide",
    "calico-diagnostics/calico-system.txt": "kubectl get all -n calico-system -o wide",
    "d/nodes/elm/calico-system/calico-node-v7n4c.txt": "kubectl describe pod -n calico-system calico-node-v7n4c",
    "d/nodes/elm/ip-route-v6.txt": "ip -6 route show table all",
    "d/nodes/elm/cni.log.log": "cat /var/log/calico/cni/cni.log",
    "d/cluster/crd/ippools.crd.projectcalico.org.yaml": "kubectl get ippools.crd.projectcalico.org -A -o yaml",
    # kubectl cluster-info dump
    "state/kube-system/daemonsets.json": "kubectl get daemonsets -A -o json",
    # sosreport
    "sosreport-elm-2025-03-11-abc/sos_commands/networking/ip_-d_address": "ip -d address",
    "s/sos_commands/logs/journalctl_--no-pager_--unit_kubelet": "journalctl --no-pager --unit kubelet",
    "s/sos_commands/kubernetes/cluster-info/kubectl_--kubeconfig_.etc.kubernetes.admin.conf_get_--all-namespaces_true_pods": "kubectl get --all-namespaces=true pods",
    "s/sos_commands/kubernetes/cluster-info/kube-system/podlogs/calico-node-v7n4c/kubectl_--namespace_kube-system_logs_calico-node-v7n4c_-c_calico-node": "kubectl --namespace kube-system logs calico-node-v7n4c -c calico-node",
    "s/sos_commands/networking/namespaces/blue/ip_netns_exec_blue_ip_-d_address_show": "ip netns exec blue ip -d address show",
    "s/etc/containerd/config.toml": "cat /etc/containerd/config.toml",
    "s/var/log/pods/kube-system_calico-node-v7n4c_0f1e/calico-node/3.log": "cat /var/log/pods/kube-system_calico-node-v7n4c_0f1e/calico-node/3.log",
    # kind export logs, /var/log itself
    "worker-2/pods/kube-system_elm-x_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc/peel/0.log": "cat /var/log/pods/kube-system_elm-x_0f1e2d3c-aaaa-4bbb-8ccc-123456789abc/peel/0.log",
    f"containers/elm-x_kube-system_peel-{'0a' * 32}.log": f"cat /var/log/containers/elm-x_kube-system_peel-{'0a' * 32}.log",
    # must-gather
    "m/namespaces/calico-system/pods/calico-node-v7n4c/calico-node/calico-node/logs/previous.log": "kubectl logs -n calico-system calico-node-v7n4c -c calico-node --previous",
    "m/namespaces/calico-system/core/pods.yaml": "kubectl get pods -n calico-system -o yaml",
    "m/namespaces/calico-system/apps/daemonsets.yaml": "kubectl get daemonsets -n calico-system -o yaml",
    "m/cluster-scoped-resources/core/nodes/elm.grove.example.yaml": "kubectl get nodes elm.grove.example -o yaml",
    "m/host_service_logs/masters/kubelet_service.log": "journalctl -u kubelet",
    # troubleshoot.sh
    "b/cluster-resources/pods/logs/kube-system/calico-node-v7n4c/calico-node-previous.log": "kubectl logs -n kube-system calico-node-v7n4c -c calico-node --previous",
    "b/cluster-resources/nodes.json": "kubectl get nodes -o json",
    "b/cluster-resources/events/kube-system.json": "kubectl get events -n kube-system -o json",
    "b/cluster-resources/custom-resources/ippools.crd.projectcalico.org.yaml": "kubectl get ippools.crd.projectcalico.org -o yaml",
    "b/host-collectors/system/elm/sysctl.json": "support-bundle hostCollectors/sysctl",
    # Rancher
    "elm-2025-03-11_10_21_07/systeminfo/freem": "free -m",
    "networking/iptablessave": "iptables-save",
    "x/journald/rke2-server": "journalctl --unit=rke2-server",
    "x/rke2/kubectl/nodesdescribe": "kubectl describe nodes",
    "x/rke2/podlogs/calico-system-calico-node-v7n4c-previous": "kubectl logs -n calico-system calico-node-v7n4c --all-containers --previous",
    "x/k3s/podlogs/cattle-fleet-system-fleet-agent-0": "kubectl logs -n cattle-fleet-system fleet-agent-0 --all-containers",
    "x/k3s/crictl/psa": "crictl ps -a",
}
STRANGE = [
    "nodes/node-4/logs/kubelet.log",
    "/etc/notes/what-i-did.md",
    "/run/media/me/stick/notes.txt",
    "notes.md",
    "pods.txt",
    "nodes.txt",
    "kubelet.log",
    "stdin",
    "node-4/kubelet.log",
    "b/cluster-resources/pods-errors.json",
    "systeminfo/notes.txt",
]


@pytest.mark.parametrize(("path", "command"), KNOWN.items())
def test_the_command_of_a_file(path: str, command: str) -> None:
    found = find_origin(path)
    assert found
    assert found.command == command


@pytest.mark.parametrize("path", STRANGE)
def test_other_files_are_what_they_say_themselves(path: str) -> None:
    assert find_origin(path) is None


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("d/nodes/elm.grove.example/ip-addr.txt", "elm.grove.example"),
        ("m/host_service_logs/elm/kubelet_service.log", "elm"),
        ("m/host_service_logs/workers/kubelet_service.log", None),
        ("b/host-collectors/system/elm/cpu.json", "elm"),
        ("b/host-collectors/system/cpu.json", None),
    ],
)
def test_the_machine_of_a_file(path: str, host: str | None) -> None:
    found = find_origin(path)
    assert found
    assert found.host == host


def test_the_command_stands_over_the_output_and_the_lines_keep_their_numbers() -> None:
    ((artifact, _),) = cut_document(
        Document("x/networking/iproute", ["default via 10.0.0.1 dev eth0", "", "# not a comment by anyone"])
    )
    assert artifact.lines[0] == "$ ip route show table all"
    assert artifact.at(1).number == 1
    assert artifact.at(3).text == "# not a comment by anyone"


def test_a_session_in_a_file_of_such_a_name_is_still_a_session() -> None:
    lines = ["[root@elm ~]# ip r", "default via 10.0.0.1 dev eth0", "[root@elm ~]# uname -r", "5.15.0"]
    assert [artifact.command for artifact, _ in cut_document(Document("x/networking/iproute", lines))] == [
        "ip r",
        "uname -r",
    ]


def test_the_command_stands_in_the_file_beside() -> None:
    files = {
        "b/host-collectors/run-host/disks.txt": [
            "Filesystem Size Used Avail Use% Mounted on",
            "/dev/sda1 10G 9G 1G 90% /",
        ],
        "b/host-collectors/run-host/disks-info.json": ['{"command":"/usr/bin/df -h","exitCode":"0","error":""}'],
        "b/host-collectors/system/hostos_info.json": ["{", ' "name": "elm",', ' "kernelVersion": "6.1.0"', "}"],
    }
    disks, *_ = gather_documents(Document(name, lines) for name, lines in files.items()).artifacts
    assert (disks.command, disks.host, disks.lines[0], disks.at(1).number) == ("df -h", "elm", "$ df -h", 1)


def test_a_machine_that_calls_itself_localhost_has_no_name() -> None:
    files = {
        "d/diagnostics/hostname": ["localhost.localdomain"],
        "d/diagnostics/date": ["Tue Mar 11 10:21:07 UTC 2025"],
    }
    artifacts = gather_documents(Document(name, lines) for name, lines in files.items()).artifacts
    assert {artifact.host for artifact in artifacts} == {None}


def test_the_folder_of_a_known_node_beside_the_notes_of_all() -> None:
    files = {
        "b/host-collectors/system/elm/hostos_info.json": ['{"name": "elm"}'],
        "b/host-collectors/run-host/disks.txt": ["/dev/sda1 10G 9G 1G 90% /"],
        "b/host-collectors/run-host/elm/disks.txt": ["/dev/sda1 10G 9G 1G 90% /"],
    }
    artifacts = gather_documents(Document(name, lines) for name, lines in files.items()).artifacts
    assert [artifact.host for artifact in artifacts] == ["elm", None, "elm"]
