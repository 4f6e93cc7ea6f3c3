"""The layouts by name, and an incident packed in one of them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.layouts import calicoctl, kubectl_dump, openshift, rancher, sos, troubleshoot
from tests.layouts.cluster import Incident
from tests.layouts.faults import FAULTS
from tests.layouts.printing import Files

Build = Callable[[Incident, str], Files]
"""The incident, and the machine that a collector of one machine is run on."""

LAYOUTS: dict[str, Build] = {
    "cluster-diags": lambda incident, _: calicoctl.cluster_diags(incident),
    "old-cluster-diags": lambda incident, _: calicoctl.old_cluster_diags(incident),
    "node-diags": lambda incident, short: calicoctl.node_diags(incident.machines[short], incident),
    "dump-directory": lambda incident, _: kubectl_dump.dump_directory(incident),
    "dump-stream": lambda incident, _: kubectl_dump.dump_stream(incident),
    "sosreport": lambda incident, short: sos.sosreport(incident.machines[short], incident),
    "must-gather": lambda incident, _: openshift.must_gather(incident),
    "support-bundle": lambda incident, _: troubleshoot.support_bundle(incident),
    "old-support-bundle": lambda incident, _: troubleshoot.old_support_bundle(incident),
    "host-bundle": troubleshoot.host_bundle,
    "rke2": lambda incident, short: rancher.collected(incident.machines[short], incident, "rke2"),
    "rke2-old": lambda incident, short: rancher.collected(
        incident.machines[short], incident, "rke2", named_folder=False
    ),
    "k3s": lambda incident, short: rancher.collected(incident.machines[short], incident, "k3s"),
}
WITH_OPERATOR = ("cluster-diags", "old-cluster-diags", "must-gather", "rke2")


def built(fault: str, layout: str, machine: str | None = None) -> Files:
    """The files, collected on the machine that is at fault where none is named."""
    incident = FAULTS[fault].build("calico-system" if layout in WITH_OPERATOR else "kube-system")
    return LAYOUTS[layout](incident, machine or FAULTS[fault].machine or "larch")


def packed(files: Files, form: str, folder: Path, name: str = "archive", links: dict[str, str] | None = None) -> str:
    """Where the archive lies."""
    if form == "directory":
        for path, content in files.items():
            target = folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return str(folder / name)
    target = folder / f"{name}.{form}"
    if form == "zip":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in files.items():
                archive.writestr(path, content)
        return str(target)
    with tarfile.open(target, "w:gz", compresslevel=1) as tar:
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        for path, linked in (links or {}).items():
            entry = tarfile.TarInfo(path)
            entry.type, entry.linkname = tarfile.SYMTYPE, linked
            tar.addfile(entry)
    return str(target)
