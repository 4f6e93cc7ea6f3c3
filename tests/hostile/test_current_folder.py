"""A folder full of modules of a stranger: whatever calivet is asked for there, none of them is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from calivet.cli.command_table import COMMANDS
from calivet.evidence.long_logs.sieve import MANY
from calivet.evidence.long_logs.workers import count_cores
from tests.cli.running import ENVIRONMENT
from tests.fleet.made_up import shelf
from tests.hostile.starting import PATIENCE, SWAP
from tests.live.api_server import serving
from tests.live.kubeconfigs import written

BIN = Path(sys.executable).parent
ROOT = Path(__file__).parents[2]
NEEDED = "backports distributed dask duckdb hyperscan isal jinja2 markupsafe msgspec numpy pandas pyarrow ray socks tornado urllib3 yaml"
HOOKS = ("sitecustomize", "usercustomize")

ARGUMENTS = {
    "diagnose": ["many.log"],
    "node": ["--total", "20s"],
    "demo": ["killed-while-healthy"],
    "diff": ["shelf/a1.tar.gz", "shelf/a2.tar.gz"],
    "whatif": ["ipipMode=Never", "shelf/a1.tar.gz"],
    "preflight": ["shelf/cedar"],
    "status": ["--kubeconfig", "config"],
    "collect": ["--kubeconfig", "config", "-o", "collected.tar.gz"],
    "access": ["--kubeconfig", "config"],
    "fix": ["--plan", "shelf/cedar"],
    "causes": [],
    "explain": ["kubelet-swap-on"],
    "eval": ["cases", "--jobs", "2"],
    "fleet": ["shelf", "-o", "new.duckdb", "--jobs", "2"],
    "fleet-report": ["old.duckdb"],
    "completion": ["bash"],
    "__complete": ["--", "explain", "kubelet-s"],
}
ENDS = {0, 1, 2, 3}
"""Exit codes of runs that began; wrong usage would prove nothing."""


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Something for every command to work on."""
    folder = tmp_path_factory.mktemp("evidence")
    shelf(folder / "shelf")
    (folder / "few.log").write_text(SWAP)
    (folder / "many.log").write_text(SWAP * (4 * MANY))
    for case in ("a001", "a002"):
        shutil.copytree(ROOT / "corpus" / case, folder / "cases" / case)
    run(BIN / "calivet", "fleet", "shelf/a1.tar.gz", "-o", "old.duckdb", folder=folder)
    with serving() as server:
        written(folder, server.url, {"token": "t"})
        yield folder


@pytest.fixture
def hostile(tmp_path: Path, evidence: Path) -> Path:
    """The evidence among modules of every name; each leaves a mark when it is run."""
    folder = tmp_path / "hostile"
    shutil.copytree(evidence, folder, copy_function=os.link)
    plant(folder, {*sys.stdlib_module_names, *NEEDED.split(), *HOOKS, "tests"})
    for package in ("calivet", "calivet/cli", "calivet/engines", "calivet/evidence"):
        (folder / package).mkdir()
        plant(folder / package, {"__init__", "__main__", "main"})
    return folder


def plant(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / f"{name}.py").write_text(f"open({str(folder / name)!r} + '.ran', 'x').close()\n")


def marks(folder: Path) -> list[str]:
    """The modules that were run."""
    return sorted(str(mark.relative_to(folder)) for mark in folder.rglob("*.ran"))


def run(
    *command: object, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    without = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={**without, **ENVIRONMENT, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def loaded_by(*options: str, folder: Path, environment: Mapping[str, str] | None = None) -> set[str]:
    """What Python itself has loaded before a program's first line; nobody but whoever starts it can change that."""
    shown = run(sys.executable, *options, folder=folder, environment=environment)
    assert shown.returncode == 0, shown.stderr
    return set(shown.stdout.split())


def test_every_command_is_tried() -> None:
    assert set(ARGUMENTS) == set(COMMANDS)


def test_one_file_starts_python() -> None:
    """So that it stays true of what comes later. Dask's and Ray's own ways are in `isolate_libraries`."""
    ways = ("sys.executable", "multiprocessing", "ProcessPool", "os.fork", "os.exec", "os.spawn", "runpy")
    source = ROOT / "src" / "calivet"
    found = {file.relative_to(source).as_posix() for file in source.rglob("*.py") for way in ways if way in code(file)}
    assert found == {"evidence/isolated_python.py"}


def code(file: Path) -> str:
    """Without what is only said about it."""
    return "\n".join(line.partition("#")[0] for line in file.read_text("utf-8").splitlines() if '"""' not in line)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_what_lies_in_the_current_folder(hostile: Path, command: str) -> None:
    ended = run(BIN / "calivet", command, *ARGUMENTS[command], folder=hostile)
    assert ended.returncode in ENDS, ended.stderr
    assert "Traceback" not in ended.stderr
    assert marks(hostile) == []


STARTED = {
    "node": ["node", "--total", "20s"],
    "ssh": ["diagnose", "many.log", "--ssh", "alder", "--ssh-timeout", "5s"],
    "plugin": ["collect", "--kubeconfig", "plugged", "-o", "collected.tar.gz"],
    "fix": ["fix", "--dry-run", "--kubeconfig", "config"],
}


@pytest.mark.parametrize("path", [".:{}", ":{}", "{}:", "bin:{}"])
@pytest.mark.parametrize("call", STARTED)
def test_nor_a_program_that_lies_there(evidence: Path, tmp_path: Path, call: str, path: str) -> None:
    """Whatever `PATH` says of the current folder: nobody has typed the name of what calivet starts."""
    folder = tmp_path / "hostile"
    shutil.copytree(evidence, folder, copy_function=os.link)
    for name in ("kubectl", "oc", "ssh", "sh", "bash", "env", "uname", "timeout", "cat", "sed", "awk", "evil-plugin"):
        for program in (folder / name, folder / "bin" / name):
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n: >{str(folder / name)!r}.ran\n")
            program.chmod(0o755)
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": "evil-plugin", "interactiveMode": "Never"}
    with serving() as server:
        (folder / "plugged").write_bytes(Path(written(tmp_path, server.url, {"exec": plugin})).read_bytes())
    run(BIN / "calivet", *STARTED[call], folder=folder, environment={"PATH": path.format(os.environ["PATH"])})
    assert marks(folder) == []


@pytest.mark.skipif(count_cores() == 1, reason="helpers are only started where there are cores for them")
def test_helpers_were_started_for_the_log_of_many_hits(evidence: Path) -> None:
    """So that the test above shows something: the processes are seen by the interpreter's own audit events."""
    watch = (
        "import sys; from calivet.cli.main import main\n"
        "sys.addaudithook(lambda event, details: event == 'subprocess.Popen' and print(details[1], file=sys.stderr))\n"
        "main(['diagnose', 'many.log'])"
    )
    ended = run(sys.executable, "-c", watch, folder=evidence)
    lines = [line for line in ended.stderr.splitlines() if "long_logs.workers" in line]
    assert len(lines) == count_cores()
    assert all("'-I'" in line for line in lines)


@pytest.mark.parametrize("entry", ["kubectl-calivet", "kubectl_complete-calivet"])
def test_nor_does_kubectl(hostile: Path, entry: str) -> None:
    ended = run(BIN / entry, "explain", "kubelet-swap-on", folder=hostile)
    assert ended.returncode == 0
    assert ended.stdout
    assert marks(hostile) == []


def test_nor_a_cluster_of_dask(hostile: Path) -> None:
    pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    ended = run(BIN / "calivet", "fleet", "shelf", "-o", "d.duckdb", "--engine", "dask", "--jobs", "2", folder=hostile)
    assert (ended.returncode, ended.stdout) == (0, "d.duckdb: 5 bundles diagnosed, 1 known already, 0 failed\n")
    assert marks(hostile) == []


@pytest.mark.parametrize("command", ["diagnose", "fleet", "eval"])
def test_started_as_a_module_only_python_itself_looks_there(hostile: Path, command: str, tmp_path: Path) -> None:
    (tmp_path / "shows.py").write_text("import sys; print(*sys.modules)")
    first = loaded_by("-m", "shows", folder=tmp_path)
    shutil.rmtree(hostile / "calivet")
    for name in first:
        (hostile / f"{name}.py").unlink(missing_ok=True)
    ended = run(sys.executable, "-m", "calivet", command, *ARGUMENTS[command], folder=hostile)
    assert ended.returncode in ENDS
    assert marks(hostile) == []


@pytest.mark.parametrize("command", ["diagnose", "fleet", "eval"])
def test_an_isolated_module_looks_nowhere_else(hostile: Path, command: str) -> None:
    ended = run(sys.executable, "-I", "-m", "calivet", command, *ARGUMENTS[command], folder=hostile)
    assert ended.returncode in ENDS
    assert marks(hostile) == []


@pytest.mark.parametrize("variable", [".", ":", "/nowhere:"])
def test_a_variable_that_names_the_current_folder(hostile: Path, tmp_path: Path, variable: str) -> None:
    """As `PYTHONPATH=$PYTHONPATH:/opt/x` does where it was empty before."""
    shutil.rmtree(hostile / "calivet")
    environment = {"PYTHONPATH": variable}
    first = loaded_by("-c", "import calivet, sys; print(*sys.modules)", folder=tmp_path, environment=environment)
    for name in {*first, *HOOKS}:
        (hostile / f"{name}.py").unlink(missing_ok=True)
    for command in ("fleet", "diagnose"):
        ended = run(BIN / "calivet", command, *ARGUMENTS[command], folder=hostile, environment=environment)
        assert ended.returncode in ENDS
        assert marks(hostile) == []


def test_the_plugin_of_krew(hostile: Path, tmp_path: Path) -> None:
    """Its launcher, calivet and dependencies in one folder, with a Python that has none of them."""
    lib = tmp_path / "plugin" / "lib"
    lib.mkdir(parents=True)
    (lib / "calivet").symlink_to(ROOT / "src" / "calivet")
    (lib / "{}.{}".format(*sys.version_info)).symlink_to(Path(pytest.__file__).parents[1])
    shutil.copy(ROOT / "deploy/krew/kubectl-calivet", lib.parent)
    shutil.copy(ROOT / "deploy/krew/kubectl-calivet.py", lib)
    python = Path(sys.base_prefix) / "bin"
    if run(python / "python3", "-I", "-c", "import calivet", folder=tmp_path).returncode == 0:
        pytest.skip("this Python knows calivet by itself")
    for program in ("python3", "python{}.{}".format(*sys.version_info), "dirname", "readlink"):
        (hostile / program).write_text(f"#!/bin/sh\n: >{str(hostile / program)!r}.ran\n")
        (hostile / program).chmod(0o755)
    path = {"PATH": os.pathsep.join([".", "", str(python), os.environ["PATH"], ""])}
    for arguments in (["fleet", "shelf", "-o", "k.duckdb", "--jobs", "2"], ["diagnose", "many.log"]):
        ended = run(lib.parent / "kubectl-calivet", *arguments, folder=hostile, environment=path)
        assert ended.returncode in {0, 1}, ended.stderr
        assert marks(hostile) == []
    assert (
        "5 bundles diagnosed"
        in run(
            lib.parent / "kubectl-calivet", *["fleet", "shelf", "-o", "l.duckdb"], folder=hostile, environment=path
        ).stdout
    )
