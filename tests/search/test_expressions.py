"""Kept expressions do what re's own do, also when what was kept is damaged."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.search import cache, expressions
from calivet.search.expressions import expression

PATTERNS = [
    (r"(?P<user>\w+)@(?P<host>[\w.-]+)", 0),
    (r"^\s*(?:a|b){2,5}?\b(?!c)", re.MULTILINE),
    (r"负载.{0,8}高|LOAD (?=high)", re.IGNORECASE),
    (r"(\d+)(?:\.(\d+))?(?P<unit>[smhd])", 0),
]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    expressions._load_kept.cache_clear()
    yield
    expressions._load_kept.cache_clear()


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
@given(text=st.text(st.sampled_from("ab c@x.-host12.5m负载高LOADload high\n"), max_size=40))
def test_the_same_as_re(pattern, flags, text):
    ours, plain = expression(pattern, flags), re.compile(pattern, flags)
    assert [(m.span(), m.groupdict(), m.groups()) for m in ours.finditer(text)] == [
        (m.span(), m.groupdict(), m.groups()) for m in plain.finditer(text)
    ]
    assert (ours.pattern, ours.flags, ours.groups, ours.groupindex) == (
        plain.pattern,
        plain.flags,
        plain.groups,
        plain.groupindex,
    )


def test_nothing_is_compiled_before_it_is_used():
    broken = expression("(unclosed")
    with pytest.raises(re.error):
        broken.search("x")


def test_a_damaged_file_is_no_trouble():
    place = cache.find_cache_path("expressions", [])
    for content in (b"junk", b"\x81\xa30 x\x95\x20\x91\x01\x00\x80\x90"):
        cache.store(place, content)
        expressions._load_kept.cache_clear()
        assert expression("x").search("axb")


def test_a_second_run_finds_them_kept(tmp_path):
    run = [
        sys.executable,
        "-c",
        "from calivet.search.expressions import expression as e; print(e('b+').search('abb')[0])",
    ]
    first = subprocess.run(run, capture_output=True, text=True, check=True)
    assert cache.load(cache.find_cache_path("expressions", []))
    second = subprocess.run(run, capture_output=True, text=True, check=True)
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr) == ("bb\n", "")


def test_what_is_made_of_evidence_is_not_kept(tmp_path):
    secret = "Tulip-Rain-9x"
    script = (
        "from calivet.search.expressions import expression\n"
        f"expression('{secret}', kept=False).search('x'); expression('plain').search('x')\n"
        "from calivet.search.scanner import Scanner\n"
        f"list(Scanner.build(['{secret}', 'other']).scan(['{secret}']))\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"plain" in kept
    assert secret.encode() not in kept
