"""Writes a kubeconfig the way kubeadm and kubectl lay it out."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import yaml


def token_user(token: str) -> dict[str, Any]:
    """Credentials: a bearer token."""
    return {"token": token}


def certificate_user(certificate: Path, key: Path) -> dict[str, Any]:
    """Credentials: a client certificate, inside the file as kubeadm puts it."""
    return {"client-certificate-data": _inside(certificate), "client-key-data": _inside(key)}


def write_kubeconfig(file: Path, server: str, ca: Path, user: dict[str, Any], context: str = "bed") -> Path:
    """One cluster, one user, one context."""
    cluster = {"server": server, "certificate-authority-data": _inside(ca)}
    configuration = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": cluster}],
        "users": [{"name": "someone", "user": user}],
        "contexts": [{"name": context, "context": {"cluster": "test", "user": "someone"}}],
        "current-context": context,
    }
    file.write_text(yaml.safe_dump(configuration, sort_keys=False), "utf-8")
    file.chmod(0o600)
    return file


def _inside(file: Path) -> str:
    return b64encode(file.read_bytes()).decode()
