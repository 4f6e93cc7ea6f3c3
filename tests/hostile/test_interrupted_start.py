"""Ctrl-C while calivet is still being loaded ends it as at any other time."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.hostile.starting import SWAP, ended, started

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
    "calivet.cli.answering",
    "calivet.evidence.gather",
    "calivet.reports.text",
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
