from __future__ import annotations

from calivet.reports.diagnosis.html.page_model.model import Spot
from tests.facts.drawing import Text, table
from tests.reports.page_model.seeing import scene_of

NODES = "$ kubectl get nodes -o wide -L topology.kubernetes.io/zone\n" + table(
    "NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME ZONE",
    "oak-1 Ready <none> 9d v1.29.4 10.1.0.1 <none> Debian 6.1.0 containerd://1.7.1 east-a",
    "oak-2 NotReady <none> 9d v1.29.4 10.1.0.2 <none> Debian 6.1.0 containerd://1.7.1 east-b",
    "oak-3 Ready <none> 9d v1.29.4 10.1.0.3 <none> Debian 6.1.0 containerd://1.7.1 <none>",
)
PODS = "$ kubectl get pods -n kube-system -o wide\n" + table(
    "NAME READY STATUS RESTARTS AGE IP NODE NOMINATED~NODE READINESS~GATES",
    "calico-node-aaaaa 1/1 Running 0 9d 10.1.0.1 oak-1 <none> <none>",
    "calico-node-bbbbb 0/1 CrashLoopBackOff 7 9d 10.1.0.2 oak-2 <none> <none>",
    "calico-node-ccccc 0/1 Running 0 9d 10.1.0.3 oak-3 <none> <none>",
)


def spots(text: Text) -> dict[str, Spot]:
    return {spot.name: spot for spot in scene_of(text).spots}


def told(spot: Spot) -> tuple[str, int] | None:
    """Where its state was seen."""
    return (spot.line.artifact, spot.line.number) if spot.line else None


def test_state_agent_address_and_zone_of_each_node():
    found = spots({"nodes.txt": NODES, "pods.txt": PODS})
    assert [(one.state, one.zone, one.address, one.agent) for one in found.values()] == [
        ("well", "east-a", "10.1.0.1", "1/1 Running"),
        ("sick", "east-b", "10.1.0.2", "0/1 CrashLoopBackOff"),
        ("sick", "", "10.1.0.3", "0/1 Running"),
    ]


def test_the_line_is_the_one_that_tells_the_state():
    both, nodes_only = spots({"nodes.txt": NODES, "pods.txt": PODS}), spots({"nodes.txt": NODES})
    assert [told(spot) for spot in both.values()] == [("pods.txt", 3), ("pods.txt", 4), ("pods.txt", 5)]
    assert told(nodes_only["oak-2"]) == ("nodes.txt", 4)


def test_a_bad_state_outlasts_a_good_one():
    later = PODS.replace("0/1     CrashLoopBackOff   7", "1/1     Running            7")
    found = spots({"before.txt": PODS, "later.txt": later})["oak-2"]
    assert (found.state, found.agent, told(found)) == ("sick", "1/1 Running", ("before.txt", 4))


def test_labels_tell_the_zone_too_and_calico_the_address():
    text = """
        $ kubectl describe node oak-7
        Name:               oak-7
        Roles:              <none>
        Labels:             failure-domain.beta.kubernetes.io/zone=west-c
                            kubernetes.io/hostname=oak-7
        Annotations:        projectcalico.org/IPv4Address: 192.168.9.7/24
        Addresses:
          InternalIP:  10.1.0.7
          Hostname:    oak-7
    """
    found = spots(text)["oak-7"]
    assert (found.zone, found.address, found.state) == ("west-c", "192.168.9.7", "unseen")


def test_findings_that_name_the_node():
    found = spots({"nodes.txt": NODES, "oak-2.txt": "[root@oak-2 ~]# dmesg\nkernel: frobnicator main is gone\n"})
    assert {name: spot.causes for name, spot in found.items()} == {"oak-1": (), "oak-2": ("fault",), "oak-3": ()}


def test_the_whole_cluster_is_drawn_where_only_one_node_is_asked_about():
    assert len(scene_of({"nodes.txt": NODES, "pods.txt": PODS}, "oak-2").spots) == 3


def test_nothing_seen_nothing_drawn():
    assert scene_of("").spots == []
