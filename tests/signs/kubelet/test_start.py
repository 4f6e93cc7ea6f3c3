"""How long things take: init containers, gaps between created and started, starts against their probes."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

HEAD = "[root@bastion ~]# kubectl -n kube-system describe pod {pod}\nName: {pod}\nNamespace: kube-system\nNode: birch-2/10.71.0.12\n"
EVENTS = "Events:\n  Type    Reason   Age   From     Message\n  ----    ------   ----  ----     -------\n"


def described(init_state="Running", started="09:53:47", pod="calico-node-7tq4n", events="", container="upgrade-ipam"):
    """A described pod in its first init container."""
    return (
        HEAD.format(pod=pod) + "Start Time:           Tue, 15 Mar 2022 09:48:12 +0100\n"
        "Status:               Pending\n"
        "Init Containers:\n"
        f"  {container}:\n"
        "    Image:         docker.io/calico/cni:v3.21.4\n"
        f"    State:          {init_state}\n"
        f"      Started:      Tue, 15 Mar 2022 {started} +0100\n"
        "    Ready:          False\n"
        "    Restart Count:  0\n"
        "Containers:\n"
        "  calico-node:\n"
        "    Image:         docker.io/calico/node:v3.21.4\n"
        "    State:          Waiting\n"
        "      Reason:       PodInitializing\n"
        "    Ready:          False\n"
        "    Restart Count:  0\n" + (EVENTS + events if events else "")
    )


def started(age, container="upgrade-ipam", source="kubelet"):
    return f"  Normal  Started  {age}  {source}  Started container {container}\n"


class TestInitContainerOverdue:
    def test_minutes_by_its_started_event(self):
        (seen,) = sightings("init-container-overdue", described(events=started("52m")))
        assert seen.node == "birch-2"
        assert seen.values == {"container": "upgrade-ipam", "pod": "calico-node-7tq4n", "duration": "52 min"}
        assert "Running" in seen.line.text

    def test_minutes_by_the_age_of_the_pod(self):
        text = pods("calico-node-7tq4n 0/1 Init:0/3 0 58m 10.71.0.12 birch-2") + described()
        assert [seen.values["duration"] for seen in sightings("init-container-overdue", text)] == ["58 min"]

    @pytest.mark.parametrize(("age", "fires"), [("2m59s", False), ("3m", True), ("3m1s", True), ("12s", False)])
    def test_the_boundary(self, age, fires):
        assert bool(sightings("init-container-overdue", described(events=started(age)))) is fires

    def test_a_container_that_waits_or_has_ended_is_not_overdue(self):
        for state in ("Waiting", "Terminated"):
            assert sightings("init-container-overdue", described(init_state=state, events=started("52m"))) == []

    def test_without_any_age_nothing_is_said(self):
        assert sightings("init-container-overdue", described()) == []

    def test_an_application_that_waits_for_its_database_is_none_of_our_business(self):
        text = described(pod="orders-6d4b58795b-m8vxj", container="wait-for-db", events=started("57m", "wait-for-db"))
        assert sightings("init-container-overdue", text) == []


def gap(created, begun, source="kubelet"):
    row = "  Normal  {0}  {1}  {2}  {0} container calico-node\n"
    return (
        HEAD.format(pod="calico-node-7tq4n")
        + EVENTS
        + row.format("Created", created, source)
        + row.format("Started", begun, source)
    )


class TestCreatedStartedGap:
    @pytest.mark.parametrize(
        ("created", "begun", "fires"),
        [
            ("94s", "64s", True),  # seconds: thirty of them
            ("93s", "64s", False),
            ("5m14s", "3m2s", True),
            ("9m59s", "9m40s", False),
            ("10m", "9m58s", False),  # 10m is anything up to 10m59s; the gap may be just two seconds
            ("54m", "52m", True),  # minutes: two of them, one may be rounding
            ("54m", "53m", False),
            ("3h11m", "3h9m", True),
            ("3h11m", "3h10m", False),
            ("11h", "9h", True),  # hours
            ("10h", "9h", False),
            ("3d", "3d", False),
            ("6d", "4d", True),  # days
            ("5d", "4d", False),
            ("52m", "54m", False),  # created again, after an earlier start
        ],
    )
    def test_at_each_precision_that_kubectl_shows(self, created, begun, fires):
        assert bool(sightings("created-started-gap", gap(created, begun))) is fires

    def test_what_it_says(self):
        (seen,) = sightings("created-started-gap", gap("54m", "52m", "kubelet, birch-2"))
        assert (seen.node, seen.values) == ("birch-2", {"container": "calico-node", "gap": "2 min"})
        assert seen.line.text.endswith("Started container calico-node")

    def test_the_node_of_the_described_pod_where_the_source_does_not_name_it(self):
        assert [seen.node for seen in sightings("created-started-gap", gap("54m", "52m"))] == ["birch-2"]

    def test_the_words_of_newer_kubernetes(self):
        text = gap("54m", "52m").replace("container calico-node", "container: calico-node")
        assert [seen.values["container"] for seen in sightings("created-started-gap", text)] == ["calico-node"]

    def test_a_list_of_events_keeps_pods_apart(self):
        text = (
            "[root@bastion ~]# kubectl -n kube-system get events\n"
            "LAST SEEN   TYPE     REASON    OBJECT                  MESSAGE\n"
            "54m         Normal   Created   pod/calico-node-7tq4n   Created container calico-node\n"
            "30m         Normal   Started   pod/calico-node-kd9wp   Started container calico-node\n"
        )
        assert sightings("created-started-gap", text) == []

    @pytest.mark.parametrize("count", ["", "1\t"], ids=["describe", "describe of 1.8"])
    def test_old_kubectl_shows_whole_minutes(self, count):
        if count:
            text = (
                "Events:\n  FirstSeen\tLastSeen\tCount\tFrom\t\tSubObjectPath\tType\tReason\tMessage\n"
                "  5m\t\t5m\t\t1\tkubelet, birch-2\tspec.containers{calico-node}\tNormal\tCreated\tCreated container with id aaa111\n"
                "  4m\t\t4m\t\t1\tkubelet, birch-2\tspec.containers{calico-node}\tNormal\tStarted\tStarted container with id aaa111\n"
            )
        else:
            text = gap("5m", "4m", "kubelet, birch-2")
        assert sightings("created-started-gap", text) == []

    def test_containers_without_a_name_are_not_mixed_up(self):
        row = "  {0}\t\t{0}\t\t1\tkubelet, birch-2\tspec.containers{{{1}}}\tNormal\t{2}\t{2} container with id {3}\n"
        text = "Events:\n  FirstSeen\tLastSeen\tCount\tFrom\t\tSubObjectPath\tType\tReason\tMessage\n"
        text += row.format("2m", "install-cni", "Created", "bbb222") + row.format(
            "2m", "install-cni", "Started", "bbb222"
        )
        text += row.format("40m", "calico-node", "Created", "aaa111") + row.format(
            "40m", "calico-node", "Started", "aaa111"
        )
        assert sightings("created-started-gap", text) == []


class TestFirstContainerLate:
    """The other way to see it: the pod was taken up, and its first container came minutes later."""

    @pytest.mark.parametrize(
        ("begun", "fires"),
        [("09:49:11", False), ("09:49:12", True), ("09:53:47", True), ("10:48:11", True), ("10:48:12", False)],
    )
    def test_the_boundaries(self, begun, fires):
        assert bool(sightings("created-started-gap", described(started=begun))) is fires

    def test_an_image_that_was_pulled_explains_it(self):
        pulled = '  Normal  Pulling  54m  kubelet  Pulling image "docker.io/calico/cni:v3.21.4"\n'
        assert sightings("created-started-gap", described(events=pulled)) == []

    def test_an_image_that_was_there_does_not(self):
        there = '  Normal  Pulled  54m  kubelet  Container image "docker.io/calico/cni:v3.21.4" already present on machine\n'
        assert [seen.values["gap"] for seen in sightings("created-started-gap", described(events=there))] == ["6 min"]

    def test_another_pod_does_not_count(self):
        assert sightings("created-started-gap", described(pod="orders-6d4b58795b-m8vxj")) == []

    def test_a_container_that_was_restarted_has_no_first_start(self):
        assert sightings("created-started-gap", described().replace("Restart Count:  0", "Restart Count:  2")) == []
