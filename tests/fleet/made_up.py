"""Bundles with made-up clusters in them."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

from calivet.evidence.layouts.own_bundle import MANIFEST

SWAP = "F0314 09:26:53.000000    4711 server.go:265] failed to run Kubelet: running with swap on is not supported, please disable swap!\n"
NODES = """\
$ kubectl get nodes -o wide
NAME       STATUS   ROLES           AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION      CONTAINER-RUNTIME
{name}-m1   Ready    control-plane   90d   {kubernetes}    10.{net}.0.11    <none>        Ubuntu 22.04.4 LTS   5.15.0-101-generic   containerd://1.7.12
{name}-w1   Ready    <none>          90d   {kubernetes}    10.{net}.0.21    <none>        Ubuntu 22.04.4 LTS   5.15.0-101-generic   containerd://1.7.12
"""
PODS = """\
$ kubectl get pods -n calico-system -o wide
NAME                READY   STATUS    RESTARTS   AGE   IP           NODE       NOMINATED NODE   READINESS GATES
calico-node-7tq4n   1/1     Running   0          9d    10.{net}.0.11   {name}-m1   <none>           <none>
calico-node-rk9ws   1/1     Running   0          9d    10.{net}.0.21   {name}-w1   <none>           <none>
"""
IMAGE = """\
$ kubectl get daemonset -n calico-system -o wide
NAME          DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR            AGE   CONTAINERS    IMAGES                               SELECTOR
calico-node   2         2         2       2            2           kubernetes.io/os=linux   90d   calico-node   quay.io/calico/node:{calico}   k8s-app=calico-node
"""


def text(name: str, net: int, *, sick: bool, calico: str = "v3.26.1", kubernetes: str = "v1.28.4") -> str:
    """One cluster, as a person would paste it."""
    shown = (NODES + PODS + IMAGE).format(name=name, net=net, calico=calico, kubernetes=kubernetes)
    return shown + (f"$ journalctl -u kubelet\n{SWAP}" if sick else "")


def folder(root: Path, name: str, evidence: str) -> Path:
    """A folder with loose files."""
    place = root / name
    place.mkdir(parents=True)
    (place / "session.txt").write_text(evidence, encoding="utf-8")
    return place


def archive(path: Path, evidence: str, collected: str = "", **told: str) -> Path:
    """A bundle; with a time, one that says when it was collected."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files = {"session.txt": evidence}
    if collected:
        manifest = {"calivet": "0", "server": "x", "collected": collected, "seconds": 1.0, **told}
        files[MANIFEST] = json.dumps(manifest)
    with tarfile.open(path, "w:gz") as packed:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"b/{name}")
            entry.size = len(content.encode())
            packed.addfile(entry, io.BytesIO(content.encode()))
    return path


def shelf(root: Path) -> Path:
    """Two sick clusters, of which one was collected twice, a healthy one, one that only shows a line; one twin."""
    archive(root / "a1.tar.gz", text("ash", 1, sick=True), "2026-01-10T08:00:00+00:00")
    archive(root / "a2.tar.gz", text("ash", 1, sick=False), "2026-02-20T08:00:00+00:00")
    archive(root / "b1.tar.gz", text("birch", 2, sick=True, calico="v3.27.0"), "2026-02-21T01:00:00+02:00")
    folder(root, "cedar", text("cedar", 3, sick=False, kubernetes="v1.29.1"))
    folder(root, "dogwood", SWAP)
    folder(root, "elder", SWAP)
    return root
