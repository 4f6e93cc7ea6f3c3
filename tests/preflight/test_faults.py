"""One fault at a time on a machine that is otherwise well: it is found, with its line and its fix, and nothing else is."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from calivet.evidence.artifact import Document
from calivet.preflight.requirement import Outcome
from tests.preflight.evidence import DEBIAN, ROCKY, UBUNTU, Probe, answers, apart, cluster, found

MODPROBE = "modprobe: FATAL: Module {} not found in directory /lib/modules/6.1.0-32-amd64"
NAMED_VXLAN = """
11: vx-lab: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 qdisc noqueue state UNKNOWN mode DEFAULT group default
    link/ether 66:1a:0b:22:31:10 brd ff:ff:ff:ff:ff:ff promiscuity 0 minmtu 68 maxmtu 65535
    vxlan id 4096 remote 10.44.0.77 dev ens3 srcport 0 0 dstport 4789 ttl auto ageing 300
"""
LISTENS = 'tcp   LISTEN 0      4096         0.0.0.0:{}       0.0.0.0:*    users:(("{}",pid=71,fd=9))'
CARD = """
{number}: {name}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP group default qlen 1000
    link/ether 02:42:ac:00:00:0{number} brd ff:ff:ff:ff:ff:ff
    inet {address} scope global {name}
       valid_lft forever preferred_lft forever
#= exit=0 seconds=0.00
[root@kit-1 ~]# ip route"""
FLAGS = " sse4_1 sse4_2"
KEPT = "System clock synchronized: yes"
SAVED = "iptables-save"


def card(probe: Probe, number: int, name: str, address: str) -> Probe:
    """One more card behind the others."""
    return probe.edit(
        "\n#= exit=0 seconds=0.00\n[root@kit-1 ~]# ip route", CARD.format(number=number, name=name, address=address)
    )


def listening(probe: Probe, port: int, process: str) -> Probe:
    return probe.edit(
        "tcp   LISTEN 0      128                 [::]:22",
        LISTENS.format(port, process) + "\ntcp   LISTEN 0      128                 [::]:22",
    )


FAULTS = {
    "swap is on": (
        "swap",
        lambda: Probe(DEBIAN).edit("Priority\n", "Priority\n/dev/sda3 partition 2097148 0 -2\n"),
        "/dev/sda3",
    ),
    "docker uses cgroupfs": (
        "cgroup-drivers",
        lambda: Probe(UBUNTU).edit("Cgroup Driver: systemd", "Cgroup Driver: cgroupfs"),
        "cgroupfs",
    ),
    "CRI-O uses cgroupfs": (
        "cgroup-drivers",
        lambda: Probe(ROCKY).edit('cgroup_manager = "systemd"', 'cgroup_manager = "cgroupfs"'),
        "cgroupfs",
    ),
    "containerd uses cgroupfs": (
        "cgroup-drivers",
        lambda: Probe(DEBIAN)
        .edit("SystemdCgroup = true", "SystemdCgroup = false")
        .show("cat /var/lib/kubelet/config.yaml", "kind: KubeletConfiguration\ncgroupDriver: systemd"),
        "cgroupfs",
    ),
    "a module is missing": (
        "kernel-modules",
        lambda: Probe(DEBIAN).show("modprobe", MODPROBE.format("xt_set"), "exit=1 seconds=0.01"),
        "xt_set",
    ),
    "both tunnels' modules are missing": (
        "kernel-modules",
        lambda: Probe(DEBIAN).show(
            "modprobe", f"{MODPROBE.format('vxlan')}\n{MODPROBE.format('ipip')}", "exit=1 seconds=0.01"
        ),
        "vxlan, ipip",
    ),
    "rules can be kept nowhere": (
        "kernel-modules",
        lambda: Probe(DEBIAN).show(
            "modprobe -n -v ip_tables",
            f"{MODPROBE.format('nf_tables')}\n{MODPROBE.format('nft_compat')}",
            "exit=1 seconds=0.01",
        ),
        "nft_compat",
    ),
    "containers can have no layers": (
        "kernel-modules",
        lambda: Probe(DEBIAN)
        .edit("overlay 163840 0 - Live 0x0000000000000000\n", "")
        .show("modprobe", MODPROBE.format("overlay"), "exit=1 seconds=0.01"),
        "overlay",
    ),
    "the CPU is old": ("cpu-level", lambda: Probe(DEBIAN).edit(FLAGS, ""), "sse4_2"),
    "forwarding is off": (
        "forwarding",
        lambda: Probe(DEBIAN)
        .edit("net.ipv4.ip_forward = 1", "net.ipv4.ip_forward = 0")
        .edit("net.ipv4.conf.all.forwarding = 1", "net.ipv4.conf.all.forwarding = 0"),
        "net.ipv4.ip_forward",
    ),
    "the table of connections is full": (
        "conntrack",
        lambda: Probe(DEBIAN).edit("nf_conntrack_count = 14", "nf_conntrack_count = 131001"),
        "131001",
    ),
    "the runtime hangs": (
        "runtime-answers",
        lambda: Probe(DEBIAN)
        .show("crictl version", "", "exit=124 seconds=5.00 timeout")
        .show("crictl ps", "", "skipped crictl did not answer before"),
        "got no reply within 5 s",
    ),
    "the runtime failed": (
        "runtime-answers",
        lambda: Probe(DEBIAN)
        .show("crictl version", 'level=fatal msg="unable to determine runtime API version"', "exit=1 seconds=0.03")
        .show("crictl ps", 'level=fatal msg="unable to determine runtime API version"', "exit=1 seconds=0.03")
        .edit("Id=containerd.service\nLoadState=loaded\nActiveState=active\nSubState=running", "Id=containerd.service\nLoadState=loaded\nActiveState=failed\nSubState=failed"),
        "containerd",
    ),
    "the runtime refuses": (
        "runtime-answers",
        lambda: Probe(DEBIAN)
        .show("crictl version", 'level=fatal msg="validate service connection"', "exit=1 seconds=0.03")
        .show("crictl ps", 'level=fatal msg="validate service connection"', "exit=1 seconds=0.03"),
        "exited with code 1",
    ),
    "containerd is docker's": (
        "runtime-settings",
        lambda: Probe(DEBIAN).show("cat /etc/containerd/config.toml", 'disabled_plugins = ["cri"]'),
        "is disabled",
    ),
    "containerd looks elsewhere": (
        "runtime-settings",
        lambda: Probe(DEBIAN).edit('bin_dir = "/opt/cni/bin"', 'bin_dir = "/usr/lib/cni"'),
        "/usr/lib/cni",
    ),
    "the disk is full": ("disk", lambda: Probe(DEBIAN).edit("8% /\n", "99% /\n"), "99%"),
    "kubelet evicts": ("disk", lambda: Probe(DEBIAN).edit("8% /\n", "91% /\n"), "91%"),
    "inodes are used up": ("disk", lambda: Probe(DEBIAN).edit("    3% /\n", "   96% /\n"), "inodes"),
    "the root is read-only": ("writable", lambda: Probe(DEBIAN).edit("ext4 rw,relatime", "ext4 ro,relatime"), "/etc/cni/net.d"),
    "nobody keeps the clock": ("clock", lambda: Probe(DEBIAN).edit(KEPT, "System clock synchronized: no"), "no time service"),
    "the clock is off": (
        "clock",
        lambda: Probe(ROCKY).edit("0.000004113 seconds slow", "412.113 seconds slow"),
        "412",
    ),
    "the machine is overloaded": ("load", lambda: Probe(DEBIAN).edit("load average: 0.21", "load average: 41.70"), "41.7"),
    "lo has no address": ("loopback", lambda: Probe(DEBIAN).edit("    inet 127.0.0.1/8 scope host lo\n", ""), "lo"),
    "localhost has no name": ("localhost", lambda: Probe(DEBIAN).edit("127.0.0.1 localhost\n", "10.44.0.9 depot\n"), "localhost"),
    "a certificate has ended": (
        "certificates",
        lambda: Probe(UBUNTU).edit("notAfter=Jan 12 10:00:00 2027", "notAfter=Jan 12 10:00:00 2026"),
        "2026-01-12",
    ),
    "another router holds 179": ("ports", lambda: listening(Probe(DEBIAN), 179, "bgpd"), "bgpd"),
    "something holds 9099": ("ports", lambda: listening(Probe(DEBIAN), 9099, "node_exporter"), "9099"),
    "a BIRD of its own holds 179": (
        "ports",
        lambda: listening(Probe(DEBIAN), 179, "bird").edit("Id=nftables.service\nLoadState=loaded\nActiveState=inactive", "Id=bird.service\nLoadState=loaded\nActiveState=active"),
        "BIRD",
    ),
    "something holds UDP 4789": (
        "vxlan-port",
        lambda: Probe(DEBIAN).edit("udp   UNCONN 0", 'udp   UNCONN 0      0    0.0.0.0:4789       0.0.0.0:*    users:(("ovs-vswitchd",pid=9,fd=1))\nudp   UNCONN 0'),
        "ovs-vswitchd",
    ),
    "another device has Calico's number": ("vxlan-port", lambda: Probe(DEBIAN).show("ip -d link", NAMED_VXLAN), "vx-lab"),
    "firewalld runs": (
        "firewall",
        lambda: Probe(ROCKY).edit("Id=firewalld.service\nLoadState=loaded\nActiveState=inactive", "Id=firewalld.service\nLoadState=loaded\nActiveState=active"),
        "firewalld",
    ),
    "ufw is on": ("firewall", lambda: Probe(UBUNTU).edit("Status: inactive", "Status: active"), "ufw"),
    "INPUT drops": (
        "host-rules",
        lambda: Probe(DEBIAN).show(SAVED, "*filter\n:INPUT DROP [9:9]\n:FORWARD ACCEPT [0:0]\n[1:1] -A INPUT -i lo -j ACCEPT\n[1:1] -A INPUT -p tcp -m tcp --dport 22 -j ACCEPT\nCOMMIT"),
        "INPUT",
    ),
    "FORWARD rejects": (
        "host-rules",
        lambda: Probe(DEBIAN).show(SAVED, "*filter\n:INPUT ACCEPT [9:9]\n:FORWARD ACCEPT [0:0]\n[0:0] -A FORWARD -j REJECT --reject-with icmp-host-prohibited\nCOMMIT"),
        "FORWARD",
    ),
    "nft drops": (
        "host-rules",
        lambda: Probe(DEBIAN).show("nft list", "table inet filter {\n\tchain input {\n\t\ttype filter hook input priority filter; policy drop;\n\t\tct state established,related accept\n\t\ttcp dport 22 accept\n\t}\n}"),
        "INPUT",
    ),
    "nft drops in a chain of any name": (
        "host-rules",
        lambda: Probe(DEBIAN).show("nft list", "table inet site {\n\tchain from_outside {\n\t\ttype filter hook input priority filter; policy drop;\n\t\tct state established,related accept\n\t\ttcp dport { 22, 6443, 10250 } accept\n\t}\n}"),
        "INPUT",
    ),
    "nft drops what is forwarded": (
        "host-rules",
        lambda: Probe(DEBIAN).show("nft list", "table inet site {\n\tchain between {\n\t\ttype filter hook forward priority filter; policy drop;\n\t}\n}"),
        "FORWARD",
    ),
    "NetworkManager is not told": (
        "network-manager",
        lambda: Probe(ROCKY).show("grep -rs unmanaged-devices", "", "exit=1 seconds=0.00"),
        "NetworkManager",
    ),
    "another plugin's file comes first": (
        "cni-files",
        lambda: Probe(DEBIAN).show("ls -la /etc/cni/net.d", "total 8\n-rw-r--r-- 1 root root 90 Apr  1 10:00 05-cilium.conflist"),
        "05-cilium.conflist",
    ),
    "flannel's bridge is left": ("cni-devices", lambda: card(Probe(DEBIAN), 4, "cni0", "10.200.3.1/24"), "cni0"),
    "cilium's device is left": ("cni-devices", lambda: card(Probe(DEBIAN), 4, "cilium_host", "10.200.3.1/32"), "cilium"),
    "addresses are left to migrate": (
        "host-local-data",
        lambda: Probe(DEBIAN).show("ls -la /var/lib/cni/networks/k8s-pod-network", "total 4\n-rw-r--r-- 1 root root 64 Apr  1 10:00 10.200.3.7"),
        "k8s-pod-network",
    ),
    "an earlier Calico's rules are left": (
        "stale-rules",
        lambda: Probe(DEBIAN).show(SAVED, "*filter\n:INPUT ACCEPT [9:9]\n[0:0] -A INPUT -j cali-INPUT\n[0:0] -A cali-INPUT -j RETURN\nCOMMIT"),
        "earlier Calico",
    ),
    "the machine has no name of its own": (
        "node-name",
        lambda: Probe(DEBIAN).edit("host=kit-1", "host=localhost.localdomain").edit("@kit-1 ~", "@localhost.localdomain ~"),
        "localhost",
    ),
    "Kubernetes takes no such name": ("node-name", lambda: Probe(DEBIAN).edit("host=kit-1", "host=kit_1").edit("@kit-1 ~", "@kit_1 ~"), "kit_1"),
    "there is no address to take": (
        "address-found",
        lambda: Probe(DEBIAN).edit("    inet 10.44.0.21/24 metric 100 brd 10.44.0.255 scope global dynamic ens3\n", ""),
        "first-found",
    ),
    "the API server does not answer": (
        "api-server",
        lambda: Probe(UBUNTU).show("bash -c '</dev/tcp/10.44.0.10/6443'", "", "exit=124 seconds=3.00 timeout"),
        "10.44.0.10",
    ),
    "a peer's BGP port is silent": (
        "bgp-peers",
        lambda: Probe(ROCKY).show("bash -c '</dev/tcp/10.44.1.24/179'", "", "exit=124 seconds=3.00 timeout"),
        "10.44.1.24",
    ),
    "Typha is silent": (
        "typha",
        lambda: Probe(ROCKY).show("bash -c '</dev/tcp/10.44.1.25/5473'", "", "exit=124 seconds=3.00 timeout"),
        "5473",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_nothing_else(fault):
    wanted, made, words = FAULTS[fault]
    (node,) = found(made()).nodes
    failed = node.of(Outcome.FAIL)
    assert {answer.id for answer in failed} == {wanted}
    answer = failed[0]
    assert answer.line
    assert answer.says
    assert words in f"{answer.says.en} {answer.line.text}"
    assert answer.says.zh != answer.says.en
    # Where Calico finds no address its own settings are to be changed, and before it is there it has none.
    assert answer.fix or answer.cause.id == "no-ip-autodetected"
    assert not any(re.search(r"<[a-z_]+>", step.run) for step in answer.fix)


def test_the_clock_of_a_node_that_was_just_asked():
    late = datetime(2026, 4, 9, 9, 30, tzinfo=UTC)
    assert answers(Probe(DEBIAN), now=late)["clock"].outcome is Outcome.FAIL
    soon = datetime(2026, 4, 9, 8, 16, tzinfo=UTC)
    assert answers(Probe(DEBIAN), now=soon)["clock"].outcome is Outcome.PASS


CLUSTERS = {
    "the name is taken": ("name-free", lambda: cluster("oak-1 10.44.0.20,kit-1 10.44.0.99"), "10.44.0.99"),
    "the address is taken": ("address-free", lambda: cluster("oak-1 10.44.0.20,oak-2 10.44.0.21"), "oak-2"),
    "a pool holds the node's network": ("pool-ranges", lambda: cluster(pool="10.44.0.0/16"), "10.44.0.0/16"),
    "a pool meets the services": ("pool-ranges", lambda: cluster(pool="10.96.0.0/16"), "10.96.0.0/16"),
    "Kubernetes is far too new": ("versions", lambda: cluster(calico="v3.20.1"), "v3.20.1"),
    "the only pool is disabled": ("pool-enabled", lambda: cluster(pool_more="\n    disabled: true"), "10.77.0.0/16"),
    "the pool has one block, and it is taken": ("pool-room", lambda: cluster(pool="10.77.81.128/26"), "10.77.81.128/26"),
    "rp_filter is loose for an old Calico": ("rp-filter", lambda: cluster(calico="v3.10.2"), "rp_filter"),
    "the datastore is locked": (
        "datastore-unlocked",
        lambda: cluster(more={"calico/clusterinformations.yaml": "$ kubectl get clusterinformations.crd.projectcalico.org -o yaml\napiVersion: v1\nkind: List\nitems:\n- kind: ClusterInformation\n  metadata:\n    name: default\n  spec:\n    datastoreReady: false"}),
        "datastoreReady",
    ),
    "eBPF is asked of an old kernel": (
        "kernel-version",
        lambda: cluster(more={"calico/felixconfigurations.yaml": "$ kubectl get felixconfigurations.crd.projectcalico.org -o yaml\napiVersion: v1\nkind: List\nitems:\n- kind: FelixConfiguration\n  metadata:\n    name: default\n  spec:\n    bpfEnabled: true"}),
        "4.15.0",
    ),
    "the pods' packets are too large": (
        "packet-size",
        lambda: cluster(more={"configmaps/calico-config.yaml": "$ kubectl get configmap calico-config -n kube-system -o yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: calico-config\n  namespace: kube-system\ndata:\n  veth_mtu: \"1480\""}),
        "1530",
    ),
}  # fmt: skip
OTHER_MACHINE = {
    "rp_filter is loose for an old Calico": lambda: Probe(DEBIAN).edit("all.rp_filter = 0", "all.rp_filter = 2"),
    "eBPF is asked of an old kernel": lambda: Probe(DEBIAN).edit("Linux kit-1 6.1.0-32-amd64", "Linux kit-1 4.15.0-20-generic"),
}  # fmt: skip
BESIDE = {"rp_filter is loose for an old Calico": {"versions"}, "a pool holds the node's network": set()}


@pytest.mark.parametrize("fault", CLUSTERS)
def test_what_only_the_cluster_tells(fault):
    wanted, made, words = CLUSTERS[fault]
    (node,) = found(OTHER_MACHINE.get(fault, lambda: Probe(DEBIAN))(), cluster=made()).nodes
    failed = {answer.id: answer for answer in node.of(Outcome.FAIL)}
    assert failed.keys() - BESIDE.get(fault, set()) == {wanted}
    answer = failed[wanted]
    assert answer.line
    assert answer.says
    assert words in f"{answer.says.en} {answer.line.text}"


def test_a_second_card_leads_calico_astray():
    probe = card(Probe(DEBIAN), 4, "eth7", "192.168.56.4/24")
    answer = answers(probe, cluster=cluster())["address-network"]
    assert answer.outcome is Outcome.FAIL
    assert answer.says
    assert "192.168.56.4 on eth7" in answer.says.en
    assert "10.44.0.21 on ens3" in answer.says.en


def test_a_vpn_takes_the_pods_addresses():
    probe = Probe(DEBIAN).edit("local 10.44.0.21 dev", "10.77.0.0/17 via 10.9.0.1 dev tun0\nlocal 10.44.0.21 dev")
    assert answers(probe, cluster=cluster())["routes"].outcome is Outcome.FAIL


def test_two_machines_of_one_name():
    clone = apart(Probe(DEBIAN)).edit("10.44.0.21", "10.44.0.28")
    first, second = found(Probe(DEBIAN), clone).nodes
    assert (
        {answer.id for answer in first.of(Outcome.FAIL)}
        == {answer.id for answer in second.of(Outcome.FAIL)}
        == {"name-free"}
    )


def test_two_machines_that_would_take_one_address():
    twin = apart(Probe(DEBIAN)).edit("host=kit-1", "host=kit-9").edit("@kit-1 ~", "@kit-9 ~")
    first, second = found(Probe(DEBIAN), twin).nodes
    assert (
        {answer.id for answer in first.of(Outcome.FAIL)}
        == {answer.id for answer in second.of(Outcome.FAIL)}
        == {"address-free"}
    )


def test_a_name_stored_from_an_earlier_life():
    probe = Probe(DEBIAN).show("cat /var/lib/calico/nodename", "oak-1")
    assert answers(probe)["stored-name"].outcome is Outcome.UNCHECKED
    assert answers(probe, cluster=cluster())["stored-name"].outcome is Outcome.FAIL


def test_a_proxy_that_catches_the_service_address():
    probe = Probe(UBUNTU).edit("NO_PROXY=localhost,127.0.0.1,10.0.0.0/8", "NO_PROXY=localhost,127.0.0.1,10.44.0.0/16")
    answer = answers(probe, cluster=cluster())["proxy"]
    assert answer.outcome is Outcome.FAIL
    assert answer.says
    assert "10.96.0.1" in answer.says.en


def test_ipv6_is_off_where_a_pool_needs_it():
    probe = Probe(DEBIAN).edit("all.disable_ipv6 = 0", "all.disable_ipv6 = 1")
    assert answers(probe, cluster=cluster(pool="fd00:77::/48"))["ipv6"].outcome is Outcome.FAIL


def test_a_sick_peer_is_nobodys_fault_here():
    sick = [
        Document(
            one.name,
            [line.replace("elm-4.grove.example   Ready", "elm-4.grove.example   NotReady") for line in one.lines],
        )
        for one in cluster("elm-3.grove.example 10.44.1.23,elm-4.grove.example 10.44.1.24")
    ]
    probe = Probe(ROCKY).show("bash -c '</dev/tcp/10.44.1.24/179'", "", "exit=124 seconds=3.00 timeout")
    assert answers(probe, cluster=sick)["bgp-peers"].outcome is Outcome.UNCHECKED


def test_one_wrong_directory_costs_one_line_and_not_the_whole_file():
    _, made, _ = FAULTS["containerd looks elsewhere"]
    (node,) = found(made()).nodes
    (answer,) = node.of(Outcome.FAIL)
    steps = [step.run for step in answer.fix]
    assert any("bin_dir" in run and "sed -i" in run for run in steps)
    assert any("systemctl restart containerd" in run for run in steps)
    assert not any("containerd config default" in run for run in steps)
