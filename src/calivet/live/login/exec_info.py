"""What an exec plugin is told about the cluster, in the variable KUBERNETES_EXEC_INFO."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import msgspec

from calivet.live.login.kubeconfig_shape import Cluster, Exec
from calivet.live.login.target import Target
from calivet.live.wire import tls

EXTENSION = "client.authentication.k8s.io/exec"


def exec_info(plugin: Exec, target: Target, interactive: bool) -> str:
    """An ExecCredential with the question; the plugin prints one with the answer."""
    spec: dict[str, Any] = {"interactive": interactive}
    if plugin.provide_cluster_info:
        spec["cluster"] = _cluster(target)
    return msgspec.json.encode({"apiVersion": plugin.api_version, "kind": "ExecCredential", "spec": spec}).decode()


def _cluster(target: Target) -> dict[str, Any]:
    """The cluster as plugins expect it: the CA always as data, and the extension that is meant for them."""
    cluster = target.cluster
    trusted = tls.authority(target)
    told = Cluster(
        server=cluster.server,
        certificate_authority_data=b64encode(trusted.content).decode() if trusted else "",
        insecure_skip_tls_verify=cluster.insecure_skip_tls_verify,
        tls_server_name=cluster.tls_server_name,
        proxy_url=cluster.proxy_url,
        disable_compression=cluster.disable_compression,
    )
    info = {name: value for name, value in msgspec.to_builtins(told).items() if value}
    extensions = {one.name: one.extension for one in cluster.extensions}
    return info | ({"config": extensions[EXTENSION]} if EXTENSION in extensions else {})
