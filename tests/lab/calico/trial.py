"""One fault, from a healthy cluster to what can be seen of it: a collected bundle, and the probe's stream of every node."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from calivet.node.running import read_script
from tests.e2e.bed.components import find_components
from tests.lab.calico.cluster import NODES, Cluster
from tests.lab.calico.faults import Fault
from tests.lab.calico.images import Images
from tests.lab.calico.steps import take_step

PATIENCE = 240


def try_fault(fault: Fault, images: Images, to: Path) -> None:
    """Writes what was seen to RELEASE/FAULT below the folder."""
    folder = to / images.release / fault.name
    with Cluster(images, find_components(), fault.kind) as cluster:
        cluster.install()
        for step in fault.before:
            take_step(cluster, step)
        cluster.start()
        if not fault.before:
            cluster.until_ready()
        for node in NODES:
            cluster.add_workload(node)
        if not fault.before:
            cluster.until_ready()
        _note(cluster, "started")
        for step in fault.steps:
            take_step(cluster, step)
        for seconds in (fault.wait, 0):  # the controller is at work before and after
            if not fault.lost:
                cluster.count_daemonsets()
            time.sleep(seconds)
        _note(cluster, "looking")
        look(cluster, fault, folder)
        _note(cluster, "done")


def look(cluster: Cluster, fault: Fault, folder: Path) -> None:
    """probes/NODE.txt and bundle.tar.gz; live.json too where the API server does not answer, for then nothing is collected."""
    probes = folder / "probes"
    probes.mkdir(exist_ok=True)
    with ThreadPoolExecutor() as pool:
        for name, stream in zip(NODES, pool.map(lambda name: _probe(cluster, name), NODES), strict=True):
            (probes / f"{name}.txt").write_text(stream, "utf-8")
    kubeconfig, bundle = str(cluster.plane.kubeconfig), folder / "bundle.tar.gz"
    bundle.unlink(missing_ok=True)
    collected = _calivet("collect", "--kubeconfig", kubeconfig, "--output", str(bundle))
    (folder / "collect.log").write_text(collected.stdout + collected.stderr, "utf-8")
    if fault.lost:
        answer = _calivet("diagnose", "--kubeconfig", kubeconfig, "-o", "json")
        try:
            json.loads(answer.stdout)
        except ValueError:
            answer.stdout = json.dumps({"verdict": f"exit {answer.returncode}", "error": answer.stderr})
        (folder / "live-itself.json").write_text(answer.stdout, "utf-8")


def _probe(cluster: Cluster, name: str) -> str:
    return cluster.machine(name).attempt("sh", "-s", text=read_script()).stdout


def _calivet(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "calivet", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


def _note(cluster: Cluster, what: str) -> None:
    sys.stderr.write(f"{time.monotonic() - cluster.started:6.1f} s {what}\n")
    sys.stderr.flush()
