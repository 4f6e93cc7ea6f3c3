"""Kubeconfig files for the tests."""

from __future__ import annotations

import stat
from base64 import b64encode
from pathlib import Path
from typing import Any

import yaml

from calivet.live.connection import Access, Connection, connect
from tests.live.api_server import authority_pem


def b64(content: bytes) -> str:
    return b64encode(content).decode()


def written(folder: Path, server: str, user: dict[str, Any] | None = None, **cluster: Any) -> str:
    """A file with one context; the cluster trusts the tests' own CA unless it says otherwise."""
    cluster = {key.replace("_", "-"): value for key, value in cluster.items()}
    cluster = {"server": server, "certificate-authority-data": b64(authority_pem())} | cluster
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "lab",
        "contexts": [{"name": "lab", "context": {"cluster": "lab-cluster", "user": "ada"}}],
        "clusters": [{"name": "lab-cluster", "cluster": cluster}],
        "users": [{"name": "ada", "user": user or {}}],
    }
    path = folder / "config"
    path.write_text(yaml.safe_dump(content))
    return str(path)


def connected(folder: Path, server: str, user: dict[str, Any] | None = None, **cluster: Any) -> Connection:
    return connect(Access(kubeconfig=written(folder, server, user, **cluster), timeout=20))


def script(folder: Path, name: str, text: str) -> Path:
    """A program for the shell."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path
