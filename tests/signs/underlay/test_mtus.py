"""MTU values that do not fit into each other."""

from __future__ import annotations

import pytest

from tests.facts.drawing import sightings

LISTING = """
[root@oak-1 ~]# ip addr
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    inet 127.0.0.1/8 scope host lo
2: ens3: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {card} qdisc fq_codel state UP group default qlen 1000
    inet 10.40.0.11/24 brd 10.40.0.255 scope global ens3
7: vxlan.calico: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {tunnel} qdisc noqueue state UNKNOWN group default
    inet 10.99.4.0/32 scope global vxlan.calico
9: cali0a1b2c3d4e5@if4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {pod} qdisc noqueue state UP group default
[root@oak-1 ~]# ip route
default via 10.40.0.1 dev ens3
"""
IDLE_TUNNEL = """
[root@oak-1 ~]# ip link
6: tunl0@NONE: <NOARP> mtu 1440 qdisc noop state DOWN mode DEFAULT group default qlen 1000
9: cali0a1b2c3d4e5@if4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP mode DEFAULT group default
"""


def test_pods_may_send_more_than_the_tunnel_takes():
    (seen,) = sightings("pod-mtu-over-tunnel", LISTING.format(card=1500, tunnel=1450, pod=1500))
    assert seen.node == "oak-1"
    assert seen.values == {
        "pod_mtu": "1500", "where": "cali0a1b2c3d4e5", "device": "vxlan.calico", "tunnel_mtu": "1450"
    }  # fmt: skip


def test_the_tunnel_does_not_fit_the_card():
    (seen,) = sightings("tunnel-mtu-over-card", LISTING.format(card=1450, tunnel=1450, pod=1450))
    assert (seen.values["card"], seen.values["card_mtu"], seen.values["overhead"]) == ("ens3", "1450", "50")


def test_values_that_fit():
    text = LISTING.format(card=1500, tunnel=1450, pod=1450)
    assert sightings("pod-mtu-over-tunnel", text) == []
    assert sightings("tunnel-mtu-over-card", text) == []


def test_a_tunnel_that_is_not_used_limits_nothing():
    assert sightings("pod-mtu-over-tunnel", IDLE_TUNNEL) == []


def without_tunnel(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "vxlan.calico" not in line)


def test_without_a_tunnel_the_card_is_the_limit():
    (seen,) = sightings("pod-mtu-over-card", without_tunnel(LISTING.format(card=1500, tunnel=0, pod=8900)))
    assert seen.values == {"pod_mtu": "8900", "card": "ens3", "card_mtu": "1500"}
    assert sightings("pod-mtu-over-card", without_tunnel(LISTING.format(card=1500, tunnel=0, pod=1500))) == []
    assert sightings("pod-mtu-over-card", LISTING.format(card=1500, tunnel=1450, pod=8900)) == []


WAY = "10.99.7.0/26 via {via} dev {device} {by}onlink\n"
OVER_TUNNEL = WAY.format(via="10.99.7.0", device="vxlan.calico", by="")
OVER_CARD = WAY.format(via="10.40.0.12", device="ens3", by="proto bird ")


def test_packets_of_pods_must_fit_the_card():
    (seen,) = sightings("pod-mtu-over-path", LISTING.format(card=1500, tunnel=1450, pod=8900) + OVER_TUNNEL)
    assert (seen.node, seen.values["pod_mtu"], seen.values["overhead"]) == ("oak-1", "8900", "50")
    assert (seen.values["card"], seen.values["card_mtu"]) == ("ens3", "1500")
    assert sightings("pod-mtu-over-path", LISTING.format(card=1500, tunnel=1450, pod=1500) + OVER_TUNNEL) == []
    assert sightings("pod-mtu-over-path", LISTING.format(card=9000, tunnel=1450, pod=1500) + OVER_TUNNEL) == []


def test_a_tunnel_that_no_route_leads_into_adds_nothing():
    """All nodes are in one subnet and the tunnel is for others: full packets are what was meant."""
    assert sightings("pod-mtu-over-path", LISTING.format(card=1500, tunnel=1450, pod=1500) + OVER_CARD) == []
    assert sightings("pod-mtu-over-path", LISTING.format(card=1500, tunnel=1450, pod=8900) + OVER_CARD)
    assert sightings("pod-mtu-over-path", LISTING.format(card=1500, tunnel=1450, pod=8900)) == []


def test_the_card_beside_the_next_node_counts_and_not_that_of_the_default_route():
    wide = LISTING.replace(
        "7: vxlan.calico",
        "3: ens4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc fq_codel state UP group default\n"
        "    inet 10.50.0.11/24 brd 10.50.0.255 scope global ens4\n7: tunl0@NONE",
    ).replace("scope global vxlan.calico", "scope global tunl0")
    beyond = WAY.format(via="10.50.0.12", device="tunl0", by="proto bird ")
    assert sightings("pod-mtu-over-path", wide.format(card=1500, tunnel=8980, pod=8980) + beyond) == []
    assert sightings("pod-mtu-over-path", wide.format(card=1500, tunnel=8980, pod=9500) + beyond)


CONFIGURED = """
$ kubectl get configmaps -n kube-system calico-config -o yaml
apiVersion: v1
data:
  calico_backend: bird
  veth_mtu: "{configured}"
kind: ConfigMap
metadata:
  name: calico-config
  namespace: kube-system
$ kubectl logs -n kube-system calico-node-7tq4n -c calico-node
2026-03-14 09:26:53.589 [INFO][61] felix/int_dataplane.go 1101: Determined pod MTU mtu={determined}
"""


@pytest.mark.parametrize(
    ("configured", "determined", "is_seen"),
    [(8900, 1480, True), (8900, 8900, False), (0, 1480, False), (1440, 1480, False), (1500, 1480, False)],
)
def test_felix_knows_what_its_machine_takes(configured, determined, is_seen):
    text = CONFIGURED.format(configured=configured, determined=determined)
    assert bool(sightings("configured-mtu-over-determined", text)) is is_seen


def test_the_file_that_felix_leaves_for_the_plugin_says_it_too():
    file = "[root@oak-1 ~]# cat /var/lib/calico/mtu\n1480\n"
    plugin = '    {\n      "type": "calico",\n      "mtu": 8900,\n      "ipam": {"type": "calico-ipam"}\n    }'
    config = f'{{\n  "name": "k8s-pod-network",\n  "cniVersion": "0.3.1",\n  "plugins": [\n{plugin}\n  ]\n}}'
    text = f"{file}[root@oak-1 ~]# cat /etc/cni/net.d/10-calico.conflist\n{config}\n"
    (seen,) = sightings("configured-mtu-over-determined", text)
    assert seen.values == {"pod_mtu": "8900", "determined": "1480"}
    assert seen.node == "oak-1"
