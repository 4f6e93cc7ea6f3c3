"""Runs calivet the way a shell does, or, faster, in this process."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from msgspec import Struct

from calivet.cli.main import main

ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "", "LC_MESSAGES": "", "COLUMNS": "100"}


class Run(Struct, frozen=True):
    """What came of it."""

    code: int
    out: str
    err: str


def calivet(*arguments: object, program: str = "calivet", **environment: str) -> Run:
    """The command in this process, with its output caught."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.StringIO()
    with (
        mock.patch.dict(os.environ, ENVIRONMENT | environment),
        mock.patch.object(sys, "argv", [f"/usr/local/bin/{program}"]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = int(left.code or 0)
    out.flush()
    written = out.buffer.getvalue()
    return Run(code, written.decode(), err.getvalue())


def process(*arguments: object, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> Run:
    """The command as a process of its own, its output read as UTF-8 whatever it is."""
    run = subprocess.run(
        [sys.executable, "-m", "calivet", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=600,  # only what hangs takes so long, on the busiest machine too
        env={**os.environ, **ENVIRONMENT, **(environment or {})},
        check=False,
    )
    return Run(run.returncode, run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace"))


def write(folder: Path, **files: str) -> Path:
    """Files by name, with _ for a dot."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder
