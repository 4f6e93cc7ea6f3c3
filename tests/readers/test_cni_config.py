from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import CniConfig
from calivet.readers.calico.cni import CONFIG_READER, walk
from tests.readers.host_reading import facts_of, reading_of

LIST = """
{
  "name": "k8s-pod-network",
  "cniVersion": "0.3.1",
  "plugins": [
    {
      "type": "calico",
      "log_level": "info",
      "datastore_type": "kubernetes",
      "nodename": "fig-2",
      "mtu": 1440,
      "ipam": {
          "type": "calico-ipam"
      },
      "policy": {
          "type": "k8s"
      }
    },
    {
      "type": "portmap",
      "snat": true,
      "capabilities": {"portMappings": true}
    }
  ]
}
"""


def test_a_list():
    (config,) = facts_of(CONFIG_READER, LIST, "cat /etc/cni/net.d/10-calico.conflist", "fig-2")
    assert (config.name, config.plugins, config.ipam) == ("k8s-pod-network", ("calico", "portmap"), "calico-ipam")
    assert (config.datastore, config.mtu, config.host) == ("kubernetes", "1440", "fig-2")
    assert config.file == "/etc/cni/net.d/10-calico.conflist"
    assert config.at.number == 2


def test_a_single_plugin_of_old():
    text = (
        '{"name": "net", "type": "calico", "etcd_endpoints": "http://10.61.4.11:2379", "ipam": {"type": "host-local"}}'
    )
    artifact = Artifact(name="evidence/10-calico.conf", first=1, lines=[text])
    (config,) = CONFIG_READER.read(artifact, [0]).facts
    assert isinstance(config, CniConfig)
    assert (config.plugins, config.ipam, config.datastore) == (("calico",), "host-local", "etcdv3")
    assert config.file == "10-calico.conf"


@pytest.mark.parametrize("kept", [8, 12, 14])
def test_a_list_whose_end_is_cut(kept: int):
    (config,) = facts_of(
        CONFIG_READER, "\n".join(LIST.strip().split("\n")[:kept]), "head /etc/cni/net.d/10-calico.conflist"
    )
    assert (config.name, config.plugins) == ("k8s-pod-network", ("calico",))


def test_a_list_whose_beginning_is_cut():
    (config,) = facts_of(CONFIG_READER, "\n".join(LIST.strip().split("\n")[5:]))
    assert (config.plugins[0], config.datastore, config.ipam) == ("calico", "kubernetes", "calico-ipam")


def test_several_files_in_one_piece():
    bridge = (
        '{\n  "cniVersion": "0.4.0",\n  "name": "podman",\n  "plugins": [\n    {\n      "type": "bridge"\n    }\n  ]\n}'
    )
    first, second = facts_of(CONFIG_READER, LIST.strip() + "\n" + bridge)
    assert (first.plugins, second.name, second.plugins) == (("calico", "portmap"), "podman", ("bridge",))


def test_inside_a_config_map():
    inner = "\n".join(f"    {line}" for line in LIST.strip().replace("1440", "__CNI_MTU__").split("\n"))
    text = f"apiVersion: v1\ndata:\n  calico_backend: bird\n  cni_network_config: |-\n{inner}\nkind: ConfigMap"
    (config,) = facts_of(CONFIG_READER, text, "kubectl -n kube-system get cm calico-config -o yaml", "bastion")
    assert (config.mtu, config.plugins, config.host) == ("__CNI_MTU__", ("calico", "portmap"), None)


def test_as_a_string_inside_json():
    escaped = LIST.strip().replace('"', '\\"').replace("\n", "\\n")
    (config,) = facts_of(CONFIG_READER, f'        "cni_network_config": "{escaped}",')
    assert (config.name, config.plugins, config.ipam) == ("k8s-pod-network", ("calico", "portmap"), "calico-ipam")


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "conditions": [\n    {\n      "type": "Ready",\n      "status": "True"\n    }\n  ]\n}',
        '{"level":"info","ts":"2023-08-30T17:39:33Z","msg":"no cniVersion here"}',
        '{"kind": "Pod", "spec": {"type": "calico"}}',
        '  "type": "Opaque"',
        "cniVersion is missing in the file",
    ],
)
def test_other_json_is_left_alone(text: str):
    assert not reading_of(CONFIG_READER, text).facts


def test_walking_ends_with_the_first_bracket():
    assert [path for path, _, _ in walk('{"a": {"b": [1, {"c": "x"}]}} {"d": 2}')] == [("a", "b"), ("a", "b", "c"), ()]
