"""A package that calivet is built on is broken or missing: one line that names it, and exit code 3."""

from __future__ import annotations

import os
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from tests.hostile.starting import SWAP, ended, started

SOURCE = Path(__file__).parents[2] / "src"
RUN = "import sys; sys.path[:0] = {path!r}; from calivet.cli.main import console; console()"
BREAKING = {
    "ImportError": "raise ImportError('/lib/libhs.so.5: undefined symbol, password=hunter2hunter2')",
    "OSError": "raise OSError(5, 'Input/output error')",
    "SystemError": "raise SystemError('initialization failed')",
    "AttributeError": "import os; os.no_such_thing",
}
INSTALLED = {"yaml": "PyYAML", "jinja2": "Jinja2", "markupsafe": "MarkupSafe"}
# What needs which: msgspec is needed by everything, the others by what they are for.
NEEDING = {
    "msgspec": ["--version", "causes", "diagnose {log}", "nonsense", "__complete -- dia"],
    "hyperscan": [
        *("diagnose {log}", "demo virbr0-address", "preflight {log}", "diff {log} {log}", "whatif MTU=1400 {log}"),
        *("eval {folder}", "fleet {folder} -o {folder}/f.duckdb", "diagnose {log} --no-such-option"),
    ],
    "isal": ["diagnose {archive}", "diff {archive} {log}"],
    "yaml": ["causes --causes {folder}", "diagnose {log} --causes {folder}", "eval {folder}"],
    "jinja2": ["diagnose {log} -o html"],
    "markupsafe": ["diagnose {log} -o html"],
}
WANTED = [(package, command) for package, commands in NEEDING.items() for command in commands]


pytestmark = pytest.mark.xdist_group("broken-packages")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One for all, on one worker: what could be made in spite of what is broken serves the next."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def evidence(tmp_path: Path, cache: str) -> dict[str, str]:
    folder = tmp_path / "evidence"
    case = folder / "case"
    case.mkdir(parents=True)
    log = case / "kubelet.log"
    log.write_text(SWAP)
    (case / "expect.yaml").write_text("cause: swap-enabled\nsufficient: true\n")
    (folder / "own.yaml").write_text("id: own\n")
    archive = folder / "all.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(log, "kubelet.log")
    return {"log": str(log), "folder": str(folder), "archive": str(archive), "cache": cache}


def ends(command: str, evidence: dict[str, str], path: list[str], *, alone: bool = False) -> tuple[int, str, str]:
    interpreter = (sys.executable, *(["-S"] if alone else []), "-c", RUN.format(path=path))
    environment = {"XDG_CACHE_HOME": evidence["cache"], "PYTHONPATH": ""}
    return ended(started(*command.format(**evidence).split(), command=interpreter, environment=environment))


def one_line(package: str, why: str) -> str:
    name = INSTALLED.get(package, package)
    return f"calivet: the package {name} is broken or missing ({why}); install it anew: pip install --force-reinstall {name}\n"


@pytest.mark.parametrize(("package", "command"), WANTED)
def test_a_broken_one(tmp_path: Path, evidence: dict[str, str], package: str, command: str) -> None:
    broken = tmp_path / "broken" / package
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text(BREAKING["ImportError"])
    assert ends(command, evidence, [str(broken.parent)]) == (3, "", one_line(package, "ImportError"))


@pytest.mark.parametrize("why", BREAKING)
@pytest.mark.parametrize("package", ["hyperscan", "isal"])
def test_whatever_is_wrong_with_it(tmp_path: Path, evidence: dict[str, str], package: str, why: str) -> None:
    broken = tmp_path / "broken" / package
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text(BREAKING[why])
    command = NEEDING[package][0]
    assert ends(command, evidence, [str(broken.parent)]) == (3, "", one_line(package, why))
    assert ends(f"{command} --lang zh", evidence, [str(broken.parent)])[2].startswith(f"calivet: 软件包 {package} ")


def test_a_broken_part_of_one(tmp_path: Path, evidence: dict[str, str]) -> None:
    """As after an upgrade of the system: the package is there, its compiled part cannot be loaded."""
    broken = tmp_path / "broken" / "isal"
    broken.mkdir(parents=True)
    (broken / "__init__.py").touch()
    for name in ("igzip_lib", "isal_zlib"):
        (broken / f"{name}.so").write_bytes(b"\x7fELF, but no more")
    run = ends("diagnose {archive}", evidence, [str(broken.parent)])
    assert run == (3, "", one_line("isal", "ImportError"))


@pytest.mark.parametrize("package", NEEDING)
def test_a_missing_one(tmp_path: Path, evidence: dict[str, str], package: str) -> None:
    installed = tmp_path / "installed"
    installed.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if path.name.partition(".")[0] not in (package, "_" + package) and path.suffix != ".pth":
            (installed / path.name).symlink_to(path)
    command = NEEDING[package][0]
    run = ends(command, evidence, [str(SOURCE), str(installed)], alone=True)
    assert run == (3, "", one_line(package, "ModuleNotFoundError"))


def test_what_needs_none_of_them_still_answers(tmp_path: Path, evidence: dict[str, str]) -> None:
    broken = tmp_path / "broken" / "hyperscan"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text(BREAKING["OSError"])
    assert ends("--version", evidence, [os.fspath(broken.parent)])[0] == 0


def test_speedups_that_cannot_be_loaded_are_no_broken_package(tmp_path: Path, evidence: dict[str, str]) -> None:
    """PyYAML and MarkupSafe do without their compiled part, and say so to nobody."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    run = "import sys; sys.modules['markupsafe._speedups'] = None; sys.modules['yaml._yaml'] = None; " + RUN
    interpreter = (sys.executable, "-c", run.format(path=[str(hidden)]))
    code, out, err = ended(started("diagnose", evidence["log"], "-o", "html", command=interpreter))
    assert (code, err) == (1, "")
    assert "<html" in out
