from ipaddress import IPv4Network

import pytest
from msgspec import structs

from calivet.facts.calico import LogSpan, Pool
from calivet.facts.cluster_network import list_pod_ranges, list_pools
from calivet.facts.fact import Reach, Variable
from calivet.facts.host import FirewallRule, Interface, Route
from calivet.facts.kubernetes import Node, Row
from calivet.facts.networks import is_inside, parse_network
from calivet.signs.ipam.pod_ranges import SIGNS
from tests.facts.drawing import picture_of
from tests.signs.made_pictures import line, note, output, picture, pod, thing


def pool(cidr, **fields):
    return Pool(at=line(cidr), cidr=cidr, **fields)


def node(name, address):
    return Node(at=line(name), name=name, internal_ip=address)


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


FIRST_POOL = Variable(at=line(), name="CALICO_IPV4POOL_CIDR", value="10.4.0.0/16")


def test_networks_are_read_or_none():
    assert str(parse_network(" 10.7.3.9/16 ")) == "10.7.0.0/16"
    assert parse_network("ten/16") is None
    assert parse_network(None) is None
    assert is_inside("10.7.3.9/32", IPv4Network("10.7.0.0/16"))
    assert not is_inside("<none>", IPv4Network("10.7.0.0/16"))


def test_pools_come_from_lists_installations_and_cut_down_yaml_but_not_when_disabled():
    cut = output("kubectl get ippool -o yaml | grep cidr", "    cidr: 10.9.0.0/16", first=1)
    fragment = structs.replace(thing(None, cidr="10.9.0.0/16"), at=cut.at(1))
    dumped = output("kubectl get ippools.crd.projectcalico.org -o yaml", "kind: IPPool", first=1)
    found = list_pools(
        picture(
            pool("10.1.0.0/16"),
            pool("10.2.0.0/16", disabled=True),
            thing("Installation", **{"spec__calicoNetwork__ipPools[0]__cidr": "10.3.0.0/16"}),
            FIRST_POOL,
            fragment,
            structs.replace(thing("IPPool", spec__cidr="10.5.0.0/16", spec__disabled=True), at=dumped.at(1)),
            artifacts=[cut, dumped],
        )
    )
    assert {str(one.network) for one in found} == {"10.1.0.0/16", "10.3.0.0/16", "10.9.0.0/16"}


def test_the_count_of_a_disabled_pool_is_no_pool():
    counted = [
        Row(at=line(cidr), cells={"GROUPING": "IP Pool", "CIDR": cidr}) for cidr in ("10.1.0.0/16", "10.2.0.0/16")
    ]
    found = list_pools(picture(pool("10.2.0.0/16", disabled=True), *counted))
    assert [str(one.network) for one in found] == ["10.1.0.0/16"]


def test_the_environment_tells_of_the_first_pool_where_no_pool_is_seen():
    assert [str(one.network) for one in list_pools(picture(FIRST_POOL))] == ["10.4.0.0/16"]


def test_ranges_that_kubernetes_was_told_are_found_in_any_shape():
    told = list_pod_ranges(
        picture(
            artifacts=[
                output("cat config.yaml", 'cluster-cidr: "10.21.0.0/16"\nservice-cidr: 10.22.0.0/16'),
                output("kubectl get cm kubeadm-config", "podSubnet: 10.14.0.0/16,fd00:14::/48"),
                note("we ran kubeadm init --pod-network-cidr=10.15.0.0/16"),
                output(
                    "cat cluster.yaml",
                    'pods:\n  cidrBlocks: ["10.16.0.0/16"]\nservices:\n  cidrBlocks: ["10.17.0.0/16"]',
                ),
            ]
        )
    )
    written = {str(one.network) for one in told}
    assert written == {"10.21.0.0/16", "10.14.0.0/16", "fd00:14::/48", "10.15.0.0/16", "10.16.0.0/16"}


def test_a_pool_over_the_node_network_is_seen_and_a_disjoint_one_is_not():
    (found,) = seen("pod-range-contains-nodes", pool("192.168.0.0/16"), node("wk-1", "192.168.7.5"))
    assert found.node == "wk-1"
    assert found.values == {"cidr": "192.168.0.0/16", "address": "192.168.7.5"}
    assert not seen("pod-range-contains-nodes", pool("10.244.0.0/16"), node("wk-1", "192.168.7.5"))


def test_a_node_in_the_pod_range_is_cut_off_only_where_rules_are_there_and_the_log_times_out():
    log = LogSpan(
        at=line(), program="startup", host="wk-1", last_message="retry error=dial tcp 10.96.0.1:443: i/o timeout"
    )
    rule = FirewallRule(at=line(), rule="-A KUBE-SERVICES -d 10.96.0.1/32", chain="KUBE-SERVICES", host="wk-1")
    there = (pool("10.64.0.0/12"), node("wk-1", "10.70.1.9"))
    assert seen("node-in-pod-range-cut-off", *there, log, rule)
    assert not seen("node-in-pod-range-cut-off", *there, log)
    assert not seen("node-in-pod-range-cut-off", *there, rule)


def test_overlaps_with_services_bridges_and_other_pools():
    service = Row(at=line(), resource="service", name="kubernetes", cells={"CLUSTER-IP": "10.96.0.1"})
    assert seen("pod-range-meets-services", pool("10.96.0.0/12"), service)
    assert not seen("pod-range-meets-services", pool("10.244.0.0/16"), service)
    docker = Interface(at=line(), name="docker0", addresses=("172.17.0.1/16",), host="wk-1")
    card = Interface(at=line(), name="eth0", addresses=("172.17.9.9/16",), host="wk-1")
    (found,) = seen("pod-range-meets-bridge", pool("172.16.0.0/12"), docker, card)
    assert found.values["interface"] == "docker0"
    assert seen("pools-overlap-each-other", pool("10.1.0.0/16"), pool("10.1.128.0/17"))
    assert not seen("pools-overlap-each-other", pool("10.1.0.0/16"), pool("10.2.0.0/16"))


def test_a_pool_outside_what_kubernetes_was_told():
    kubeadm = note("kubeadm init --pod-network-cidr=10.244.0.0/16")
    proxy = output("kubectl get cm kube-proxy", "clusterCIDR: 10.244.0.0/16")
    (found,) = seen("pool-outside-cluster-range", pool("192.168.0.0/16"), artifacts=[kubeadm, proxy])
    assert found.values == {"pool": "192.168.0.0/16", "range": "10.244.0.0/16", "who": "kubeadm"}
    (found,) = seen("pool-outside-proxy-range", pool("192.168.0.0/16"), artifacts=[kubeadm, proxy])
    assert found.values["who"] == "kube-proxy"
    assert not seen("pool-outside-cluster-range", pool("10.244.64.0/18"), artifacts=[kubeadm])


def test_kube_proxy_masquerades_another_range():
    rule = FirewallRule(
        at=line(),
        rule="-A KUBE-SVC-X ! -s 10.21.0.0/16 -d 10.22.5.2/32 -p tcp -j KUBE-MARK-MASQ",
        chain="KUBE-SVC-X",
    )
    assert seen("masquerade-range-differs", pool("10.51.0.0/16"), rule)
    assert not seen("masquerade-range-differs", pool("10.21.0.0/16"), rule)
    assert not seen("masquerade-range-differs", rule)
    assert not seen("masquerade-range-differs", pool("10.51.0.0/16"), pod("x"))


def test_a_pod_and_a_service_on_one_address():
    service = Row(at=line(), resource="service", name="harbour", cells={"CLUSTER-IP": "10.101.4.3"})
    (found,) = seen("pod-has-service-address", service, pod("web-1", ip="10.101.4.3"))
    assert found.values["service"] == "harbour"
    assert not seen("pod-has-service-address", service, pod("web-1", ip="10.101.4.4"))


def test_a_blackhole_over_a_foreign_address():
    hole = Route(at=line(), host="wk-1", destination="10.21.30.0/26", kind="blackhole", protocol="80")
    lost = Reach(at=line(), host="wk-1", target="10.21.30.15", port=3306, protocol="tcp", outcome="error")
    (found,) = seen("block-blackholes-foreign-address", hole, lost)
    assert found.values == {"block": "10.21.30.0/26", "address": "10.21.30.15"}
    assert not seen("block-blackholes-foreign-address", hole, lost, pod("web-1", ip="10.21.30.15"))
    assert not seen("block-blackholes-foreign-address", hole, structs.replace(lost, host="wk-2"))
    assert not seen("block-blackholes-foreign-address", hole, structs.replace(lost, outcome="ok"))


def test_a_neighbour_in_the_pod_range_that_pods_miss():
    node = Reach(at=line(), host="wk-1", target="192.168.50.40", port=80, protocol="http", outcome="ok")
    lost = Reach(at=line(), pod="shell", target="192.168.50.40", port=80, protocol="http", outcome="timeout")
    assert seen("pods-miss-neighbour-in-range", pool("192.168.0.0/16"), node, lost)
    assert not seen("pods-miss-neighbour-in-range", pool("10.244.0.0/16"), node, lost)
    assert not seen("pods-miss-neighbour-in-range", pool("192.168.0.0/16"), lost)


@pytest.mark.parametrize(
    "told",
    [
        "The nodes are in 192.168.56.0/24 and the pod CIDR is 192.168.0.0/16. Since then nothing answers.",
        "机房内网是 10.71.8.0/22，当时 pod 网段用的 10.71.0.0/16，现在有几台服务器 ping 不通。",
        "节点网段 192.168.10.x，calico 网段 192.168.0.0/16，装好后跨节点不通",
    ],
)
def test_ranges_of_pods_and_machines_that_an_author_gives_are_compared(told):
    assert len(list(SIGNS["stated-ranges-overlap"](picture_of(told)))) == 1


@pytest.mark.parametrize(
    "told",
    [
        "Pod CIDR is 10.71.0.0/16, hosts are on 192.168.1.0/24.",
        "Make sure the pod CIDR 192.168.0.0/16 does not overlap with the node network 192.168.1.0/24.",
        "Each node gets a block: node birch-1 has 10.71.1.0/24, pod network is 10.71.0.0/16.",
        "Is the pod range 192.168.0.0/16, with nodes in 192.168.3.0/24?",
        "每个节点分配 10.71.1.0/24，pod 网段是 10.71.0.0/16。",
        "the nodes' pod range 10.71.1.0/24 is part of the pool 10.71.0.0/16",
    ],
)
def test_blocks_wishes_and_questions_are_no_ranges_of_machines(told):
    assert list(SIGNS["stated-ranges-overlap"](picture_of(told))) == []
