from __future__ import annotations

import pytest

from calivet.readers.network.environment import READER
from tests.readers.host_reading import facts_of, reading_of


def pairs(text: str, command: str | None = None) -> list[tuple[str, str]]:
    return [(one.name, one.value) for one in facts_of(READER, text, command, "fig-2")]


def test_the_environment_of_a_pod():
    facts = facts_of(
        READER,
        "PATH=/bin\nIP=autodetect\nFELIX_HEALTHENABLED=true",
        "kubectl exec -n kube-system calico-node-9zxvk -c calico-node -- env",
        "bastion",
    )
    assert [(one.name, one.value) for one in facts] == [
        ("PATH", "/bin"),
        ("IP", "autodetect"),
        ("FELIX_HEALTHENABLED", "true"),
    ]
    assert {(one.owner, one.container, one.host) for one in facts} == {("calico-node-9zxvk", "calico-node", None)}


def test_a_shell_s_proxies():
    text = "http_proxy=http://proxy.example:3128\nno_proxy=localhost,10.61.4.12"
    facts = facts_of(READER, text, "env | grep -i proxy", "fig-2")
    assert [(one.name, one.host, one.owner) for one in facts] == [
        ("http_proxy", "fig-2", None),
        ("no_proxy", "fig-2", None),
    ]


def test_units_of_systemd():
    text = """
    [Service]
    Environment="HTTP_PROXY=http://proxy.example:3128" "NO_PROXY=localhost,127.0.0.1"
    Environment=KUBELET_EXTRA_ARGS=--fail-swap-on=false
    Environment="RKT_RUN_ARGS=--volume dns,kind=host,source=/etc/resolv.conf \\
      --mount volume=dns,target=/etc/resolv.conf"
    """
    facts = facts_of(READER, text, "systemctl cat kubelet", "fig-2")
    assert [(one.name, one.value) for one in facts] == [
        ("HTTP_PROXY", "http://proxy.example:3128"),
        ("NO_PROXY", "localhost,127.0.0.1"),
        ("KUBELET_EXTRA_ARGS", "--fail-swap-on=false"),
        ("RKT_RUN_ARGS", "--volume dns,kind=host,source=/etc/resolv.conf  --mount volume=dns,target=/etc/resolv.conf"),
    ]
    assert {one.owner for one in facts} == {"kubelet"}


@pytest.mark.parametrize(
    ("line", "command", "expected"),
    [
        (
            'KUBELET_KUBEADM_ARGS="--network-plugin=cni"',
            "cat /var/lib/kubelet/kubeadm-flags.env",
            ("KUBELET_KUBEADM_ARGS", "--network-plugin=cni"),
        ),
        ("export KUBECONFIG=/etc/kubernetes/admin.conf", None, ("KUBECONFIG", "/etc/kubernetes/admin.conf")),
        ("IP_AUTODETECTION_METHOD=interface=ens.*", None, ("IP_AUTODETECTION_METHOD", "interface=ens.*")),
        ("  -e CALICO_IPV4POOL_CIDR=10.90.0.0/16 \\", None, ("CALICO_IPV4POOL_CIDR", "10.90.0.0/16")),
    ],
)
def test_single_lines(line: str, command: str | None, expected: tuple[str, str]):
    assert pairs(line, command) == [expected]


def test_a_container_s_command_line():
    line = (
        "docker run --net=host -d --restart=always -e NODENAME=fig-2 -e IP=10.61.4.12 quay.example/calico/node:v3.8.2"
    )
    assert pairs(line) == [("NODENAME", "fig-2"), ("IP", "10.61.4.12")]


def test_a_workload_s_environment_from_its_template():
    command = (
        "kubectl get ds -n calico calico-node -o jsonpath='{range .spec.containers[0].env[*]}{.name}={.value}{end}'"
    )
    (variable,) = facts_of(READER, "FELIX_INTERFACEPREFIX=eni", command, "bastion")
    assert (variable.owner, variable.host) == ("calico-node", None)


@pytest.mark.parametrize(
    "line",
    [
        "CONFIG_BPF_SYSCALL=y",
        'PRETTY_NAME="Some Linux 9"',
        "IPADDR=10.61.4.12",
        "DATASTORE_TYPE=kubernetes KUBECONFIG=x ./calicoctl get nodes",
        "notAfter=Mar  9 15:02:23 2025 GMT",
        "TYPE=Ethernet",
        "key=value",
        "IP=$(hostname -I)",
    ],
)
def test_assignments_that_are_no_environment(line: str):
    assert not reading_of(READER, line).facts
