"""Runs the examples of the documentation when it is built, and puts what they print under them.

A fence that begins with ```console run holds commands, each after a `$`. They run in a copy of examples/. An exit
code other than 0 is announced: ```console run exit=1. One that was not announced fails the build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

DOCS = Path(__file__).parents[1]
EXAMPLE = re.compile(r"^```console run(?: exit=(?P<code>\d+))?\n(?P<commands>.*?)^```$", re.MULTILINE | re.DOTALL)
# As on a terminal of this width, wherever it is built; nothing is read of the builder's own cluster.
SURROUNDINGS = {"COLUMNS": "88", "LC_ALL": "C.UTF-8", "KUBECONFIG": os.devnull, "NO_COLOR": "1"}


def with_output(page: str, text: str, folder: Path) -> str:
    """The text of a page with the output of its examples."""
    return EXAMPLE.sub(lambda found: _ran(page, found["commands"], int(found["code"] or 0), folder), text)


def _ran(page: str, commands: str, expected: int, folder: Path) -> str:
    shown = []
    for line in filter(None, commands.splitlines()):
        code, printed = run(line.removeprefix("$ "), folder)
        if code != expected:
            raise ExtensionError(f"{page}: '{line}' ended with exit code {code}, not {expected}:\n{printed}")
        shown += [line, printed.rstrip("\n")]
    return "```console\n" + "\n".join(filter(None, shown)) + "\n```"


def run(command: str, folder: Path) -> tuple[int, str]:
    """The exit code of a shell's command line, and what it prints."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    ran = subprocess.run(  # noqa: S602 - the examples are ours, and pipes belong to them
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, **SURROUNDINGS, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return ran.returncode, ran.stdout.decode("utf-8", "replace")


def _read(_: Sphinx, page: str, source: list[str]) -> None:
    if EXAMPLE.search(source[0]):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(shutil.copytree(DOCS.parent / "examples", Path(scratch) / "examples"))
            source[0] = with_output(page, source[0], folder)


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls it."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
