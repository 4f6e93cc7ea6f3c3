"""The page by the command line: to a file or a pipe, never onto a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.cli.running import ENVIRONMENT, calivet, process


@pytest.mark.parametrize(("demo", "code"), [("three-at-once", 1), ("healthy-but-noisy", 0), ("migration-hangs", 2)])
def test_it_is_written_to_standard_output_and_the_code_says_the_verdict(demo, code):
    run = calivet("demo", demo, "-o", "html", "--lang", "zh")
    assert (run.code, run.err) == (code, "")
    assert run.out.startswith("<!DOCTYPE html>")
    assert run.out.endswith("</html>\n")
    assert 'id="map"' in run.out


def test_it_is_utf_8_whatever_the_locale():
    run = process("demo", "-o", "html", "--lang", "zh", environment={"PYTHONIOENCODING": "latin-1"})
    assert "因果链" in run.out


@pytest.mark.parametrize(("language", "says"), [("en", "redirect it"), ("zh", "请重定向到文件")])
def test_on_a_terminal_one_line_says_to_redirect_it(language, says):
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "calivet", "demo", "--lang", language, "-o", "html"]
    done = subprocess.run(
        command, stdout=slave, stderr=subprocess.PIPE, env={**os.environ, **ENVIRONMENT}, timeout=60, check=False
    )
    os.close(slave)
    os.close(master)
    said = done.stderr.decode()
    assert done.returncode == 64
    assert says in said
    assert said.count("\n") == 1
