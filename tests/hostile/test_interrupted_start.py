"""Ctrl-C while calivet is still being loaded ends it as at any other time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from tests.hostile.starting import PATIENCE, SWAP, ended, started

CONSOLE_SCRIPT = shutil.which("calivet", path=sysconfig.get_path("scripts"))
# Ctrl-C when a module is looked for and, as somebody impatient does, at every one that comes after it.
INTERRUPTED = """
import os, runpy, signal, sys
program, module, *sys.argv[1:] = sys.argv[1:]
sys.argv[0] = program

class Finger:
    pressed = False

    def find_spec(self, name, path=None, target=None):
        self.pressed |= name == module
        if self.pressed:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finger())
runpy.run_path(program, run_name="__main__") if os.sep in program else runpy.run_module(program, run_name="__main__")
"""
LOADED = [
    "calivet.cli.dispatch",
    "argparse",
    "calivet.cli.commands.diagnose",
    "calivet.evidence.gather",
    "calivet.reports.diagnosis.text",
]


@pytest.mark.parametrize("module", LOADED)
@pytest.mark.parametrize("program", ["calivet", CONSOLE_SCRIPT])
def test_while_it_is_loaded(tmp_path: Path, program: str | None, module: str) -> None:
    if not program:
        pytest.skip("calivet is not installed as a command")
    log = tmp_path / "kubelet.log"
    log.write_text(SWAP)
    process = started(program, module, "diagnose", log, command=(sys.executable, "-c", INTERRUPTED))
    assert ended(process) == (130, "", "calivet: interrupted\n")


def test_in_chinese_too() -> None:
    environment = {"LANG": "zh_CN.UTF-8"}
    command = (sys.executable, "-c", INTERRUPTED)
    process = started("calivet", "argparse", "causes", command=command, environment=environment)
    assert ended(process) == (130, "", "calivet: 已中断\n")


# From the first module that it loads; what happens before happens inside Python, which knows nothing of calivet yet.
BEGUN = """
import os, sys

class Bell:
    def find_spec(self, name, path=None, target=None):
        if name == "calivet.cli.packages":
            os.write(1, b"!")

sys.meta_path.insert(0, Bell())
from calivet.cli.main import console
console()
"""
MOMENTS = int(os.environ.get("CALIVET_MOMENTS", "16"))
"""Of the first 30 ms."""


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_in_the_first_milliseconds(tmp_path: Path, moment: int) -> None:
    log = tmp_path / "kubelet.log"
    log.write_text(SWAP)
    process = started("diagnose", log, command=(sys.executable, "-c", BEGUN))
    assert process.stdout
    assert process.stdout.read(1) == b"!"
    time.sleep(moment * 0.030 / MOMENTS)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    # On a fast machine it may be done before the last of these moments.
    assert (code, err) in ((130, "calivet: interrupted\n"), (1, ""))
    assert code == 1 or not out


def modules_of_a_diagnosis(log: Path) -> list[str]:
    """In the order in which they are loaded."""
    listing = "import sys; from calivet.cli.main import main; main(); sys.stderr.write(' '.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", listing, "diagnose", str(log)], capture_output=True, timeout=PATIENCE, check=False
    )
    names = run.stderr.decode().split()
    return names[names.index("calivet.cli.packages") + 1 :]


def test_while_any_module_is_loaded(tmp_path: Path) -> None:
    log = tmp_path / "kubelet.log"
    log.write_text(SWAP)
    names = modules_of_a_diagnosis(log)
    assert "hyperscan" in names
    for name in names[:: max(1, len(names) // MOMENTS)]:
        process = started("calivet", name, "diagnose", log, command=(sys.executable, "-c", INTERRUPTED))
        code, out, err = ended(process)
        # Some are loaded by name only where a kept file has to be made anew; then nothing was pressed.
        assert (code, err) in ((130, "calivet: interrupted\n"), (1, "")), name
        assert code == 1 or not out


def test_where_it_is_ignored_it_stays_so(tmp_path: Path) -> None:
    """As behind `nohup`, or in the background of a script."""
    log = tmp_path / "kubelet.log"
    log.write_text(SWAP)
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    process = started("diagnose", log, command=(sys.executable, "-c", ignore + BEGUN))
    assert process.stdout
    assert process.stdout.read(1) == b"!"
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, err) == (1, "")
    assert out
