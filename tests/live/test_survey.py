from __future__ import annotations

import pytest

from calivet.live.collecting import MOST_PODS, choose_nodes, choose_pods, write_overview
from calivet.live.objects import AnnotatedMeta, Column, ListMeta, Meta, Part, Row, Table
from calivet.live.overview import ClusterOverview

POD_COLUMNS = ["Name", "Ready", "Status", "Restarts", "Age", "IP", "Node"]
NODE_COLUMNS = ["Name", "Status", "Version"]


def pods(*rows: Row[Meta]) -> Table[Meta]:
    return Table(ListMeta(), list(rows), [Column(name) for name in POD_COLUMNS])


def pod(name, node="n1", ready="1/1", status="Running", namespace=None, ip="10.9.0.7", restarts="0"):
    head = Part(Meta(name, namespace)) if namespace else None
    return Row([name, ready, status, restarts, "5d", ip, node], head)


def nodes(**states: str) -> Table[AnnotatedMeta]:
    rows = [
        Row(
            [name, state, "v1.30.1"],
            Part(AnnotatedMeta(name, {"projectcalico.org/IPv4Address": "10.0.0.1/24", "x": "y"})),
        )
        for name, state in states.items()
    ]
    return Table(ListMeta(), rows, [Column(name) for name in NODE_COLUMNS])


def daemonsets(namespace: str, name: str, images: str) -> Table[Meta]:
    row = Row([name, images], Part(Meta(name, namespace)))
    return Table(ListMeta(), [row], [Column("Name"), Column("Images")])


class TestRoles:
    def test_an_agent_under_another_name_is_found_by_its_daemonset(self):
        overview = ClusterOverview()
        overview.add_daemonsets(daemonsets("infra", "netagent", "registry.site/calico/node:v3.27.0"))
        overview.add_pods("infra", pods(pod("netagent-x2x4z"), pod("netagent-check-x2x4z")))
        assert [one.name for one in overview.list_pods("calico-node")] == ["netagent-x2x4z"]
        assert overview.list_namespaces() == ["infra"]

    def test_a_namespace_named_after_calico_makes_no_agent(self):
        overview = ClusterOverview()
        overview.add_pods("calico-demo", pods(pod("shop-7d4f5c6b7-x2x4z")))
        assert [one.role for one in overview.pods] == ["other"]
        assert overview.list_namespaces() == []


class TestOtherPods:
    def test_they_are_only_counted(self):
        overview = ClusterOverview()
        overview.count(
            pods(
                pod("web-1"),
                pod("web-2", ready="0/1", status="ContainerCreating", ip="<none>"),
                pod("job-1", ready="0/1", status="Completed", ip="<none>"),
                pod("web-3", node="n2", ready="1/2"),
            )
        )
        counts = {node: (count.pods, count.ready, count.no_address) for node, count in overview.counts.items()}
        assert counts == {"n1": (3, 2, 1), "n2": (1, 0, 0)}
        assert overview.pods == []

    def test_those_that_do_not_come_up_are_kept_once(self):
        overview = ClusterOverview()
        overview.add_pods("kube-system", pods(pod("calico-node-x2x4z", ready="0/1", status="Init:0/3")))
        overview.add_strays(
            pods(
                pod("calico-node-x2x4z", ready="0/1", status="Init:0/3", namespace="kube-system"),
                pod("web-2", ready="0/1", status="ContainerCreating", namespace="shop"),
            ),
            most=1,
        )
        assert [(one.namespace, one.name) for one in overview.pods] == [
            ("kube-system", "calico-node-x2x4z"),
            ("shop", "web-2"),
        ]


class TestOrder:
    def test_it_does_not_hang_on_what_arrived_first(self):
        overview = ClusterOverview()
        overview.add_nodes(nodes(n2="Ready", n1="Ready"))
        overview.add_strays(pods(pod("calico-node-x2x4z", status="Init:0/3", namespace="kube-system")), most=9)
        overview.add_pods("kube-system", pods(pod("calico-node-x2x4z", status="Init:0/3"), pod("calico-node-a2a4b")))
        overview.settle()
        assert [one.name for one in overview.nodes] == ["n1", "n2"]
        assert [one.name for one in overview.pods] == ["calico-node-a2a4b", "calico-node-x2x4z"]


class TestSickNodes:
    def test_not_ready_sick_agent_and_no_agent(self):
        overview = ClusterOverview()
        overview.add_nodes(nodes(n1="Ready", n2="NotReady", n3="Ready,SchedulingDisabled", n4="Ready"))
        overview.add_pods(
            "kube-system",
            pods(pod("calico-node-aaaaa"), pod("calico-node-bbbbb", "n2"), pod("calico-node-ccccc", "n3", "0/1")),
        )
        assert overview.list_sick_nodes() == ["n2", "n3", "n4"]


class TestChoosing:
    @pytest.fixture
    def overview(self):
        overview = ClusterOverview()
        overview.add_nodes(nodes(n1="Ready", n2="Ready", n3="Ready"))
        overview.add_pods(
            "kube-system",
            pods(
                pod("kube-proxy-aaaaa", "n2", "0/1", "CrashLoopBackOff"),
                pod("calico-node-aaaaa", "n1"),
                pod("calico-node-bbbbb", "n2", "0/1"),
                pod("calico-node-ccccc", "n3"),
            ),
        )
        return overview

    def test_the_sick_come_first_and_one_healthy_agent_follows(self, overview):
        chosen, more = choose_pods(overview, ())
        assert [one.name for one in chosen] == ["calico-node-bbbbb", "kube-proxy-aaaaa", "calico-node-aaaaa"]
        assert more == 0

    def test_of_a_named_node_and_of_no_other(self, overview):
        chosen, _ = choose_pods(overview, ("n3",))
        assert [one.name for one in chosen] == ["calico-node-ccccc", "calico-node-aaaaa"]
        assert choose_nodes(overview, ("n3",))[0] == ["n3", "n1"]

    @pytest.mark.parametrize(
        ("restarts", "looked_at"), [("9 (2m ago)", True), ("9 (3d ago)", False), ("1 (2m ago)", False), ("9", False)]
    )
    def test_a_pod_that_was_just_killed_again_is_not_taken_for_well(self, restarts, looked_at):
        overview = ClusterOverview()
        overview.add_pods(
            "kube-system", pods(pod("calico-node-aaaaa"), pod("calico-node-bbbbb", "n2", restarts=restarts))
        )
        assert (choose_pods(overview, ())[0][0].name == "calico-node-bbbbb") is looked_at

    def test_many_are_bounded_and_the_rest_is_told(self):
        overview = ClusterOverview()
        overview.add_pods(
            "kube-system", pods(*(pod(f"calico-node-{number:05}", f"n{number}", "0/1") for number in range(100)))
        )
        chosen, more = choose_pods(overview, ())
        assert (len(chosen), more) == (MOST_PODS, 100 - MOST_PODS)


class TestOverview:
    def test_it_prints_as_kubectl_does(self):
        overview = ClusterOverview()
        overview.add_nodes(nodes(n1="Ready"))
        overview.add_pods("kube-system", pods(pod("calico-node-aaaaa")))
        overview.count(pods(pod("calico-node-aaaaa"), pod("web-1")))
        documents = {name: lines for name, _, lines in write_overview(overview)}
        assert documents["nodes.txt"] == ["NAME   STATUS   VERSION", "n1     Ready    v1.30.1"]
        assert documents["pods.txt"][0].split() == ["NAMESPACE", *(name.upper() for name in POD_COLUMNS)]
        assert len(documents["pods.txt"]) == 2
        assert documents["nodes-calico.txt"][1].split()[:2] == ["n1", "10.0.0.1/24"]
        assert documents["pods-by-node.txt"][1:] == ["n1      2      2       0", "(all)   2      2       0"]


def test_addresses_that_pods_of_several_nodes_hold():
    overview = ClusterOverview()
    overview.count(
        pods(
            pod("cart", "n1", ip="10.9.0.7"),
            pod("till", "n2", ip="10.9.0.7"),
            pod("done", "n3", ip="10.9.0.8", ready="0/1", status="Completed"),
            pod("desk", "n1", ip="10.9.0.8"),
            # On the network of the host.
            pod("agent", "n1", ip="10.4.0.1"),
            pod("proxy", "n1", ip="10.4.0.1"),
            pod("new-1", "n1", ip="<none>"),
            pod("new-2", "n2", ip="<none>"),
        )
    )
    assert overview.shared == ["10.9.0.7"]
