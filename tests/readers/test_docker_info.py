from __future__ import annotations

from calivet.facts.fact import Setting, Version
from calivet.readers.runtime.runtime_config import DOCKER_INFO_READER as READER
from tests.readers.host_reading import facts_of

INFO = """
Client:
 Context:    default
Server:
 Containers: 41
 Server Version: 20.10.21
 Storage Driver: overlay2
 Cgroup Driver: cgroupfs
 Cgroup Version: 1
 Registry Mirrors:
  https://mirror.example/
  https://mirror.two.example/
 Live Restore Enabled: false
"""
VERSION = """
Client: Docker Engine - Community
 Version:           19.03.9
 API version:       1.40

Server: Docker Engine - Community
 Engine:
  Version:          19.03.8
  API version:      1.40 (minimum version 1.12)
 containerd:
  Version:          1.2.13
 runc:
  Version:          1.0.0-rc10
"""


def _settings(text: str, command: str | None = None) -> dict[str, object]:
    return {fact.key: fact.value for fact in facts_of(READER, text, command, "cn-3") if isinstance(fact, Setting)}


def _versions(text: str, command: str | None = None) -> dict[str, str]:
    return {fact.program: fact.version for fact in facts_of(READER, text, command, "cn-3") if isinstance(fact, Version)}


def test_docker_info():
    assert _settings(INFO, "docker info") == {
        "storage-driver": "overlay2",
        "cgroup-driver": "cgroupfs",
        "cgroup-version": "1",
        "registry-mirrors": "https://mirror.example/,https://mirror.two.example/",
        "live-restore": False,
    }
    assert _versions(INFO) == {"docker": "20.10.21"}


def test_docker_version():
    assert _versions(VERSION, "docker version") == {"docker": "19.03.8", "containerd": "1.2.13", "runc": "1.0.0-rc10"}
    assert _versions("24.0.7", "docker version --format '{{.Server.Version}}'") == {"docker": "24.0.7"}
    assert _versions("24.0.7", "docker info -f '{{.ServerVersion}}'") == {"docker": "24.0.7"}


def test_the_oldest_layout_of_docker_version():
    assert _versions("Client:\n Version:      1.12.6\n\nServer:\n Version:      1.12.5\n") == {"docker": "1.12.5"}


def test_daemon_json():
    text = """
    {
      "exec-opts": ["native.cgroupdriver=systemd"],
      "registry-mirrors": ["https://mirror.example"],
      "live-restore": true
    }
    """
    assert _settings(text, "cat /etc/docker/daemon.json") == {
        "cgroup-driver": "systemd",
        "exec-opts": "native.cgroupdriver=systemd",
        "registry-mirrors": "https://mirror.example",
        "live-restore": True,
    }
    assert facts_of(READER, text, "cat /etc/docker/daemon.json")[0].file == "/etc/docker/daemon.json"


def test_daemon_json_with_mirrors_on_lines_of_their_own():
    assert _settings('  "registry-mirrors": [\n    "https://a.example",\n    "https://b.example"\n  ]') == {
        "registry-mirrors": "https://a.example,https://b.example"
    }


def test_dockerds_flags():
    found = _settings("ExecStart=/usr/bin/dockerd --live-restore --exec-opt native.cgroupdriver=cgroupfs")
    assert found["live-restore"] is True
    assert found["cgroup-driver"] == "cgroupfs"


def test_kubernetes_has_a_server_version_too():
    assert facts_of(READER, "Client Version: v1.28.2\nServer Version: v1.28.2") == []
    assert facts_of(READER, "Server: nginx/1.25\n  Version:  HTTP") == []


def test_a_version_far_below_is_another_programs():
    assert _versions("Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\n\n Version:   3.2") == {}
