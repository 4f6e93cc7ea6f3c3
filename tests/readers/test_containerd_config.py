from __future__ import annotations

import pytest

from calivet.readers.runtime.runtime_config import CONTAINERD_READER
from tests.readers.host_reading import facts_of

VERSION_2 = """
version = 2
disabled_plugins = []

[plugins]
  [plugins."io.containerd.grpc.v1.cri"]
    sandbox_image = "registry.k8s.io/pause:3.6"
    systemd_cgroup = false
    [plugins."io.containerd.grpc.v1.cri".cni]
      bin_dir = "/opt/cni/bin"
      conf_dir = "/etc/cni/net.d"
    [plugins."io.containerd.grpc.v1.cri".containerd]
      default_runtime_name = "runc"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        BinaryName = ""
        # SystemdCgroup = true
        SystemdCgroup = false
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
        SystemdCgroup = true
    [plugins."io.containerd.grpc.v1.cri".registry]
      config_path = "/etc/containerd/certs.d"
  [plugins."io.containerd.internal.v1.tracing"]
    config_path = "/elsewhere"
"""
VERSION_3 = """
version = 3
disabled_plugins = [
  "io.containerd.snapshotter.v1.btrfs",
  "cri",
]
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = 'registry.k8s.io/pause:3.10'
[plugins.'io.containerd.cri.v1.runtime'.cni]
  bin_dirs = ['/opt/cni/bin', '/usr/lib/cni']
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
  SystemdCgroup = true
"""


def _pairs(text: str, command: str | None = None) -> dict[str, object]:
    return {fact.key: fact.value for fact in facts_of(CONTAINERD_READER, text, command, "cn-3")}


def test_version_2():
    assert _pairs(VERSION_2, "cat /etc/containerd/config.toml") == {
        "disabled_plugins": "",
        "sandbox_image": "registry.k8s.io/pause:3.6",
        "systemd_cgroup": False,
        "bin_dir": "/opt/cni/bin",
        "conf_dir": "/etc/cni/net.d",
        "default_runtime_name": "runc",
        "SystemdCgroup": False,
        "SystemdCgroup.nvidia": True,
        "config_path": "/etc/containerd/certs.d",
    }


def test_the_default_runtimes_options_are_containerds_own():
    text = VERSION_2.replace('default_runtime_name = "runc"', 'default_runtime_name = "nvidia"')
    found = _pairs(text)
    assert (found["SystemdCgroup"], found["SystemdCgroup.runc"]) == (True, False)


def test_version_3():
    assert _pairs(VERSION_3) == {
        "disabled_plugins": "io.containerd.snapshotter.v1.btrfs,cri",
        "sandbox_image": "registry.k8s.io/pause:3.10",
        "bin_dir": "/opt/cni/bin,/usr/lib/cni",
        "SystemdCgroup": True,
    }


def test_version_1():
    text = '[plugins.cri]\n  systemd_cgroup = true\n  sandbox_image = "k8s.gcr.io/pause:3.1"'
    assert _pairs(text) == {"systemd_cgroup": True, "sandbox_image": "k8s.gcr.io/pause:3.1"}


def test_a_few_grepped_lines_with_their_file():
    (fact,) = facts_of(
        CONTAINERD_READER, "            SystemdCgroup = false", "grep Systemd /etc/containerd/config.toml", "cn-3"
    )
    assert (fact.program, fact.value, fact.file, fact.host) == (
        "containerd",
        False,
        "/etc/containerd/config.toml",
        "cn-3",
    )
    assert fact.at.number == 2


def test_crictl_info():
    text = """
    {
      "config": {
        "containerd": {
          "defaultRuntimeName": "runc",
          "runtimes": { "runc": {
              "options": {
                "SystemdCgroup": true
              }
          } }
        },
        "cni": {
          "binDir": "/opt/cni/bin",
          "confDir": "/etc/cni/net.d",
        },
        "systemdCgroup": false,
        "sandboxImage": "registry.k8s.io/pause:3.9",
    """
    assert _pairs(text, "crictl info") == {
        "default_runtime_name": "runc",
        "SystemdCgroup": True,
        "bin_dir": "/opt/cni/bin",
        "conf_dir": "/etc/cni/net.d",
        "systemd_cgroup": False,
        "sandbox_image": "registry.k8s.io/pause:3.9",
    }


def test_defaults_are_not_this_hosts_settings():
    assert _pairs(VERSION_2, "containerd config default | head -99") == {}


def test_the_operators_own_command_is_no_setting():
    assert _pairs("", "sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml") == {}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('disabled_plugins = ["cri"', '["cri"'),
        ("SystemdCgroup = flase", "flase"),
        ('sandbox_image = "k8s.gcr.io/pau', '"k8s.gcr.io/pau'),
    ],
)
def test_damaged_values_are_kept_as_written(line: str, value: str):
    assert list(_pairs(line).values()) == [value]


def test_a_bare_key_of_many_meanings_must_look_like_ours():
    assert _pairs("sandbox = true") == {}
    assert _pairs("  sandbox = 'registry.k8s.io/pause:3.10'") == {"sandbox_image": "registry.k8s.io/pause:3.10"}


WITHOUT_DRIVER = """
version = 2

[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "/opt/cni/bin"
"""
SHOWN = "cat /etc/containerd/config.toml"


def test_a_whole_file_that_does_not_name_the_driver():
    assert [one.value for one in facts_of(CONTAINERD_READER, WITHOUT_DRIVER, SHOWN) if one.key == "SystemdCgroup"] == [
        False
    ]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (WITHOUT_DRIVER, "grep -n dir /etc/containerd/config.toml"),
        (WITHOUT_DRIVER.replace("version = 2", "version = 3"), SHOWN),
        (WITHOUT_DRIVER.replace("version = 2", 'imports = ["/etc/containerd/conf.d/*.toml"]'), SHOWN),
        ('disabled_plugins = ["cri"]\n', SHOWN),
        (WITHOUT_DRIVER + "  systemd_cgroup = true\n", SHOWN),
    ],
)
def test_nothing_follows_from_what_is_not_shown(text, command):
    assert not any(one.key == "SystemdCgroup" for one in facts_of(CONTAINERD_READER, text, command))


def test_lines_numbered_by_grep():
    text = '61:    sandbox_image = "reg.example/pause:3.9"\n125:            SystemdCgroup = true'
    facts = facts_of(CONTAINERD_READER, text, "grep -nE 'sandbox_image|SystemdCgroup' /etc/containerd/config.toml")
    assert {one.key: one.value for one in facts} == {"sandbox_image": "reg.example/pause:3.9", "SystemdCgroup": True}
