"""The programs of the bed are found, made once, or said to be missing; nothing half made is ever taken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.bed.components import NO_GO, SCRIPT, UnavailableError, require

GO = """#!/bin/sh
[ "$1" = version ] && echo go version go9.9 && exit
while [ "$1" != -o ]; do shift; done
mkdir -p "$2" && echo made >"$2/kube-apiserver" && chmod +x "$2/kube-apiserver"
exit {code}
"""


def run(home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    bare = {"PATH": str(home / "bin"), "HOME": str(home), **environment}
    return subprocess.run([sys.executable, SCRIPT], env=bare, capture_output=True, text=True, check=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "etcd", "#!/bin/sh\n")
    return tmp_path


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def tool(home: Path, name: str) -> None:
    (home / "bin" / name).symlink_to(
        next(path for path in (f"/bin/{name}", f"/usr/bin/{name}") if os.access(path, os.X_OK))
    )


@pytest.fixture
def builder(home: Path):
    for name in ("mkdir", "chmod", "sh"):
        tool(home, name)

    def make(code: int) -> None:
        program(home / "bin" / "go", GO.format(code=code))

    return make


def test_want_of_go_has_a_code_of_its_own(home):
    made = run(home)
    assert made.returncode == NO_GO
    assert made.stderr.count("\n") == 1
    assert "Go is not installed" in made.stderr


def test_programs_that_are_given_are_taken(home):
    program(home / "bin" / "kube-apiserver", "#!/bin/sh\n")
    assert run(home, KUBEBUILDER_ASSETS=str(home / "bin")).stdout.strip() == str(home / "bin")


def test_they_are_made_once(home, builder):
    builder(code=0)
    first = run(home, XDG_CACHE_HOME=str(home / "cache"))
    folder = Path(first.stdout.strip())
    assert folder.is_relative_to(home / "cache")
    assert sorted(path.name for path in folder.iterdir()) == ["etcd", "kube-apiserver"]
    builder(code=1)
    assert run(home, XDG_CACHE_HOME=str(home / "cache")).stdout == first.stdout


def test_a_build_that_fails_leaves_nothing(home, builder):
    builder(code=1)
    made = run(home, XDG_CACHE_HOME=str(home / "cache"))
    assert made.returncode == 1
    assert list((home / "cache" / "calivet" / "test-components").iterdir()) == []


@pytest.mark.parametrize(("excused", "outcome"), [(True, pytest.skip.Exception), (False, pytest.fail.Exception)])
def test_in_ci_only_want_of_go_is_an_excuse(monkeypatch, excused, outcome):
    def missing() -> Path:
        raise UnavailableError("etcd is not installed", excused=excused)

    monkeypatch.setenv("CI", "true")
    with pytest.raises(outcome, match="etcd is not installed"):
        require(missing, "no test")


def test_elsewhere_every_reason_is(monkeypatch):
    def missing() -> Path:
        raise UnavailableError("etcd is not installed", excused=False)

    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="etcd is not installed"):
        require(missing, "no test")
