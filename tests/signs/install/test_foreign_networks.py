"""What another network left on a host, told from what it still uses."""

from __future__ import annotations

import pytest

from calivet.facts.calico import CniConfig, Pool
from calivet.signs.install.installation import SIGNS
from tests.signs.made_pictures import line, output, picture, pod, thing

CALICO = pod("calico-node-7k2mx", namespace="kube-system", status="Running", node="oak-1")
FLANNEL = pod("kube-flannel-ds-x7k2m", namespace="kube-flannel", status="Running", node="oak-1")
CANAL = pod("canal-7k2mx", namespace="kube-system", status="Running", node="oak-1")
JUMPS = '-A POSTROUTING -m comment --comment "flanneld masq" -j FLANNEL-POSTRTG'


def seen(name, artifact, *facts):
    return [sighting.values for sighting in SIGNS[name](picture(*facts, artifacts=[artifact]))]


@pytest.mark.parametrize(
    ("rule", "network", "chain"),
    [
        (JUMPS, "flannel", "FLANNEL-POSTRTG"),
        (f"[8112:486720] {JUMPS}", "flannel", "FLANNEL-POSTRTG"),
        (
            '-A FORWARD -m comment --comment "cilium-feeder: CILIUM_FORWARD" -j CILIUM_FORWARD',
            "cilium",
            "CILIUM_FORWARD",
        ),
        ("-A FORWARD -o weave -j WEAVE-NPC", "weave", "WEAVE-NPC"),
        ('-A INPUT -m comment --comment "kube-router netpol" -j KUBE-ROUTER-INPUT', "kube-router", "KUBE-ROUTER-INPUT"),
    ],
)
def test_a_jump_into_a_chain_of_a_network_that_is_gone(rule, network, chain):
    table = output("iptables-save", rule, host="oak-1")
    assert seen("foreign-network-rules", table, CALICO) == [{"network": network, "chain": chain}]


@pytest.mark.parametrize(
    "rule",
    [
        "[0:0] " + JUMPS,
        "-A FLANNEL-POSTRTG -s 10.9.0.0/16 -j MASQUERADE",
        '-A POSTROUTING -m comment --comment "cali:O3lYWMrLQYEMJtB5" -j cali-POSTROUTING',
        "-A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE",
    ],
)
def test_rules_that_nothing_meets_or_that_are_no_jump(rule):
    assert seen("foreign-network-rules", output("iptables-save", rule, host="oak-1"), CALICO) == []


@pytest.mark.parametrize("others", [(CALICO, FLANNEL), (CANAL,), ()])
def test_a_network_that_runs_or_may_run_left_nothing(others):
    table = output("iptables-save", JUMPS, host="oak-1")
    links = output("ip -br link", "cni0 UP 0a:58:0a:f4:01:01 <BROADCAST,MULTICAST,UP,LOWER_UP>", host="oak-1")
    assert seen("foreign-network-rules", table, *others) == []
    assert seen("foreign-network-devices", links, *others) == []


def test_devices_are_told_by_their_names():
    text = """
        cni0 UP 0a:58:0a:f4:01:01 <BROADCAST,MULTICAST,UP,LOWER_UP>
        cni-podman0 UP 0a:58:0a:f4:01:02 <BROADCAST,MULTICAST,UP,LOWER_UP>
        vxlan.calico UNKNOWN 66:1f:8a:0b:2c:4d <BROADCAST,MULTICAST,UP,LOWER_UP>
        """
    links = output("ip -br link", text, host="oak-1")
    assert seen("foreign-network-devices", links, CALICO) == [{"network": "flannel", "device": "cni0"}]


def test_a_route_counts_inside_a_pool_only():
    routes = output(
        "ip route",
        """
        10.9.1.0/24 dev cni0 proto kernel scope link src 10.9.1.1
        10.200.1.0/24 dev cni0 proto kernel scope link src 10.200.1.1
        10.9.7.0/26 via 10.1.1.2 dev tunl0 proto bird onlink
        """,
        host="oak-1",
    )
    pool = Pool(at=line(), name="default", cidr="10.9.0.0/16")
    found = seen("foreign-network-routes", routes, CALICO, pool)
    assert [one["route"] for one in found] == ["10.9.1.0/24"]
    assert seen("foreign-network-routes", routes, CALICO) == []


def test_another_network_at_work_is_named():
    nothing = output("ip route", "")
    assert seen("other-network-runs", nothing, CALICO, FLANNEL) == [{"network": "flannel"}]
    assert seen("other-network-runs", nothing, CALICO) == []


def test_another_network_beside_calicos_own():
    flannel = pod("kube-flannel-ds-x2x4z", namespace="kube-flannel", node="n1", status="Running")
    pool = Pool(at=line(), cidr="10.7.0.0/16", name="main")
    own = CniConfig(at=line(), plugins=("calico", "portmap"))
    sign = SIGNS["other-network-beside-calico"]
    (found,) = sign(picture(flannel, pool, own))
    assert found.values == {"network": "flannel"}
    assert not list(sign(picture(flannel, pool, CniConfig(at=line(), plugins=("calico",), ipam="host-local"))))
    none = thing("ConfigMap", "calico-config", data__calico_backend="none")
    assert not list(sign(picture(flannel, pool, own, none)))
