from __future__ import annotations

from calivet.readers.runtime.runtime_config import CRIO_READER
from tests.readers.host_reading import facts_of


def test_crio_conf():
    text = """
    [crio.runtime]
    # cgroup_manager = "cgroupfs"
    cgroup_manager = "systemd"
    conmon_cgroup = "pod"
    [crio.network]
    network_dir = "/etc/cni/net.d/"
    plugin_dirs = [
      "/opt/cni/bin/",
    ]
    """
    found = facts_of(CRIO_READER, text, "cat /etc/crio/crio.conf", "cn-3")
    assert {fact.key: fact.value for fact in found} == {
        "cgroup_manager": "systemd",
        "conmon_cgroup": "pod",
        "network_dir": "/etc/cni/net.d/",
        "plugin_dirs": "/opt/cni/bin/",
    }
    assert {(fact.program, fact.host, fact.file) for fact in found} == {("crio", "cn-3", "/etc/crio/crio.conf")}


def test_a_grepped_line_needs_no_section():
    (fact,) = facts_of(CRIO_READER, 'cgroup_manager = "cgroupfs"')
    assert fact.value == "cgroupfs"


def test_podmans_file_is_another_program():
    assert facts_of(CRIO_READER, '[engine]\ncgroup_manager = "cgroupfs"') == []


def test_containerd_has_keys_of_the_same_names():
    assert facts_of(CRIO_READER, 'plugin_dir = ""', "containerd config dump") == []
