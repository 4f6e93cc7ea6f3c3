"""Width and colour: on a terminal, through a pipe, and as the reader says."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from calivet.reports.layout.wrapping import measure_width
from tests.cli.running import ENVIRONMENT, calivet, process

ESCAPE = "\x1b["
RULED = re.compile(r"^\s*(?:│|\[\w+\] )")
"""Lines that are always kept to the width: quotes and claims."""


def widest(text):
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)
    return max(measure_width(line) for line in plain.splitlines() if RULED.match(line))


def on_a_terminal(columns, *arguments, piped=False, **environment):
    """What is shown on a terminal this wide; piped: standard output goes through cat, as it does into a pager."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    surroundings = {**os.environ, **ENVIRONMENT, "TERM": "xterm-256color", **environment}
    surroundings.pop("COLUMNS")
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"):
        if name not in environment:
            surroundings.pop(name, None)
    command = [sys.executable, "-m", "calivet", *arguments]
    out = subprocess.PIPE if piped else theirs
    with subprocess.Popen(command, stdin=theirs, stdout=out, stderr=theirs, env=surroundings) as process:
        os.close(theirs)
        shown = process.stdout.read() if process.stdout else b""
        while True:
            try:
                shown += os.read(ours, 65536) if not piped else b""
            except OSError:  # the last writer has gone
                break
            if piped:
                break
    os.close(ours)
    return shown.decode()


class TestTerminal:
    @pytest.mark.parametrize("columns", [72, 100])
    def test_its_width_and_colour(self, columns):
        shown = on_a_terminal(columns, "demo", "stuck-in-init")
        assert ESCAPE in shown
        assert columns - 8 <= widest(shown.replace("\r", "")) <= columns

    def test_a_very_wide_one_is_not_used_to_its_edge(self):
        assert widest(on_a_terminal(300, "demo", "stuck-in-init").replace("\r", "")) <= 120

    def test_one_that_knows_no_colours(self):
        assert ESCAPE not in on_a_terminal(80, "demo", TERM="dumb")
        assert ESCAPE not in on_a_terminal(80, "demo", NO_COLOR="1")

    def test_through_a_pipe_the_width_stays_and_colour_goes(self):
        shown = on_a_terminal(72, "demo", "stuck-in-init", piped=True)
        assert ESCAPE not in shown
        assert widest(shown) <= 72

    def test_for_less_with_colour(self):
        assert ESCAPE in on_a_terminal(80, "demo", "--color", "always", piped=True)


class TestOptions:
    def test_width(self):
        assert widest(calivet("demo", "stuck-in-init", "--width", "64").out) <= 64

    def test_without_a_terminal(self):
        run = calivet("demo", "stuck-in-init", COLUMNS="")
        assert ESCAPE not in run.out
        assert 90 < widest(run.out) <= 100

    @pytest.mark.parametrize("arguments", [["--color", "always"], ["--color=always"]])
    def test_always(self, arguments):
        assert ESCAPE in calivet("demo", *arguments, NO_COLOR="1").out

    @pytest.mark.parametrize("arguments", [["--no-color"], ["--color", "never"], ["--color=always", "--no-color"]])
    def test_never(self, arguments):
        assert ESCAPE not in calivet("demo", *arguments, FORCE_COLOR="1").out

    def test_forced_by_the_environment(self):
        assert ESCAPE in calivet("demo", CLICOLOR_FORCE="1").out

    def test_colours_change_no_word(self):
        plain = re.sub(r"\x1b\[[\d;]*m", "", calivet("demo", "--color", "always").out)
        assert plain == calivet("demo").out


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1", "gbk"])
def test_marks_can_be_told_apart_in_every_encoding(encoding):
    run = process("demo", "stuck-in-init", environment={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert re.search(r"^ \+ \w", run.out, re.MULTILINE)
    assert re.search(r"^ x nodes", run.out, re.MULTILINE)


def test_evidence_cannot_act_on_the_terminal(tmp_path):
    hostile = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202ekcab\u2066"
    (tmp_path / f"a{hostile}.log").write_text(
        f"F0314 09:26:53.1 4711 server.go:265] {hostile} failed to run Kubelet: running with swap on is not supported {hostile}\n",
        encoding="utf-8",
    )
    for arguments in ([], ["-v"], ["--lang", "zh", "-v"]):
        run = calivet("diagnose", tmp_path, *arguments)
        assert run.code == 1
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", run.out + run.err)
