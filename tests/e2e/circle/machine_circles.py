"""Circles on machines: real routes, packet filters, kernel settings and BGP sessions, over real ssh."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.circle.circle import Circle
from tests.e2e.circle.live_cluster import LiveCluster
from tests.e2e.circle.machines import FIRST, NETWORK
from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import agent_crashes, agent_is_not_ready, sessions_down
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.lab.plan import GATEWAY
from tests.lab.waiting import until

RULE = "INPUT -p tcp --dport 179 -j REJECT --reject-with icmp-host-prohibited"
LOOSE = """
[FATAL][48] felix/int_dataplane.go 1044: Kernel's RPF check is set to 'loose'.  This would allow endpoints to spoof their IP address.  Calico requires net.ipv4.conf.all.rp_filter to be set to 0 or 1. If you require loose RPF and you are not concerned about spoofing, this check can be disabled by setting the IgnoreLooseRPF configuration parameter to 'true'.
"""
NO_ROUTE = """
[INFO][9] startup/startup.go 454: Hit error connecting to datastore - retry error=Get "https://10.96.0.1:443/api/v1/nodes/foo": dial tcp 10.96.0.1:443: connect: network is unreachable
... 1s
"""
SET_IN_THE_WAY = """
[WARNING][48] felix/ipsets.go 634: Failed to complete ipset restore, IP sets may be out-of-sync. family="inet" output="ipset v7.11: Error in line 1: Set cannot be created: set with the same name already exists\\n" processErr=exit status 1
[PANIC][48] felix/ipsets.go 379: Failed to update IP sets after multiple retries. family="inet"
"""
NO_NAME = 'calico/node is not ready: felix is not ready: Get "http://localhost:9099/readiness": dial tcp: lookup localhost on 10.20.0.2:53: no such host\n'
NO_LOOPBACK = 'calico/node is not ready: felix is not ready: Get "http://localhost:9099/readiness": dial tcp 127.0.0.1:9099: connect: network is unreachable\n'


def on_machines() -> Cluster:
    """Two workers that stand on machines."""
    return healthy(workers=2, network=NETWORK)


def no_session() -> Cluster:
    """calico-node of both waits for the other."""
    cluster = on_machines()
    agent_is_not_ready(cluster, "worker-1", words.AGENT, sessions_down(f"{NETWORK}.22"))
    agent_is_not_ready(cluster, "worker-2", words.AGENT, sessions_down(f"{NETWORK}.21"))
    return cluster


def crashing(log: str) -> Callable[[], Cluster]:
    """calico-node of the first worker ends with these words."""

    def build() -> Cluster:
        cluster = on_machines()
        agent_crashes(cluster, "worker-1", words.STARTUP + log + words.END)
        return cluster

    return build


def unready(why: str) -> Callable[[], Cluster]:
    """The probe of the first worker tells this."""

    def build() -> Cluster:
        cluster = on_machines()
        agent_is_not_ready(cluster, "worker-1", words.AGENT, why)
        return cluster

    return build


def on_first(command: str) -> Callable[[LiveCluster], None]:
    """Done on the first worker."""
    return lambda cluster: void(cluster.machines.run(FIRST.name, command))


def holds_on_first(command: str) -> Callable[[LiveCluster], bool]:
    """Whether it succeeds on the first worker."""
    return lambda cluster: cluster.machines.holds(FIRST.name, command)


def void(_: str) -> None:
    """What was printed does not matter."""


def await_bird(cluster: LiveCluster) -> None:
    """The sessions show what the packet filter lets through."""
    cluster.machines.await_session(up=not cluster.machines.holds(FIRST.name, f"iptables -C {RULE}"))


ETCD = "/etc/kubernetes/pki/etcd"
ETCDCTL = f"etcdctl --endpoints=https://127.0.0.1:2379 --cacert={ETCD}/ca.crt --cert={ETCD}/server.crt --key={ETCD}/server.key"
# Where it is full etcd takes no writes until the alarm is cleared, and reads go on.
FULL = f"""\
etcd --data-dir /var/lib/etcd --quota-backend-bytes 1000000 --log-level error \
    --trusted-ca-file {ETCD}/ca.crt --cert-file {ETCD}/server.crt --key-file {ETCD}/server.key \
    --listen-client-urls https://127.0.0.1:2379 --advertise-client-urls https://127.0.0.1:2379 >/dev/null 2>&1 & etcd=$!"""
WRITE = f"head -c 200000 /dev/zero | tr '\\0' x | {ETCDCTL} put key"


def fill_etcd(cluster: LiveCluster) -> None:
    """The same key is written until its history fills the quota."""
    first = cluster.machines[FIRST.name]
    certificate, key = cluster.bed.certificates.issue("etcd-server", "127.0.0.1")
    for name, path in (("ca.crt", cluster.bed.certificates.ca), ("server.crt", certificate), ("server.key", key)):
        first.write(f"{ETCD}/{name}", path.read_text("utf-8"))
    first.tell(FULL)
    until(lambda: cluster.machines.holds(FIRST.name, f"{ETCDCTL} endpoint health"), "etcd")
    until(lambda: not cluster.machines.holds(FIRST.name, WRITE), "the quota of etcd")


def stop_etcd(cluster: LiveCluster) -> None:
    """With all it has."""
    cluster.machines[FIRST.name].tell(
        "kill -KILL $etcd; rm -rf /var/lib/etcd /var/lib/etcd-restored /var/lib/etcd-snapshot.db"
    )


PROBED = ("--ssh", "worker-1")
CIRCLES = (
    Circle(
        cause="firewall-on-host",
        sick=no_session,
        well=on_machines,
        break_it=on_first(f"iptables -A {RULE}"),
        mend=on_first(f"iptables -D {RULE} 2>/dev/null; true"),
        is_broken=holds_on_first(f"iptables -C {RULE}"),
        follows=await_bird,
        arguments=(*PROBED, "worker-2"),
        steps=("Delete the rule that rejects",),
        good="Mesh_.* Established",
        bad="Mesh_.* (?:Active|Connect|Idle)",
    ),
    Circle(
        cause="sysctl-ip-forward-off",
        sick=on_machines,
        well=on_machines,
        break_it=on_first("sysctl -w net.ipv4.ip_forward=0"),
        mend=on_first("sysctl -w net.ipv4.ip_forward=1"),
        is_broken=holds_on_first("[ $(sysctl -n net.ipv4.ip_forward) = 0 ]"),
        arguments=PROBED,
        steps=("Enable forwarding",),
        good="ip_forward = 1\n.*forwarding = 1",
    ),
    Circle(
        cause="sysctl-rp-filter",
        sick=crashing(words.CONNECTED + words.ADDRESS + LOOSE),
        well=on_machines,
        break_it=on_first("sysctl -w net.ipv4.conf.all.rp_filter=2"),
        mend=on_first("sysctl -w net.ipv4.conf.all.rp_filter=0"),
        is_broken=holds_on_first("[ $(sysctl -n net.ipv4.conf.all.rp_filter) = 2 ]"),
        arguments=PROBED,
        steps=("Set rp_filter to strict",),
        good="INFO",
        bad="FATAL",
    ),
    Circle(
        cause="default-route-missing",
        sick=crashing(9 * NO_ROUTE),
        well=on_machines,
        break_it=on_first("ip route del default"),
        mend=on_first(f"ip route replace default via {GATEWAY}"),
        is_broken=holds_on_first("! ip route get 10.96.0.1"),
        arguments=PROBED,
        steps=("Add the default route",),
        gaps={"gateway-address": GATEWAY, "device": "eth0"},
        good=f"via {GATEWAY} dev eth0",
    ),
    Circle(
        cause="localhost-unresolvable",
        sick=unready(NO_NAME),
        well=on_machines,
        break_it=on_first("sed -i /localhost/d /etc/hosts"),
        mend=on_first("grep -q localhost /etc/hosts || echo 127.0.0.1 localhost >>/etc/hosts"),
        is_broken=holds_on_first("! grep -q localhost /etc/hosts"),
        arguments=PROBED,
        steps=("Restore the address of localhost",),
        good=r"^127\.0\.0\.1 ",
    ),
    Circle(
        cause="loopback-down",
        sick=unready(NO_LOOPBACK),
        well=on_machines,
        break_it=on_first("ip link set lo down"),
        mend=on_first("ip link set lo up"),
        is_broken=holds_on_first("ip -o link show lo | grep -qv LOWER_UP"),
        arguments=PROBED,
        steps=("Bring lo up and restore its address",),
        good="1 received",
        taken_back=0,
    ),
    Circle(
        cause="ipset-failed",
        sick=crashing(words.CONNECTED + words.ADDRESS + SET_IN_THE_WAY),
        well=on_machines,
        # Of the kind that holds single addresses; Felix would make one of networks.
        break_it=on_first("ipset create cali40all-hosts-net hash:ip"),
        mend=on_first("ipset destroy cali40all-hosts-net 2>/dev/null; true"),
        is_broken=holds_on_first("ipset list cali40all-hosts-net"),
        needs=("ipset",),
        shown=(
            "kubectl get pods -A -o wide",
            "kubectl logs -n kube-system -l k8s-app=calico-node -c calico-node --tail=50",
            "ssh worker-1 ipset list",
        ),
        by_hand="the live diagnosis does not list the sets of a node",
        steps=("Remove leftover sets",),
        good="",
        bad="(?i)ipset",
    ),
    Circle(
        cause="etcd-unhealthy",
        sick=on_machines,
        well=on_machines,
        break_it=fill_etcd,
        mend=stop_etcd,
        is_broken=lambda cluster: not cluster.machines.holds(FIRST.name, f"{ETCDCTL} put probe small"),
        needs=("etcd", "etcdctl"),
        at=FIRST.name,
        by_hand="calivet starts no etcdctl",
        shown=(f"{ETCDCTL} alarm list", f"echo calico-node | {ETCDCTL} put probe"),
        steps=("Compact, defragment and clear the alarm",),
        good="",
        bad="NOSPACE|Error|not found",
        is_taken_back=holds_on_first("test -e /var/lib/etcd-restored/member/snap/db"),
    ),
)
