"""cgroup drivers of kubelet and runtime, and pods that are killed while Felix is well."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, pods, sightings

RUNC = '[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]\n  SystemdCgroup = {}\n'
CONTAINERD = "[root@{} ~]# cat /etc/containerd/config.toml\nversion = 2\n" + RUNC
KUBELET = "[root@{} ~]# grep cgroupDriver /var/lib/kubelet/config.yaml\ncgroupDriver: {}\n"


CRICTL = """[root@birch-5 ~]# crictl info
{
  "config": {
    "runtimes": {
      "runc": {
        "options": {
          "SystemdCgroup": true
        }
      }
    },
    "systemdCgroup": false
  }
}
"""


def differ(text):
    return [
        (seen.node, seen.values["kubelet"], seen.values["runtime"]) for seen in sightings("cgroup-drivers-differ", text)
    ]


class TestDriversDiffer:
    def test_containerd(self):
        text = CONTAINERD.format("birch-5", "false") + KUBELET.format("birch-5", "systemd")
        assert differ(text) == [("birch-5", "systemd", "cgroupfs")]

    def test_the_other_way_round(self):
        text = CONTAINERD.format("birch-5", "true") + KUBELET.format("birch-5", "cgroupfs")
        assert differ(text) == [("birch-5", "cgroupfs", "systemd")]

    def test_docker(self):
        info = "[root@birch-5 ~]# docker info\n Server Version: 19.03.11\n Cgroup Driver: cgroupfs\n"
        assert differ(info + KUBELET.format("birch-5", "systemd")) == [("birch-5", "systemd", "cgroupfs")]

    def test_crio(self):
        crio = '[root@birch-5 ~]# cat /etc/crio/crio.conf\n[crio.runtime]\ncgroup_manager = "cgroupfs"\n'
        assert differ(crio + KUBELET.format("birch-5", "systemd")) == [("birch-5", "systemd", "cgroupfs")]

    def test_the_flags_of_kubelet_in_a_process_list(self):
        flags = "[root@birch-5 ~]# ps -ef\nroot  900  1  3 Mar01 ?  02:11:09 /usr/bin/kubelet --cgroup-driver=systemd --config=/x\n"
        assert differ(CONTAINERD.format("birch-5", "false") + flags) == [("birch-5", "systemd", "cgroupfs")]

    @pytest.mark.parametrize("driver", ["systemd", "cgroupfs"])
    def test_silent_where_they_agree(self, driver):
        text = CONTAINERD.format("birch-5", str(driver == "systemd").lower()) + KUBELET.format("birch-5", driver)
        assert differ(text) == []

    def test_silent_across_hosts(self):
        assert differ(CONTAINERD.format("birch-5", "false") + KUBELET.format("birch-6", "systemd")) == []

    def test_silent_where_only_one_side_was_seen(self):
        assert differ(CONTAINERD.format("birch-5", "false")) == []
        assert differ(KUBELET.format("birch-5", "systemd")) == []

    def test_the_defaults_that_containerd_prints_are_nobodys_settings(self):
        defaults = "[root@birch-5 ~]# containerd config default\nversion = 2\n" + RUNC.format("false")
        assert differ(defaults + KUBELET.format("birch-5", "systemd")) == []

    def test_another_runtime_of_the_same_containerd_does_not_count(self):
        kata = '[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.kata.options]\n  SystemdCgroup = false\n'
        text = CONTAINERD.format("birch-5", "true") + kata + KUBELET.format("birch-5", "systemd")
        assert differ(text) == []

    @pytest.mark.parametrize(
        "shown",
        [
            '[root@birch-5 ~]# cat /etc/containerd/config.toml\nversion = 2\n[plugins."io.containerd.grpc.v1.cri"]\n'
            "  systemd_cgroup = false\n" + RUNC.format("true"),
            CRICTL,
        ],
        ids=["config.toml", "crictl info"],
    )
    def test_the_key_of_old_beside_the_one_that_counts(self, shown):
        assert differ(shown + KUBELET.format("birch-5", "systemd")) == []

    @pytest.mark.parametrize(
        ("socket", "differs"),
        [
            ("unix:///run/containerd/containerd.sock", True),
            ("unix:///run/crio/crio.sock", False),
            ("unix:///var/run/cri-dockerd.sock", False),
            ("unix:///run/somewhere.sock", True),
        ],
    )
    def test_a_runtime_that_kubelet_does_not_use_does_not_count(self, socket, differs):
        flags = f"[root@birch-5 ~]# cat /proc/811/cmdline\nkubelet --container-runtime-endpoint={socket}\n"
        text = CONTAINERD.format("birch-5", "false") + KUBELET.format("birch-5", "systemd") + flags
        assert bool(differ(text)) == differs

    def test_short_and_full_name_are_one_host(self):
        text = nodes("birch-5.example.net Ready 10.71.0.15") + CONTAINERD.format("birch-5", "false")
        assert differ(text + KUBELET.format("birch-5.example.net", "systemd")) == [
            ("birch-5.example.net", "systemd", "cgroupfs")
        ]


HEALTHY_FELIX = (
    "2023-04-05 10:11:12.345 [INFO][70] felix/health.go 336: Overall health status changed: live=true ready=true\n"
    "+---------------------------+---------+----------------+-----------------+--------+\n"
    "|         COMPONENT         | TIMEOUT |    LIVENESS    |    READINESS    | DETAIL |\n"
    "+---------------------------+---------+----------------+-----------------+--------+\n"
    "| async_calc_graph          | 20s     | reporting live | reporting ready |        |\n"
    "| felix-startup             | -       | reporting live | reporting ready |        |\n"
    "+---------------------------+---------+----------------+-----------------+--------+\n"
)
LOG = "[root@bastion ~]# kubectl -n kube-system logs calico-node-rk9ws -c calico-node -p\n" + HEALTHY_FELIX


def killing(count, reason="Killing", pod="calico-node-rk9ws"):
    seen = f"2m (x{count} over 31m)" if count > 1 else "2m"
    return (
        "[root@bastion ~]# kubectl -n kube-system get events\nLAST SEEN   TYPE   REASON   OBJECT   MESSAGE\n"
        f"{seen}   Normal   {reason}   pod/{pod}   Stopping container calico-node\n"
    )


class TestKilledWhileHealthy:
    def test_fires_for_a_pod_in_a_loop(self):
        text = pods("calico-node-rk9ws 0/1 CrashLoopBackOff 9 31m 10.71.0.15 birch-5") + LOG
        assert [seen.node for seen in sightings("killed-while-healthy", text)] == ["birch-5"]

    @pytest.mark.parametrize("reason", ["Killing", "SandboxChanged", "BackOff"])
    def test_fires_for_repeated_ends(self, reason):
        assert len(sightings("killed-while-healthy", killing(9, reason) + LOG)) == 1

    @pytest.mark.parametrize(
        "text",
        [
            LOG,
            killing(1) + LOG,
            killing(9, pod="orders-84c6b9d7f5-9hxkt") + LOG,
            killing(9, "Scheduled") + LOG,
            killing(9) + LOG.replace("ready=true", "ready=false"),
            pods("calico-node-rk9ws 1/1 Running 0 9d 10.71.0.15 birch-5") + LOG,
            killing(9),
            killing(9).replace("Stopping container calico-node", "Container calico-node failed liveness probe") + LOG,
        ],
        ids=[
            "nothing ends",
            "once",
            "another pod",
            "another reason",
            "Felix not ready",
            "pod is well",
            "no report",
            "kubelet says that a probe failed",
        ],
    )
    def test_silent(self, text):
        assert sightings("killed-while-healthy", text) == []
