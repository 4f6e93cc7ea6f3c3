"""Readers of statements: each says what it understood, with its line, and keeps silent on what only looks like it."""

from __future__ import annotations

from typing import Any

import pytest

from calivet.evidence.artifact import Artifact
from calivet.readers.read import read

FLAGS = "fpu vme de pse tsc msr pae mce cx8 apic sep lm constant_tsc rep_good nopl pni cx16 hypervisor lahf_lm"
RESTARTS = [
    f"2024-01-02 03:04:0{second}.000 [INFO][{pid}] felix/daemon.go 329: Felix starting up"
    for second, pid in ((1, 71), (3, 92), (5, 113))
]


def facts(kind: str, command: str | None, lines: list[str], *, prose: bool = False) -> list[Any]:
    shown = [f"[root@fig-2 ~]# {command}", *lines] if command else lines
    artifact = Artifact("paste.txt", 1, shown, host="fig-2", command=command, prose=prose)
    found, _ = read(artifact)
    assert artifact.failed == []
    return [fact for fact in found if type(fact).__name__ == kind]


@pytest.mark.parametrize(
    ("kind", "command", "line", "told"),
    [
        ("CloudRules", "aws ec2 describe-security-groups", "tcp 1024-2048 10.0.0.0/8", {"ranges": ((1024, 2048),)}),
        ("SourceCheck", "aws ec2 describe-instances --query SourceDestCheck", "10.0.0.7 true", {"address": "10.0.0.7"}),
        ("Packet", "tcpdump -ni eth0", "IP 10.0.0.7 > 10.0.0.8: ipip-proto-4 84", {"tunnel": "IP-in-IP"}),
        ("ArpMessage", "tcpdump -ni cali1", "ARP, Request who-has 169.254.1.1 tell 10.1.2.3", {"asker": "10.1.2.3"}),
        ("EmptyCapture", "tcpdump -ni any port 179", "0 packets captured", {"bgp": True}),
        ("PermissionAnswer", "kubectl auth can-i get pods --as=system:serviceaccount:a:b", "no", {"account": "a:b"}),
        ("TokenEnd", "jq .exp /etc/cni/net.d/token", "1700000000", {}),
        (
            "TokenRefused",
            'curl -H "Authorization: Bearer $T" https://10.0.0.1:6443/api',
            "HTTP/1.1 401",
            {"variable": "T"},
        ),
        ("DefinedKinds", "kubectl get crd", "ippools.crd.projectcalico.org 2024", {"kinds": ("ippools",)}),
        ("UnknownKind", None, 'no matches for kind "IPPool" in version', {"kind": "ippool"}),
        (
            "DefinitionMade",
            None,
            "customresourcedefinition.apiextensions.k8s.io/tiers.crd.x created",
            {"plural": "tiers"},
        ),
        ("EtcdServers", None, "--etcd-servers=https://10.0.0.9:2379", {"hosts": ("10.0.0.9",)}),
        (
            "FailedDial",
            None,
            "Get /api/v1: dial tcp 10.0.0.9:6443: i/o timeout",
            {"address": "10.0.0.9", "of_api": True},
        ),
        ("TyphaAttempt", None, 'Connecting to Typha. address="10.0.0.9:5473"', {"address": "10.0.0.9:5473"}),
        ("EmptySearch", "ip a | grep cali", "", {"what": "cali-interfaces"}),
        ("EmptySearch", "kubectl get bgppeers", "No resources found", {"what": "bgp-peers"}),
        ("Count", "kubectl get nodes | wc -l", "4", {"what": "nodes", "number": 4}),
        (
            "RangeSetting",
            None,
            "clusterCIDR: 10.1.0.0/16",
            {"cidr": "10.1.0.0/16", "services": False, "who": "kube-proxy"},
        ),
        ("RangeSetting", None, "kube_service_addresses: 10.2.0.0/16", {"services": True}),
        ("NetworkingBackend", None, "CALICO_NETWORKING_BACKEND: vxlan", {"backend": "vxlan"}),
        ("BirdProbe", None, "Readiness: exec [/bin/calico-node -felix-ready -bird-ready]", {}),
        ("PortLoopFailure", "for p in 22 179; do nc -z w1 $p; done", "22 ok; 179 failed", {}),
        ("FailedLookup", "nslookup a", "nslookup: no servers could be reached", {}),
        ("IptablesBackend", "iptables -V", "iptables v1.8.7 (nf_tables)", {"program": "iptables", "nft": True}),
        ("DataplaneMode", None, "BPF enabled, starting BPF endpoint manager", {"mode": "eBPF"}),
        ("SelinuxMode", "getenforce", "Enforcing", {"mode": "enforcing"}),
        ("HostWrite", "touch /opt/cni/bin/x", "", {"place": "/opt/cni/bin"}),
        ("DeniedWrite", None, "open /host/opt/cni/bin/calico: permission denied", {"place": "/opt/cni/bin"}),
        ("ContainerTrial", "docker run -v /opt/cni:/x busybox touch /x/y", "Permission denied", {"denied": True}),
        ("CpuBelowLevel", "lscpu", f"Flags: {FLAGS}", {"missing": ("popcnt", "sse4_1", "sse4_2", "ssse3")}),
        ("CalicoImage", None, "docker.io/calico/node:v3.27.0", {"version": "v3.27.0"}),
        ("CgroupKills", "cat memory.events # calico-node", "oom_kill 3", {"kills": 3}),
        ("ConntrackMetric", None, 'node_nf_conntrack_entries{instance="w1:9100"} 7', {"host": "w1", "value": "7"}),
        ("NodenameFile", "cat /var/lib/calico/nodename", "w1", {"name": "w1"}),
        ("NodenameMissed", None, "stat /var/lib/calico/nodename: no such file or directory", {}),
        ("AskedUrl", None, "Get https://10.96.0.1:443/api: EOF", {"address": "10.96.0.1"}),
        (
            "TunnelEntry",
            "bridge fdb show dev vxlan.calico",
            "66:01:02:03:04:05 dst 10.0.0.9 self",
            {"address": "10.0.0.9"},
        ),
        ("ListedConfig", "hostname; ls /etc/cni/net.d", "10-flannel.conflist", {"name": "10-flannel.conflist"}),
        ("IpamBlock", "calicoctl ipam check", "IPAM block 10.1.2.0/26 affinity=host:w1:", {"cidr": "10.1.2.0/26"}),
        ("BlockSize", "kubectl get ippool -o jsonpath={..blockSize}", "26", {"size": 26}),
        ("PoolAnnotation", None, "cni.projectcalico.org/ipv4pools: '[\"east\"]'", {"pools": ("east",)}),
        ("ImageList", "crictl images", "IMAGE TAG", {"headed": True}),
        ("Interrupt", "crictl ps", "^C", {}),
        ("BgpComplaint", None, "bird: Mesh_10_0_0_9: Socket error: No route to host", {"peer": "10.0.0.9"}),
    ],
)
def test_it_understands(kind, command, line, told):
    first = next(iter(facts(kind, command, line.split("; "))))
    assert {name: getattr(first, name) for name in told} == told
    assert first.at.artifact == "paste.txt"


@pytest.mark.parametrize(
    ("kind", "command", "line"),
    [
        ("CloudRules", "cat rules.txt", "tcp 1024-2048 10.0.0.0/8"),
        ("SourceCheck", "aws ec2 describe-instances --query SourceDestCheck", "10.0.0.7 false"),
        ("TokenRefused", "curl https://example.org", "HTTP/1.1 401"),
        ("TokenEnd", "jq .exp /tmp/other", "1700000000"),
        ("DefinedKinds", "kubectl get crd | head", "ippools.crd.projectcalico.org 2024"),
        ("EmptySearch", "ip a | grep cali", "7: cali12345@if3: <BROADCAST>"),
        ("EmptySearch", "iptables-save | grep -v cali", ""),
        ("TyphaAttempt", "grep -i connecting felix.log", "Connecting to Typha."),
        ("HostWrite", "touch /opt/cni/bin/x", "touch: cannot touch: Read-only file system"),
        ("CpuBelowLevel", "lscpu", f"Flags: {FLAGS} ssse3 sse4_1 sse4_2 popcnt"),
        ("TunnelEntry", "cat notes", "66:01:02:03:04:05 dst 10.0.0.9 self"),
        ("Interrupt", "ping w1", "64 bytes from w1"),
    ],
)
def test_it_keeps_silent(kind, command, line):
    assert facts(kind, command, [line]) == []


def test_a_statement_does_not_tell_what_an_artifact_is():
    artifact = Artifact("paste.txt", 1, ["Get /api/v1: dial tcp 10.0.0.9:6443: i/o timeout"])
    _, unread = read(artifact)
    assert artifact.kinds == []
    assert unread == 1


def test_felix_that_begins_again_within_seconds():
    unheard, at_once = facts("FelixRestarts", "kubectl logs calico-node-x7k2p", RESTARTS)
    assert (unheard.times, unheard.at_once, unheard.pod) == (3, False, "calico-node-x7k2p")
    assert at_once.at_once
    (only,) = facts("FelixRestarts", None, [*RESTARTS, "[FATAL] Felix exiting"])
    assert only.at_once


def test_programs_that_runit_looks_after():
    whole = ["1 ? runsv bird", "2 ? runsv confd", "3 ? calico-node -felix", "4 ? calico-node -confd"]
    found = facts("SupervisedProgram", "ps ax", whole)
    assert [(one.program, one.alive) for one in found] == [("bird", False), ("confd", True)]
    assert facts("SupervisedProgram", "ps ax | grep bird", whole[:1]) == []


def test_what_iptables_warns_of_is_no_rule():
    warning = "# Warning: iptables-legacy tables present, use iptables-legacy-save to see them"
    assert [found.what for found in facts("EmptySearch", "iptables-save | grep -c cali", [warning, "0"])] == [
        "calico-rules"
    ]
    assert facts("EmptySearch", "iptables-save | grep -c cali", [warning, "12"]) == []


def test_a_histogram_is_read_with_its_total():
    head = "etcd_disk_wal_fsync_duration_seconds_bucket"
    found = facts("EtcdDiskWait", None, [f'{head}{{le="0.128"}} 10', f'{head}{{le="+Inf"}} 40'])
    assert [(one.within, one.count, one.total) for one in found] == [(0.128, 10, 40), (float("inf"), 40, 40)]


def test_a_limit_beside_the_most_that_was_used():
    files = ["memory.max:1048576", "memory.peak:1048000"]
    (found,) = facts("CgroupMemory", "grep . /sys/fs/cgroup/x/memory.*", files)
    assert (found.limit, found.peak, found.calico) == (1048576, 1048000, False)


def test_a_missing_key_beside_one_that_is_there():
    (found,) = facts("MissingWireguardKey", "kubectl get nodes -o custom-columns=N:WireguardPublicKey", [
        "NAME KEY", f"w1 {'A' * 43}=", "w2 <none>",
    ])  # fmt: skip
    assert (found.node, found.others) == ("w2", ("w1",))


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("UnknownKind", 'it said: no matches for kind "IPPool"'),
        ("RangeSetting", "we ran kubeadm init --pod-network-cidr=10.15.0.0/16"),
        ("DataplaneMode", "We switched to eBPF last week."),
        ("EtcdServers", "the server has --etcd-servers=https://10.0.0.9:2379"),
    ],
)
def test_notes_are_read_where_people_write_such_things(kind, line):
    assert len(facts(kind, None, [line], prose=True)) == 1


def test_other_notes_are_not():
    assert facts("FailedDial", None, ["I saw dial tcp 10.0.0.9:6443: i/o timeout"], prose=True) == []
