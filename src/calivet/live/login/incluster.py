"""Inside a pod there is no kubeconfig; the kubelet puts the service account's token and the CA into a folder."""

from __future__ import annotations

import os
from pathlib import Path

from calivet.live.login.kubeconfig_shape import Cluster, User
from calivet.live.login.target import Target

FOLDER = Path("/var/run/secrets/kubernetes.io/serviceaccount")


def target() -> Target | None:
    """The cluster this pod runs in; None where this is not a pod."""
    host = os.environ.get("KUBERNETES_SERVICE_HOST")
    port = os.environ.get("KUBERNETES_SERVICE_PORT")
    token = FOLDER / "token"
    if not host or not port or not token.exists():
        return None
    authority = FOLDER / "ca.crt"
    cluster = Cluster(
        server=f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}",
        certificate_authority=str(authority) if authority.exists() else "",
    )
    return Target(None, cluster, f"the service account in {FOLDER}", User(token_file=str(token)), "the service account")
