"""The check of what prints and what makes commands finds each way around, and nothing else."""

from __future__ import annotations

import pytest

from tests.project.scripts import run


def check(folder, text, name="reports/text.py"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    code, told = run("check-printing", folder)
    return code, told.partition(": ")[2].strip()


def test_calivet_itself():
    assert run("check-printing")[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "print('x')",
        "say = print",
        "import sys\nsys.stdout.write('x')",
        "import sys\nsys.stderr.writelines(['x'])",
        "import sys\nsys.stdout.buffer.write(b'x')",
        "import sys\nstream = sys.stderr",
        "import sys\nstream = None or sys.__stdout__",
        "import sys\nwrite(sys.stdout)",
        "from sys import stdout as out",
        "import os\nos.write(1, b'x')",
        "from os import write",
    ],
)
def test_a_way_to_print(tmp_path, text):
    code, told = check(tmp_path, text)
    assert code == 1
    assert told.endswith("use calivet.cli.terminal.output")
    assert check(tmp_path / "own", text, "cli/terminal/output.py")[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "import shlex",
        "from shlex import quote",
        "from calivet.messages.command_line import Command\nx = Command('rm')",
        "from calivet.messages.command_line import Command as C\nx = C('rm')",
        "from calivet.messages.command_line import Quoted\nx = Quoted('rm')",
        "from calivet.evidence import command_line\nx = command_line.Command('rm')",
        "from typing import cast\nx = cast('Command', 'rm')",
        "from typing import cast\nfrom calivet.messages.command_line import Command\nx = cast(Command, 'rm')",
    ],
)
def test_a_way_to_a_command(tmp_path, text):
    code, told = check(tmp_path, text)
    assert code == 1
    assert "calivet.messages.command_line" in told
    assert check(tmp_path / "own", text, "messages/command_line.py")[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nif sys.stdout.isatty():\n    sys.stdout.flush()",
        "file.write('x')",
        "from urllib.parse import quote\nquote('x')",
        "from calivet.readers.command import Command\nCommand('x')",
        "from calivet.messages.command_line import Command, look\ndef f() -> Command:\n    return look('nodes')",
    ],
)
def test_what_is_allowed(tmp_path, text):
    assert check(tmp_path, text)[0] == 0
