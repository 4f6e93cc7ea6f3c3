from __future__ import annotations

import os

import pytest

from calivet.engines.engine import PathError
from calivet.fleet.survey import compute_content_digest
from tests.fleet.made_up import folder


def test_the_same_content_is_the_same_wherever_it_lies(tmp_path):
    assert compute_content_digest(str(folder(tmp_path, "a", "x"))) == compute_content_digest(
        str(folder(tmp_path, "b/c", "x"))
    )


@pytest.mark.parametrize(
    ("name", "text"), [("session.txt", "y"), ("more.txt", ""), ("sub/session.txt", "x"), ("session.txt\n0", "x")]
)
def test_another_content_or_name_is_another_bundle(tmp_path, name, text):
    place = folder(tmp_path, "a", "x")
    before = compute_content_digest(str(place))
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text(text)
    assert compute_content_digest(str(place)) != before


def test_what_is_no_evidence_changes_nothing(tmp_path):
    place = folder(tmp_path, "a", "x")
    before = compute_content_digest(str(place))
    (place / ".DS_Store").write_text("x")
    (place / "link").symlink_to("/etc/passwd")
    assert compute_content_digest(str(place)) == before


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(PathError, match="not a regular file"):
        compute_content_digest(str(tmp_path / "pipe"))


def test_names_that_are_no_text(tmp_path):
    place = folder(tmp_path, "a", "x")
    (place / os.fsdecode(b"\xff\xfe")).write_text("x")
    assert compute_content_digest(str(place))
