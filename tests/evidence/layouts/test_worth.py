"""Of a machine's report, what tells something has its room wherever it stands: in a folder as in an archive."""

from __future__ import annotations

import io
import tarfile

import pytest

from calivet.evidence.gather import gather
from calivet.evidence.layouts.origins import is_bulk
from calivet.evidence.long_logs.intake import PLENTY
from calivet.search.scanner import Scanner


@pytest.mark.parametrize(
    "name",
    [
        "sosreport-a/proc/4711/status",
        "sos/proc/irq/12/spurious",
        "sos/sys/devices/system/cpu/cpu0/topology/core_id",
        "sos/etc/fonts/conf.d/10-hinting.conf",
        "sos/usr/lib/os-things/x",
        "sos/sos_commands/cups/lpstat_-t",
        "sos/var/log/apache2/access.log.1",
    ],
)
def test_bulk(name):
    assert is_bulk(name)


@pytest.mark.parametrize(
    "name",
    [
        "sosreport-a/proc/sys/net/ipv4/ip_forward",
        "sos/proc/meminfo",
        "sos/etc/hosts",
        "sos/etc/cni/net.d/10-calico.conflist",
        "sos/sos_commands/networking/ip_-o_addr",
        "sos/sos_commands/kubernetes/kubectl_get_pods",
        "sos/var/log/messages",
        "sos/var/log/pods/kube-system_calico-node-x_1/calico-node/0.log",
        "notes.md",
        "cluster/kubernetes/pods.txt",
    ],
)
def test_what_tells_something(name):
    assert not is_bulk(name)


FIELDS = "Name:\tsh\nState:\tS (sleeping)\nThreads:\t1\nVmPeak:\t    4628 kB\nCpus_allowed_list:\t0-3\n" * 400
ROWS = "".join(f"calico-node-{n:05}   1/1     Running   0          9d\n" for n in range(2_000))
TABLE = "NAME                READY   STATUS    RESTARTS   AGE\n" + ROWS
FILES = {f"sos/proc/{n}/status": FIELDS for n in range(2 * PLENTY // len(FIELDS))} | {
    "sos/sos_commands/kubernetes/kubectl_get_pods_-n_kube-system": TABLE
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "folder"


def lines_of_table(path):
    evidence = gather([str(path)], matcher=Scanner.build(["frobnicator gone"]))
    return sum(len(one.lines) for one in evidence.artifacts if "kubectl_get_pods" in one.name)


def test_a_folder_and_an_archive_keep_the_same(folder, tmp_path, monkeypatch):
    archive = tmp_path / "sos.tar"
    with tarfile.open(archive, "w") as packed:
        for name, text in FILES.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            packed.addfile(entry, io.BytesIO(text.encode()))
    assert lines_of_table(folder) == lines_of_table(archive) > 2_000
    monkeypatch.setattr("calivet.evidence.long_logs.intake.is_bulk", lambda _: False)
    assert lines_of_table(archive) < 2_000, "else this shows nothing"
