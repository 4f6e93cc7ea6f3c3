"""A real kubectl finds calivet as its plugin, and asks it for completions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import calivet
from calivet.cli.commands.complete import complete_words
from tests.cli.kubectl import available_kubectl
from tests.cli.running import ENVIRONMENT
from tests.cli.terminal import COMMANDS


def kubectl(*arguments: str, path: Path = COMMANDS) -> subprocess.CompletedProcess[str]:
    surroundings = os.environ | ENVIRONMENT | {"PATH": os.pathsep.join([str(path), os.environ["PATH"]])}
    command = [available_kubectl(), *arguments]
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=120, check=False)


def test_kubectl_runs_calivet():
    assert kubectl("calivet", "--version").stdout == f"calivet {calivet.__version__}\n"
    demo = kubectl("calivet", "demo", "killed-while-healthy")
    assert demo.returncode == 1
    assert "cgroup-driver-mismatch" in demo.stdout


def test_under_kubectl_calivet_calls_itself_so():
    assert kubectl("calivet", "--help").stdout.startswith("usage: kubectl calivet ")
    assert "kubectl calivet --help" in kubectl("calivet", "no-such-command").stderr


@pytest.mark.parametrize(
    "words", [[""], ["di"], ["explain", "kubelet-s"], ["diagnose", "--lang="], ["eval", ""], ["status", "--"]]
)
def test_kubectl_completes_what_calivet_completes(words):
    expected, also = complete_words(words)
    shown = kubectl("__complete", "calivet", *words).stdout.splitlines()
    assert shown == ["\t".join(filter(None, candidate)) for candidate in expected] + [f":{also:d}"]


def test_the_script_for_kubectl_completes_the_same(tmp_path):
    # As where krew has installed the plugin, which puts no more than the plugin itself on PATH.
    (tmp_path / "kubectl-calivet").symlink_to(COMMANDS / "kubectl-calivet")
    script = tmp_path / "kubectl_complete-calivet"
    script.write_text(kubectl("calivet", "completion", "kubectl").stdout)
    script.chmod(0o755)
    shown = kubectl("__complete", "calivet", "diagnose", "--lang", "", path=tmp_path).stdout
    assert shown == "en\nzh\n:4\n"
