"""What the picture answers about nodes and pods that were seen once, often, or by several names."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick
from calivet.facts.fact import Note
from calivet.facts.kubernetes import Pod
from tests.facts.drawing import artifacts_of, nodes, picture_of, pods

THREE = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12", "birch-3 Ready,SchedulingDisabled 10.71.0.13")


def pod(status, ready=None, containers=None):
    return Pod(at=Line("a", 1, ""), name="calico-node-2bs6x", status=status, ready=ready, containers=containers)


@pytest.mark.parametrize(
    ("seen", "sick", "healthy"),
    [
        (pod("Running", 1, 1), False, True),
        (pod("Running", 0, 1), True, False),
        (pod("Running", 1, 2), True, False),
        (pod("Running"), False, False),
        (pod(None), False, False),
        (pod("Init:0/3", 0, 1), True, False),
        (pod("CrashLoopBackOff", 0, 1), True, False),
        (pod("Pending"), True, False),
        (pod("NodeLost", 1, 1), True, False),
        (pod("Completed", 0, 1), False, False),
        (pod("Succeeded", 0, 1), False, False),
    ],
)
def test_a_state_that_was_not_seen_is_neither_good_nor_bad(seen, sick, healthy):
    assert (is_sick(seen), is_healthy(seen)) == (sick, healthy)


def test_nodes_are_sick_or_healthy_by_their_list():
    picture = picture_of(THREE)
    assert picture.sick_nodes == {"birch-2"}
    assert picture.healthy_nodes == {"birch-1", "birch-3"}


def test_a_sick_calico_node_makes_a_ready_node_sick():
    picture = picture_of(THREE + pods("calico-node-2bs6x 0/1 CrashLoopBackOff 41 3h 10.71.0.11 birch-1"))
    assert picture.sick_nodes == {"birch-1", "birch-2"}
    assert picture.healthy_nodes == {"birch-3"}


def test_a_sick_application_does_not():
    picture = picture_of(THREE + pods("orders-7d9c6bb9d8-pjw4s 0/1 CrashLoopBackOff 41 3h 10.244.0.7 birch-1"))
    assert "birch-1" in picture.healthy_nodes


def test_once_sick_is_never_healthy():
    picture = picture_of(
        nodes("birch-1 NotReady 10.71.0.11") + "[root@bastion ~]# sleep 60\n" + nodes("birch-1 Ready 10.71.0.11")
    )
    assert picture.healthy_nodes == set()


def test_the_last_sighting_of_a_pod_counts_and_a_moved_pod_is_where_it_was_last():
    text = pods("calico-node-2bs6x 0/1 Init:0/3 0 2m 10.71.0.11 birch-1", "wiki-0 0/1 Pending 0 1m <none> birch-1")
    text += pods("calico-node-2bs6x 1/1 Running 0 9m 10.71.0.11 birch-1", "wiki-0 1/1 Running 0 1m 10.244.1.9 birch-2")
    picture = picture_of(text)
    assert [seen.status for seen in picture.pods("calico-node")] == ["Init:0/3", "Running"]
    assert [seen.status for seen in picture.list_latest_pods("calico-node")] == ["Running"]
    assert picture.find_node_of_pod("wiki-0") == "birch-2"
    assert picture.find_node_of_pod("wiki-1") is None
    assert picture.find_node_of_pod(None) is None


def test_facts_come_in_the_order_of_the_evidence_across_files():
    lines = {"b.txt": "first words\n\nsecond words", "a.txt": "third words"}
    artifacts = artifacts_of(lines)
    facts = [Note(at=Line(*at, ""), text=str(at)) for at in (("a.txt", 1), ("b.txt", 3), ("b.txt", 1))]
    picture = ClusterFacts(artifacts, facts)
    assert [(fact.at.artifact, fact.at.number) for fact in picture.all(Note)] == [
        ("b.txt", 1),
        ("b.txt", 3),
        ("a.txt", 1),
    ]
    assert picture.order(Line("b.txt", 9, "")) < picture.order(Line("a.txt", 1, ""))


def test_every_name_of_a_node_leads_to_it():
    text = nodes("birch-1.example.net Ready 10.71.0.11") + pods("kube-proxy-c2wxb 1/1 Running 1 9d 10.71.0.12 birch-2")
    names = picture_of(text).names
    for called in ("birch-1.example.net", "BIRCH-1", "birch-1", "birch-1.example.net.", "10.71.0.11"):
        assert names.node(called) == "birch-1.example.net"
    assert names.node("10.71.0.12") == "birch-2"


def test_the_address_of_a_pod_on_the_pod_network_is_no_node():
    assert (
        picture_of(pods("coredns-78fcd69978-5vq7l 1/1 Running 0 9d 10.244.12.66 birch-1")).names.node("10.244.12.66")
        is None
    )


def test_an_empty_picture_answers():
    picture = picture_of("")
    assert picture.sick_nodes == picture.healthy_nodes == set()
    assert picture.names.node("birch-1") is None
    assert picture.list_latest_pods("calico-node") == []


def test_a_pod_that_was_replaced_on_its_node_is_no_longer_the_latest():
    text = pods("calico-node-2bs6x 0/1 CrashLoopBackOff 9 50m 10.71.0.11 birch-1")
    text += '[root@bastion ~]# kubectl -n kube-system delete pod calico-node-2bs6x\npod "calico-node-2bs6x" deleted\n'
    text += pods("calico-node-zf58r 1/1 Running 0 2m 10.71.0.11 birch-1")
    assert [seen.name for seen in picture_of(text).list_latest_pods("calico-node")] == ["calico-node-zf58r"]


def test_a_machine_known_from_its_log_by_its_first_name_is_its_node():
    log = "2025-03-11 10:01:02.003 [INFO][70] felix/health.go 336: Overall health status changed: live=true ready=true"
    logs = "".join(f"[root@{host} ~]# cat felix.log\n{log}\n" for host in ("birch-1", "birch-9", "birch-9.example.net"))
    seen = picture_of(nodes("birch-1.example.net Ready 10.71.0.11") + logs).names.nodes
    assert seen == ["birch-1.example.net", "birch-9.example.net"]


def test_nodes_that_are_listed_by_both_names_are_two():
    text = nodes("birch-1.example.net Ready 10.71.0.11", "birch-1 NotReady 10.71.0.11")
    assert picture_of(text).names.nodes == ["birch-1.example.net", "birch-1"]
