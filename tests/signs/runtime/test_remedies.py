"""What the operator did."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, sightings


class TestRestartedRuntime:
    @pytest.mark.parametrize(
        ("command", "unit"),
        [
            ("systemctl restart containerd", "containerd"),
            ("sudo systemctl restart docker.service", "docker"),
            ("systemctl daemon-reload && systemctl restart docker", "docker"),
            ("service docker restart", "docker"),
            ("systemctl restart crio", "crio"),
        ],
    )
    def test_fires(self, command, unit):
        (seen,) = sightings("restarted-runtime", f"[root@birch-5 ~]# {command}\n[root@birch-5 ~]# uptime\n")
        assert (seen.node, seen.values["unit"]) == ("birch-5", unit)

    @pytest.mark.parametrize(
        "command",
        ["systemctl status docker", "systemctl restart kubelet", "systemctl stop containerd", "journalctl -u docker | grep restart",
         "kubectl rollout restart ds/calico-node", "service docker status"],
    )  # fmt: skip
    def test_silent(self, command):
        assert sightings("restarted-runtime", f"[root@birch-5 ~]# {command}\n[root@birch-5 ~]# uptime\n") == []

    @pytest.mark.parametrize(
        ("command", "units"),
        [("systemctl restart kubelet containerd", ["containerd"]), ("systemctl --no-block restart docker", ["docker"]),
         ("systemctl restart docker-registry", [])],
    )  # fmt: skip
    def test_options_and_several_units(self, command, units):
        seen = sightings("restarted-runtime", f"[root@birch-5 ~]# {command}\n[root@birch-5 ~]# uptime\n")
        assert [one.values["unit"] for one in seen] == units


class TestDrainedAndRebooted:
    REBOOT = "[root@birch-5 ~]# reboot\n"

    @pytest.mark.parametrize(
        "command",
        [
            "kubectl drain birch-5 --ignore-daemonsets",
            "kubectl drain --ignore-daemonsets --delete-emptydir-data birch-5",
            "kubectl drain BIRCH-5 --force",
        ],
    )
    @pytest.mark.parametrize("reboot", ["reboot", "sudo reboot", "shutdown -r now", "systemctl reboot", "init 6"])
    def test_fires_for_both(self, command, reboot):
        text = nodes("birch-5 NotReady 10.71.0.15") + f"[root@bastion ~]# {command}\n[root@birch-5 ~]# {reboot}\n"
        assert [seen.node for seen in sightings("drained-and-rebooted", text)] == ["birch-5"]

    @pytest.mark.parametrize(
        "text",
        ["[root@bastion ~]# kubectl drain birch-5\n", REBOOT, "[root@bastion ~]# kubectl drain birch-5\n[root@birch-5 ~]# last reboot\n",
         "[root@bastion ~]# kubectl cordon birch-5\n" + REBOOT],
        ids=["only drained", "only rebooted", "looked at reboots", "only cordoned"],
    )  # fmt: skip
    def test_silent(self, text):
        assert sightings("drained-and-rebooted", text) == []

    def test_an_option_with_a_value_of_its_own(self):
        text = "[root@bastion ~]# kubectl drain --grace-period 30 birch-5\n" + self.REBOOT
        assert [seen.node for seen in sightings("drained-and-rebooted", text)] == ["birch-5"]
