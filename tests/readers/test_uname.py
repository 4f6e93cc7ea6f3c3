from __future__ import annotations

import pytest

from calivet.readers.host.kernel import UNAME_READER as READER
from tests.readers.host_reading import facts_of


@pytest.mark.parametrize(
    ("line", "program", "version"),
    [
        (
            "Linux cn-3 5.15.0-88-generic #98-Ubuntu SMP Mon Oct 2 15:18:56 UTC 2023 x86_64 x86_64 x86_64 GNU/Linux",
            "kernel",
            "5.15.0-88-generic",
        ),
        ("            Kernel: Linux 4.18.0-348.el8.x86_64", "kernel", "4.18.0-348.el8.x86_64"),
        ('PRETTY_NAME="Ubuntu 22.04.3 LTS"', "os", "Ubuntu 22.04.3 LTS"),
        ("  Operating System: CentOS Linux 7 (Core)", "os", "CentOS Linux 7 (Core)"),
        ("CentOS Linux release 7.9.2009 (Core)", "os", "CentOS Linux release 7.9.2009 (Core)"),
        ("Description:\tUbuntu 18.04.5 LTS", "os", "Ubuntu 18.04.5 LTS"),
        ("Server Version: v1.28.2", "kubernetes", "v1.28.2"),
        (
            'Server Version: version.Info{Major:"1", Minor:"18", GitVersion:"v1.18.2", GitCommit:"52c5"}',
            "kubernetes",
            "v1.18.2",
        ),
        (
            'Client Version: version.Info{Major:"1", Minor:"18", GitVersion:"v1.18.3", GitCommit:"2e7"}',
            "kubectl",
            "v1.18.3",
        ),
        ("Client Version:    v3.26.1", "calicoctl", "v3.26.1"),
        ("Cluster Version:   v3.26.0", "calico", "v3.26.0"),
        ('kubeadm version: &version.Info{Major:"1", GitVersion:"v1.23.6"}', "kubeadm", "v1.23.6"),
        ("Kubernetes v1.23.6", "kubelet", "v1.23.6"),
        ("Docker version 20.10.21, build baeda1f", "docker", "20.10.21"),
        ("containerd github.com/containerd/containerd v1.6.8 9cd3357b7fd7", "containerd", "v1.6.8"),
        ("containerd containerd.io 1.6.9 1c90a442489720", "containerd", "1.6.9"),
        ("runc version 1.1.4", "runc", "1.1.4"),
        ("crio version 1.24.1", "crio", "1.24.1"),
        ("ipset v7.11, protocol version: 7", "ipset", "v7.11"),
        ("iptables v1.8.4 (nf_tables)", "iptables", "v1.8.4 (nf_tables)"),
        ("iptables v1.4.21", "iptables", "v1.4.21"),
        ("k3s version v1.24.4+k3s1 (c3f830e9)", "k3s", "v1.24.4+k3s1"),
        ("ii  containerd.io    1.6.4-1    amd64    An open and reliable container runtime", "containerd", "1.6.4-1"),
        ("ii  docker-ce    5:20.10.14~3-0~ubuntu-focal    amd64    Docker", "docker", "20.10.14~3-0~ubuntu-focal"),
        ("hi  kubelet    1.23.6-00    amd64    Kubernetes Node Agent", "kubelet", "1.23.6-00"),
        ("containerd.io-1.6.4-3.1.el7.x86_64", "containerd", "1.6.4-3.1.el7.x86_64"),
        ("Mar 02 11:20:01 cn-9 kubelet[1]: I0302 11:20:01.1 1 server.go:417] Version: v1.18.2", "kubelet", "v1.18.2"),
        ('I0302 11:20:01.1 1 server.go:399] "Kubelet version" kubeletVersion="v1.24.1"', "kubelet", "v1.24.1"),
    ],
)
def test_each_tool_says_its_version(line: str, program: str, version: str):
    (fact,) = facts_of(READER, line)
    assert (fact.program, fact.version) == (program, version)


def test_a_bare_release_needs_its_command():
    (fact,) = facts_of(READER, "4.19.90-17.ky10.aarch64", "uname -r", "cn-3")
    assert (fact.program, fact.version, fact.host) == ("kernel", "4.19.90-17.ky10.aarch64", "cn-3")
    assert facts_of(READER, "4.19.90-17.ky10.aarch64", "cat version") == []


def test_releases_of_many_machines():
    text = """
    cn-1: 5.15.0-88-generic
    cn-2: 5.4.0-42-generic
    """
    facts = facts_of(READER, text, "for n in cn-1 cn-2; do echo -n $n:; ssh $n uname -r; done", "bastion")
    assert [(fact.host, fact.version) for fact in facts] == [
        ("cn-1", "5.15.0-88-generic"),
        ("cn-2", "5.4.0-42-generic"),
    ]


def test_crictl_version_names_the_runtime_above():
    text = "Version:  0.1.0\nRuntimeName:  cri-o\nRuntimeVersion:  1.24.1\nRuntimeApiVersion:  v1"
    (fact,) = facts_of(READER, text, "crictl version")
    assert (fact.program, fact.version) == ("crio", "1.24.1")


def test_the_clusters_version_is_no_hosts():
    assert facts_of(READER, "Server Version: v1.28.2", "kubectl version", "bastion")[0].host is None


def test_repeats_are_stated_once():
    assert len(facts_of(READER, "Kubernetes v1.23.6\n" * 40)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "  Operating System:           linux",
        "- Kubernetes: v1.27.4",
        "my Kubernetes v1.23.6 is old",
        "containerd is fine",
        "Server Version: soon",
        "kernel 5.4 was released",
    ],
)
def test_prose_and_other_tables(line: str):
    assert facts_of(READER, line) == []


def test_only_the_first_bare_number_is_the_release():
    facts = facts_of(READER, "5.4.0-42-generic\n1.13.1", "uname -r; docker version -f x", "cn-3")
    assert [fact.version for fact in facts] == ["5.4.0-42-generic"]
