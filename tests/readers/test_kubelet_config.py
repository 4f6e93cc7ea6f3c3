from __future__ import annotations

import pytest

from calivet.readers.host.kubelet_config import READER
from tests.readers.host_reading import facts_of


def _pairs(text: str, command: str | None = None) -> dict[str, object]:
    return {fact.key: fact.value for fact in facts_of(READER, text, command, "cn-3") if fact.program == "kubelet"}


def test_the_configuration_file():
    text = """
    apiVersion: kubelet.config.k8s.io/v1beta1
    cgroupDriver: systemd
    clusterDNS:
    - 10.96.0.10
    - 169.254.20.10
    clusterDomain: cluster.local
    containerRuntimeEndpoint: "unix:///run/containerd/containerd.sock"
    failSwapOn: false   # we like it so
    resolvConf: /run/systemd/resolve/resolv.conf
    kind: KubeletConfiguration
    """
    (first, *_) = found = facts_of(READER, text, "cat /var/lib/kubelet/config.yaml", "cn-3")
    assert {fact.key: fact.value for fact in found} == {
        "cgroupDriver": "systemd",
        "clusterDNS": "10.96.0.10,169.254.20.10",
        "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
        "failSwapOn": False,
        "resolvConf": "/run/systemd/resolve/resolv.conf",
    }
    assert (first.host, first.file) == ("cn-3", "/var/lib/kubelet/config.yaml")


def test_flags_in_files():
    text = 'KUBELET_KUBEADM_ARGS="--cgroup-driver=cgroupfs --network-plugin=cni --pod-infra-container-image=x --node-ip=10.4.0.7"'
    assert _pairs(text, "cat /var/lib/kubelet/kubeadm-flags.env") == {
        "cgroupDriver": "cgroupfs",
        "networkPlugin": "cni",
        "nodeIp": "10.4.0.7",
    }
    assert _pairs('Environment="KUBELET_EXTRA_ARGS=--fail-swap-on=false"') == {"failSwapOn": False}


def test_flags_on_a_process_line():
    line = "           └─5120 /usr/bin/kubelet --config=/x --container-runtime-endpoint=unix:///run/crio/crio.sock --hostname-override=cn-3 --cgroup-dri"
    assert _pairs(line, "systemctl status kubelet") == {
        "containerRuntimeEndpoint": "unix:///run/crio/crio.sock",
        "hostnameOverride": "cn-3",
    }
    assert _pairs("root 1 0 9 10:00 ? 00:01 /usr/bin/kubelet --cgroup-driver systemd --v 2") == {
        "cgroupDriver": "systemd"
    }


@pytest.mark.parametrize(
    "line",
    [
        "/usr/bin/kubelet --cgroup-driver=cgro",
        "/usr/bin/kubelet --cgroup-driver=cgroupfs…",
        "kubelet --node-ip=$NODE_IP",
    ],
)
def test_cut_and_unfilled_values_are_not_believed(line: str):
    assert _pairs(line) == {}


@pytest.mark.parametrize(
    "line",
    [
        "Mar 02 11:20:01 cn-9 kubelet[7001]: Flag --cgroup-driver has been deprecated, This parameter should be set via the config file",
        "please disable swap! or set --fail-swap-on flag to false.",
        "Error: failed to parse kubelet flag: unknown flag: --network-plugin",
        "# cgroupDriver: cgroupfs",
        '      --cgroup-driver string   Driver that the kubelet uses to manipulate cgroups (default "cgroupfs")',
        "cgroupDriver: oddity",
    ],
)
def test_words_about_a_setting_are_no_setting(line: str):
    assert _pairs(line) == {}


def test_what_the_log_says():
    flag = 'Mar 02 11:20:01 cn-9 kubelet[1]: I0302 11:20:01.1 1 flags.go:33] FLAG: --cgroup-driver="cgroupfs"'
    node = 'Mar 02 11:20:01 cn-9 kubelet[1]: I0302 x] "Creating Container Manager" nodeConfig={"CgroupRoot":"/","CgroupDriver":"systemd"}'
    old = "Creating Container Manager object based on Node Config: {RuntimeCgroupsName: CgroupRoot:/ CgroupDriver:cgroupfs}"
    assert [facts_of(READER, line)[0].value for line in (flag, node, old)] == ["cgroupfs", "systemd", "cgroupfs"]
    assert facts_of(READER, flag)[0].host == "cn-9"


def test_the_log_of_a_mismatch_states_both_sides():
    line = r'err="failed to run Kubelet: misconfiguration: kubelet cgroup driver: \"systemd\" is different from docker cgroup driver: \"cgroupfs\""'
    found = [(fact.program, fact.key, fact.value) for fact in facts_of(READER, line)]
    assert found == [("kubelet", "cgroupDriver", "systemd"), ("docker", "cgroup-driver", "cgroupfs")]


def test_configz():
    text = '{"kubeletconfig":{"syncFrequency":"1m0s","clusterDNS":["10.96.0.10"],"cgroupDriver":"cgroupfs","failSwapOn":true,"resolvConf":"/etc/resolv.conf"}}'
    found = facts_of(READER, text, "kubectl get --raw /api/v1/nodes/cn-7/proxy/configz", "bastion")
    assert {fact.key: fact.value for fact in found} == {
        "clusterDNS": "10.96.0.10",
        "cgroupDriver": "cgroupfs",
        "failSwapOn": True,
        "resolvConf": "/etc/resolv.conf",
    }
    assert {fact.host for fact in found} == {"cn-7"}


def test_the_clusters_configmap_is_no_hosts():
    found = facts_of(
        READER, "    cgroupDriver: systemd", "kubectl -n kube-system get cm kubelet-config -o yaml", "cn-1"
    )
    assert [(fact.value, fact.host) for fact in found] == [("systemd", None)]


def test_kubeadms_extra_arguments():
    assert _pairs("  kubeletExtraArgs:\n    cgroup-driver: systemd\n    node-ip: 10.4.0.7") == {
        "cgroupDriver": "systemd",
        "nodeIp": "10.4.0.7",
    }


def test_repeats_are_stated_once():
    line = 'Mar 02 11:20:01 cn-9 kubelet[1]: I0302 x] FLAG: --fail-swap-on="true"\n'
    assert len(facts_of(READER, line * 300)) == 1
