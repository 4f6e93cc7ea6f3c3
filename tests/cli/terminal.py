"""Types into real interactive shells, the Tab key included."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from calivet.search.cache import find_cache_folder

COMMANDS = Path(sys.executable).parent
"""Where this environment keeps calivet, kubectl-calivet and kubectl_complete-calivet."""

BARE = {
    "bash": ["--norc", "--noprofile", "-i"],
    "zsh": ["-f", "-i"],
    "fish": ["--no-config", "-i"],
}
# A shell handles keys only on a terminal of its own.
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
READY = b"ready-to-type"
PATIENCE = 60  # seconds without a sign of life; only a hanging shell gets there

TAB, TO_START, TO_END = "\t", "\x01", "\x05"


def available(shell: str) -> str:
    """The shell's path; skips where it is missing."""
    found = shutil.which(shell)
    if not found:
        pytest.skip(f"{shell} is not installed (as root, scripts/test-shells installs it)")
    return found


def type_lines(shell: str, setup: str, lines: Sequence[str], folder: Path, **environment: str) -> dict[str, list[str]]:
    """Each line with Tab pressed after it, and the words that a program would then have got."""
    answers = folder / "answers"
    answers.touch()
    typed = [f"{line}{TAB}{TO_START}printf '%s\\n' {TO_END} >>{answers}; echo . >>{answers}\n" for line in lines]
    # The word is put together by printf, so that its echo is not mistaken for it.
    ready = "printf 'ready-%s\\n' to-type"
    surroundings = {**os.environ, "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}
    # Nothing is kept in a home that is new: each Tab would parse the catalogue.
    surroundings.setdefault("XDG_CACHE_HOME", str(find_cache_folder().parent))
    surroundings["PATH"] = os.pathsep.join([str(COMMANDS), surroundings["PATH"]])
    command = [sys.executable, "-c", OWN_TERMINAL, available(shell), *BARE[shell]]
    _converse(command, f"{setup}; {ready}\n", "".join(typed) + "exit\n", folder, surroundings)
    blocks = answers.read_text("utf-8").split("\n.\n")
    return {line: block.split("\n") for line, block in zip(lines, blocks, strict=False)}


def _converse(command: list[str], first: str, then: str, folder: Path, environment: Mapping[str, str]) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment, start_new_session=True
    ) as shell:
        os.close(theirs)
        shown = b""
        os.write(ours, first.encode())
        while select.select([ours], [], [], PATIENCE)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:  # the shell has gone
                break
            if then and READY in shown:
                os.write(ours, then.encode())
                then = ""
        else:
            shell.kill()
            pytest.fail(f"{command} hangs; it showed {shown[-2000:]!r}")
    os.close(ours)
