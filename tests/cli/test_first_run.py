"""Who waits for the first answer is told why, before anything is made and not again."""

from __future__ import annotations

import sys

import pytest

from calivet.cli.inputs.knowledge import announce_first_run, load_knowledge

LINE = "preparing its patterns"


@pytest.fixture(autouse=True)
def as_new(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for known in (announce_first_run, load_knowledge):
        known.cache_clear()
    yield
    for known in (announce_first_run, load_knowledge):
        known.cache_clear()


def make_first_thing(monkeypatch) -> None:
    """What a first run makes first, and no more."""

    def prepare(_own: object) -> None:
        from calivet.search.cache import load_or_make

        for name in ("catalogue", "output"):
            load_or_make(name, [b"x"], lambda: b"made")

    monkeypatch.setattr("calivet.signs.sign_detector.prepare_detector", prepare)
    load_knowledge(None, "en")


def test_at_a_terminal_it_is_said_once(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    make_first_thing(monkeypatch)
    assert capsys.readouterr().err.count(LINE) == 1


def test_a_pipe_gets_no_such_line(monkeypatch, capsys):
    make_first_thing(monkeypatch)
    assert LINE not in capsys.readouterr().err
