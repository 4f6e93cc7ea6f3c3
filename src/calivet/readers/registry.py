"""The formats calivet reads, a module each."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from calivet.readers.reader import Reader

MODULES = (
    "kubectl_table",
    "kubectl_events",
    "kubectl_describe_pod",
    "kubectl_describe_node",
    "kubernetes_object",
    "calico_log",
    "felix_health",
    "calicoctl_node_status",
    "bird_protocols",
    "calicoctl_get",
    "cni_config",
    "ip_addr",
    "ifconfig",
    "ip_route",
    "sockets",
    "reachability",
    "packet_filter",
    "ipvs",
    "hosts_file",
    "environment",
    "systemd_unit",
    "journal",
    "containerd_config",
    "docker_info",
    "crio_config",
    "kubelet_config",
    "runtime_containers",
    "swap",
    "memory",
    "load",
    "disk",
    "sysctl",
    "modules",
    "kernel_log",
    "uname",
    "file_listing",
    "clock",
    "certificates",
    "ps",
)


@cache
def readers() -> tuple[Reader, ...]:
    """All readers, in the order of the list."""
    import importlib.util

    found = [name for name in MODULES if importlib.util.find_spec(f"calivet.readers.{name}")]
    return tuple(import_module(f"calivet.readers.{name}").READER for name in found)
