"""The project's own set-up keeps its promises."""

from __future__ import annotations

import re
import subprocess
from importlib import metadata, resources
from pathlib import Path

import pytest

import calivet

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.search(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)[1].split()  # type: ignore[index]


def pins(lock: Path) -> dict[str, list[str]]:
    """Each pinned `name==version` of a lock file with its hashes."""
    text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return {line.split()[0]: re.findall(r"--hash=sha256:([0-9a-f]{64})", line) for line in lines}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_pins_and_hashes_everything(lock):
    for pin, hashes in pins(lock).items():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+", pin), f"{pin} is not a plain pin"
        assert hashes, f"{pin} has no hash"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_registry(lock):
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-{1,2}(?!hash)\w", text, re.MULTILINE), "an option such as --index-url"


def test_both_locks_agree_on_what_runs():
    run, dev = (pins(ROOT / "requirements" / name) for name in ("run.txt", "dev.txt"))
    assert run.items() <= dev.items()


def test_the_locks_hold_every_dependency():
    def name(requirement: str) -> str:
        return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()  # type: ignore[index]

    needed = metadata.requires("calivet") or []
    run = {pin.split("==")[0] for pin in pins(ROOT / "requirements/run.txt")}
    dev = {pin.split("==")[0] for pin in pins(ROOT / "requirements/dev.txt")}
    assert {name(each) for each in needed if "extra ==" not in each} <= run
    others = {pin.split("==")[0] for name in ("fuzz", "bench") for pin in pins(ROOT / f"requirements/{name}.txt")}
    # Ray runs on a cluster that somebody has, with the version that it has.
    assert {name(each) for each in needed} - {"ray"} <= dev | others


def test_help_lists_every_target():
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.findall(r"^make ([\w-]+) +\S", shown, re.MULTILINE) == TARGETS
    assert set(re.findall(r"^([a-z][\w-]*):", MAKEFILE, re.MULTILINE)) == set(TARGETS)


def test_the_version_has_one_source():
    assert metadata.version("calivet") == calivet.__version__


@pytest.mark.parametrize("command", ["calivet", "kubectl-calivet"])
def test_the_commands_start_the_command_line(command):
    (entry,) = metadata.entry_points(group="console_scripts", name=command)
    assert entry.value == "calivet.cli.main:console"


def test_ci_runs_the_same_two_commands_as_everybody():
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("make ")] == ["make lint", "make test"]
    assert "set -euo pipefail" in lines


@pytest.mark.parametrize("room", ["causes", "demos"])
def test_data_rooms_hold_no_code(room):
    folder = resources.files("calivet") / room
    with resources.as_file(folder) as path:
        assert [file for file in path.rglob("*") if file.is_file()]
        assert list(path.rglob("*.py*")) == []


@pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="no README.md")
def test_the_readme_begins_with_make():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sh|bash|shell|console)\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    first, second, *_ = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    for command in (first, second):
        assert re.match(r"make (\w+)", command)[1] in TARGETS, command  # type: ignore[index]
