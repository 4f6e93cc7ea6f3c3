"""The states of nodes and of their kubelets."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, pods, sightings

CONDITIONS = """[root@bastion ~]# kubectl describe node birch-2
Name:               birch-2
Roles:              <none>
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  MemoryPressure   {0}   Sat, 10 Oct 2020 11:19:27 +0200   Sat, 10 Oct 2020 11:33:06 +0200   {2}   {3}
  Ready            {1}   Sat, 10 Oct 2020 11:19:27 +0200   Sat, 10 Oct 2020 11:33:06 +0200   {2}   {3}
"""
SILENT = CONDITIONS.format("Unknown", "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
NO_NETWORK = CONDITIONS.format(
    "False", "False", "KubeletNotReady", "container runtime network not ready: cni plugin not initialized"
)
GOOD = CONDITIONS.format("False", "True", "KubeletReady", "kubelet is posting ready status")


def seen_on(sign, text):
    return sorted({seen.node for seen in sightings(sign, text)}, key=str)


class TestNotReady:
    @pytest.mark.parametrize("status", ["NotReady", "NotReady,SchedulingDisabled"])
    def test_in_the_list(self, status):
        (seen,) = sightings("node-not-ready", nodes("birch-1 Ready 10.71.0.11", f"birch-2 {status} 10.71.0.12"))
        assert (seen.node, seen.values["status"]) == ("birch-2", status)

    @pytest.mark.parametrize("page", [SILENT, NO_NETWORK])
    def test_in_the_conditions(self, page):
        assert "birch-2" in seen_on("node-not-ready", page)

    def test_silent_on_ready_and_cordoned_nodes(self):
        assert (
            sightings(
                "node-not-ready", nodes("birch-1 Ready 10.71.0.11", "birch-3 Ready,SchedulingDisabled 10.71.0.13")
            )
            == []
        )
        assert sightings("node-not-ready", GOOD) == []


class TestKubeletStoppedPosting:
    def test_fires_on_its_reason(self):
        assert seen_on("kubelet-stopped-posting", SILENT) == ["birch-2"]

    @pytest.mark.parametrize("page", [NO_NETWORK, GOOD])
    def test_silent_where_kubelet_speaks(self, page):
        assert sightings("kubelet-stopped-posting", page) == []


class TestRunningPodsOnSilentNode:
    PODS = pods(
        "wiki-7d9c6bb9d8-pjw4s 1/1 Running 0 9d 10.244.0.9 birch-2", "shop-0 1/1 Running 0 9d 10.244.1.9 birch-1"
    )

    def test_fires_for_the_pods_of_that_node(self):
        text = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12") + self.PODS
        assert [(seen.node, seen.values["pod"]) for seen in sightings("running-pods-on-silent-node", text)] == [
            ("birch-2", "wiki-7d9c6bb9d8-pjw4s")
        ]

    def test_silent_on_ready_nodes(self):
        assert sightings("running-pods-on-silent-node", nodes("birch-2 Ready 10.71.0.12") + self.PODS) == []

    def test_silent_where_kubelet_itself_reports_that_it_is_not_ready(self):
        text = nodes("birch-2 NotReady 10.71.0.12") + NO_NETWORK + self.PODS
        assert sightings("running-pods-on-silent-node", text) == []


def status(host, active):
    return (
        f"[root@{host} ~]# systemctl status kubelet\n● kubelet.service - kubelet: The Kubernetes Node Agent\n"
        "   Loaded: loaded (/usr/lib/systemd/system/kubelet.service; enabled; vendor preset: disabled)\n"
        f"   Active: {active} since Mon 2020-10-12 08:44:09 CEST; 6s ago\n"
    )


FAILING = "activating (auto-restart) (Result: exit-code)"
SWAPON = "[root@{} ~]# swapon -s\nFilename\t\t\t\tType\t\tSize\tUsed\tPriority\n/dev/dm-1                              \tpartition\t8257532\t0\t-2\n"


class TestKubeletFailing:
    @pytest.mark.parametrize("active", [FAILING, "failed (Result: exit-code)", "inactive (dead)"])
    def test_fires(self, active):
        assert seen_on("kubelet-failing", status("birch-2", active)) == ["birch-2"]

    def test_silent_while_it_runs_and_on_other_units(self):
        assert sightings("kubelet-failing", status("birch-2", "active (running)")) == []
        assert sightings("kubelet-failing", status("birch-2", FAILING).replace("kubelet", "chronyd")) == []

    def test_the_word_of_is_active(self):
        assert seen_on("kubelet-failing", "[root@birch-2 ~]# systemctl is-active kubelet\nfailed\n") == ["birch-2"]


class TestSwap:
    def test_fires_on_the_same_host(self):
        (seen,) = sightings("swap-on-and-kubelet-failing", status("birch-2", FAILING) + SWAPON.format("birch-2"))
        assert seen.node == "birch-2"
        assert seen.values == {"device": "/dev/dm-1", "node": "birch-2"}

    def test_short_and_full_name_are_one_host(self):
        text = (
            nodes("birch-2.example.net NotReady 10.71.0.12")
            + status("birch-2.example.net", FAILING)
            + SWAPON.format("birch-2")
        )
        assert seen_on("swap-on-and-kubelet-failing", text) == ["birch-2.example.net"]

    @pytest.mark.parametrize(
        "text",
        [
            status("birch-2", FAILING) + SWAPON.format("birch-1"),
            status("birch-2", "active (running)") + SWAPON.format("birch-2"),
            status("birch-2", FAILING) + "[root@birch-2 ~]# swapon -s\n",
            SWAPON.format("birch-2"),
        ],
        ids=["another host", "kubelet runs", "no swap", "kubelet not seen"],
    )
    def test_silent(self, text):
        assert sightings("swap-on-and-kubelet-failing", text) == []

    def test_what_is_not_known_is_not_said(self):
        line = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
        for seen in sightings("swap-on-and-kubelet-failing", line):
            assert "None" not in seen.values.values()

    @pytest.mark.parametrize(
        ("text", "fires"),
        [
            (
                "[root@birch-2 ~]# cat /var/lib/kubelet/config.yaml\nkind: KubeletConfiguration\nfailSwapOn: false\n",
                True,
            ),
            ('[root@birch-2 ~]# cat /etc/default/kubelet\nKUBELET_EXTRA_ARGS="--fail-swap-on=false"\n', True),
            (
                "[root@birch-2 ~]# cat /var/lib/kubelet/config.yaml\nkind: KubeletConfiguration\nfailSwapOn: true\n",
                False,
            ),
        ],
    )
    def test_swap_allowed(self, text, fires):
        assert bool(sightings("swap-allowed", text)) is fires
