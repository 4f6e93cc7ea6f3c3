"""The programs of the lab are installed where that can be, and named where it cannot; it never fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/test-lab"
PACKAGES = {
    "bird": "bird2",
    "containerd": "containerd",
    "nft": "nftables",
    "iptables": "iptables",
    "etcdctl": "etcd-client",
    "firewall-cmd": "firewalld",
    "ipset": "ipset",
    "systemctl": "systemd",
}
OTHERS = {"ip": "exit", "ping": "exit", "unshare": "exit", "chmod": 'exec /bin/chmod "$@"', "rm": 'exec /bin/rm "$@"'}


def run(folder: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """On a machine that has these commands and nothing else."""
    (folder / "bin").mkdir()
    for name, script in commands.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / "bin" / name).chmod(0o755)
    environment = {"PATH": f"{folder}/bin", "SYSTEM_PATH": "", "POLICY": str(folder / "policy")}
    return subprocess.run(["/bin/sh", SCRIPT], env=environment, capture_output=True, text=True, check=False)


def test_root_gets_what_is_missing(tmp_path):
    done = run(tmp_path, **OTHERS, nft="exit", id="echo 0", **{"apt-get": 'echo "apt-get $*"'})
    assert done.returncode == 0
    assert "apt-get install -y -qq --no-install-recommends bird2 containerd iptables" in done.stderr


@pytest.mark.parametrize(
    "commands", [{"id": "echo 1000", "apt-get": "exit 9"}, {"id": "echo 0", "apt-get": "exit 100"}]
)
def test_where_nothing_can_be_installed_a_line_names_what_is_missing(tmp_path, commands):
    done = run(tmp_path, **OTHERS, **commands)
    assert done.returncode == 0
    assert (
        f"calivet: not installed, the lab of namespaces is not tested: {' '.join(PACKAGES.values())}\n" in done.stderr
    )


def test_no_service_starts_while_they_are_installed(tmp_path):
    looks = 'echo "policy: $("$POLICY"; echo $?)"'
    done = run(tmp_path, **OTHERS, id="echo 0", **{"apt-get": looks})
    assert "policy: 101" in done.stderr
    assert not (tmp_path / "policy").exists()


def test_a_policy_of_the_machines_own_stays(tmp_path):
    (tmp_path / "policy").write_text("#!/bin/sh\nexit 7\n")
    run(tmp_path, **OTHERS, id="echo 0", **{"apt-get": "exit"})
    assert "exit 7" in (tmp_path / "policy").read_text()


def test_nothing_missing_nothing_said(tmp_path):
    done = run(tmp_path, **OTHERS, **dict.fromkeys(PACKAGES, "exit"), id="echo 1000")
    assert (done.returncode, done.stderr) == (0, "")
