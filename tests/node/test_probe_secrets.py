"""Nothing secret that lies in what the probe looks at is printed by it, before calivet's own redaction sees anything."""

from __future__ import annotations

import pytest
import trustme

from tests.node.fake_node import FakeNode, obstacle
from tests.node.probe_output import sections

JWT = "eyJhbGciOiJSUzI1NiIsImtpZCI6Ik4xIn0.eyJzdWIiOiJzeXN0ZW06c2VydmljZWFjY291bnQifQ.c2lnbmF0dXJl"
WORDS = (
    "plum",
    "quince",
    "medlar",
    "sloe",
    "damson",
    "bullace",
    "loquat",
    "rowan",
    "whitebeam",
    "jujube",
    "pomelo",
    "yuzu",
)
"""Planted, each in a place of its own, as part of a secret."""


def secret(word: str) -> str:
    return f"{word}-9f8e7d6c5b4a"


@pytest.fixture(scope="module")
def printed():
    if reason := obstacle():
        pytest.skip(reason)
    with FakeNode() as node:
        plant(node)
        yield node.probe()


def plant(node: FakeNode) -> None:
    plum, quince, medlar, sloe, damson, bullace, loquat, rowan, whitebeam, jujube, pomelo, yuzu = map(secret, WORDS)
    own = trustme.CA().issue_cert("worker-3.example.org", common_name="system:node:worker-3")
    key, certificate = own.private_key_pem.bytes().decode(), own.cert_chain_pems[0].bytes().decode()
    kubeconfig = node.machine.file("/etc/kubernetes/kubelet.conf").read_text()
    write = node.machine.write
    write("/etc/kubernetes/kubelet.conf", f"{kubeconfig}    token: {plum}\n    client-key-data: {quince}\n")
    write("/etc/cni/net.d/calico-kubeconfig", f"users:\n- name: calico\n  user:\n    token: {JWT}\n")
    write("/etc/cni/net.d/05-old.conf", f'{{"type": "calico", "policy": {{"k8s_auth_token": "{medlar}"}}}}\n')
    write("/var/lib/kubelet/pki/kubelet-client-current.pem", certificate + key)
    write("/etc/kubernetes/pki/apiserver.crt", certificate)
    write("/etc/kubernetes/pki/apiserver.key", key)
    write("/etc/default/kubelet", f"KUBELET_EXTRA_ARGS=--node-ip=10.20.0.13 --bootstrap-token {sloe}\n")
    write(
        "/etc/containerd/conf.d/registry.toml",
        f'[plugins."io.containerd.grpc.v1.cri".registry.configs."r.example.org".auth]\n  password = "{damson}"\n  auth = "{yuzu}"\n',
    )
    write(
        "/etc/docker/daemon.json", f'{{"proxies": {{"http-proxy": "http://ada:{bullace}@proxy.example.org:3128"}}}}\n'
    )
    write("/etc/rancher/k3s/config.yaml", f"token: {loquat}\ncni: none\nnode-ip: 10.20.0.13\n")
    node.runs("calico-node", "-confd", environment=f"NODENAME=worker-3 ETCD_PASSWORD={rowan} FELIX_TYPHAKEYFILE=/x")
    node.runs("kubelet", f"--token={whitebeam}")
    node.does("journalctl", f"printf '%s\\n' 'login with password={jujube} and Bearer {JWT}' '{key}'")
    write(
        "/etc/calico/confd/config/bird.cfg",
        f'protocol bgp Mesh {{\n  neighbor 10.20.0.11 as 64512;\n  password "{pomelo}";\n}}\n',
    )


@pytest.mark.parametrize("word", WORDS)
def test_a_planted_secret(printed, word):
    assert secret(word) not in printed


def test_tokens_and_keys(printed):
    assert JWT.rpartition(".")[2] not in printed
    assert "PRIVATE KEY-----\n" not in printed
    assert printed.count("<hidden>") >= 5


def test_what_is_not_secret_is_still_there(printed):
    found = sections(printed)
    assert "server: https://127.0.0.1:6443" in found["grep -E '^ *server:' /etc/kubernetes/kubelet.conf"].text
    assert '"type": "calico"' in found["cat /etc/cni/net.d/05-old.conf"].text
    assert "--node-ip=10.20.0.13" in found["cat /etc/default/kubelet"].text
    assert (
        "notAfter="
        in found["openssl x509 -noout -subject -dates -in /var/lib/kubelet/pki/kubelet-client-current.pem"].text
    )
    assert "neighbor 10.20.0.11" in printed
    assert "proxy.example.org:3128" in printed
    assert not [command for command in found if command == "cat /etc/cni/net.d/calico-kubeconfig" or ".key" in command]


def test_the_environment_of_calico_is_printed_as_far_as_it_is_listed(printed):
    (environ,) = [section for command, section in sections(printed).items() if "/environ" in command]
    assert "ETCD_PASSWORD" not in environ.text
