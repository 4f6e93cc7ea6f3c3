"""The Tab key in real shells: for `calivet` by our scripts, for `kubectl calivet` by kubectl's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.kubectl import available_kubectl
from tests.cli.terminal import type_lines

ARN = "arn:aws:eks:eu-west-1:123456789012:cluster/harbour"
KUBECONFIG = f"""
contexts:
- {{name: admin@quay, context: {{cluster: quay}}}}
- {{name: "{ARN}", context: {{cluster: harbour}}}}
- {{name: old pier, context: {{cluster: pier}}}}
"""
PLACES = ("/usr/share/bash-completion/bash_completion", "/opt/homebrew/etc/profile.d/bash_completion.sh")
BASH_COMPLETION = next((place for place in PLACES if Path(place).is_file()), None)

OURS = {
    "bash": 'eval "$(calivet completion bash)"',
    "zsh": "source <(calivet completion zsh)",
    "fish": "calivet completion fish | source",
}
KUBECTLS = {
    "bash": f"source {BASH_COMPLETION}; source <(kubectl completion bash)",
    "zsh": "autoload -Uz compinit; compinit; source <(kubectl completion zsh)",
    "fish": "kubectl completion fish | source",
}

# What is typed before Tab, and the last word that comes of it. A shell may add a slash to a folder.
COMMON = {
    "dia": "diagnose",
    "explain kubelet-sw": "kubelet-swap-on",
    "--context arn": ARN,
    "--context=arn:aws:": f"--context={ARN}",
    "diagnose my": "my notes.md",
}
ONLY_OURS = {
    "diagnose --verb": "--verbose",
    "status --context admin@": "admin@quay",
    "demo note": "note",
    "note": "notes.md",
    "--kubeconfig=note": "--kubeconfig=notes.md",
    "eval ca": "cases",
    "--causes=ca": "--causes=cases",
    "--context old": "old pier",
    "explain 'kubelet-sw": "kubelet-swap-on",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "kubeconfig").write_text(KUBECONFIG, encoding="utf-8")
    (tmp_path / "cases").mkdir()
    for name in ("notes.md", "my notes.md", "case.txt"):
        (tmp_path / name).touch()
    return tmp_path


def last_words(shell: str, setup: str, typed: dict[str, str], folder: Path, **environment: str) -> dict[str, str]:
    words = type_lines(shell, setup, list(typed), folder, KUBECONFIG=str(folder / "kubeconfig"), **environment)
    return {line: words[line][-1].rstrip("/") for line in typed}


@pytest.mark.parametrize("shell", OURS)
def test_calivet_completes(shell, folder):
    expected = {f"calivet {start}": word for start, word in (COMMON | ONLY_OURS).items()}
    expected["kubectl-calivet dia"] = "diagnose"
    assert last_words(shell, OURS[shell], expected, folder) == expected


@pytest.mark.parametrize("shell", KUBECTLS)
def test_kubectl_calivet_completes(shell, folder):
    if shell == "bash" and not BASH_COMPLETION:
        pytest.skip("bash-completion, which kubectl's script needs, is not installed (scripts/test-shells installs it)")
    commands = str(Path(available_kubectl()).parent)
    expected = {f"kubectl calivet {start}": word for start, word in COMMON.items()}
    assert last_words(shell, KUBECTLS[shell], expected, folder, PATH=f"{commands}:{os.defpath}") == expected
