"""No line makes redaction slow: every expression grows with the line's length, and so does the whole."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

import pytest

import calivet.redaction.secrets
from calivet.redaction import spans
from calivet.redaction.redactor import Redactor
from calivet.redaction.secrets.hints import HINTS

SIZE = spans.HEAD // 16
ENOUGH = 0.004
"""Seconds: what takes less is fast, whatever it grows like."""
MODULES = [
    import_module(f"{calivet.redaction.secrets.__name__}.{one.name}")
    for one in iter_modules(calivet.redaction.secrets.__path__)
]


def sources() -> dict[str, tuple[str, int, bool]]:
    """Every expression of the room by where it is, and whether anybody searches with it rather than asks for a match."""
    found = {f"hint {number}": (hint, 0, True) for number, hint in enumerate(HINTS)}
    for module in (*MODULES, spans):
        text = Path(str(module.__file__)).read_text("utf-8")
        for name, value in vars(module).items():
            if hasattr(value, "_source"):
                only_matches = not re.search(rf"\b{name}\.(?:search|finditer|sub|split|findall)\b", text)
                found[f"{module.__name__.rpartition('.')[2]}.{name}"] = (*value._source, not only_matches)
    shapes = import_module("calivet.redaction.secrets.shapes")
    for shape in (*shapes.SHAPES, *shapes.DEVICES):
        found[f"shape {shape.shape[:40]}"] = (shape.shape, re.ASCII, True)
    return found


SOURCES = sources()


def sample(tree: object, many: int) -> Iterator[str]:
    """Text that such an expression takes, its repeats as often as `many`."""
    for kind, value in tree:  # type: ignore[attr-defined]
        if kind is constants.LITERAL:
            yield chr(value)
        elif kind is constants.NOT_LITERAL or kind is constants.ANY:
            yield "a"
        elif kind is constants.IN:
            yield _one_of(value)
        elif kind in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            low, high, inner = value
            yield "".join("".join(sample(inner, many)) for _ in range(max(low, min(high, many))))
        elif kind is constants.SUBPATTERN:
            yield from sample(value[3], many)
        elif kind is constants.BRANCH:
            yield from sample(value[1][0], many)


def _one_of(members: list[tuple[object, object]]) -> str:
    if members[0][0] is constants.NEGATE:
        return "a"
    kind, value = members[0]
    if kind is constants.LITERAL:
        return chr(value)  # type: ignore[arg-type]
    if kind is constants.RANGE:
        return chr(value[0])  # type: ignore[index]
    return " " if "SPACE" in str(value) else "0" if "DIGIT" in str(value) else "a"


def branches(tree: object) -> Iterator[str]:
    """What each alternative begins with."""
    for kind, value in tree:  # type: ignore[attr-defined]
        if kind is constants.BRANCH:
            yield from ("".join(sample(branch, 1)) for branch in value[1])
        elif kind is constants.SUBPATTERN:
            yield from branches(value[3])
        elif kind in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            yield from branches(value[2])


def hostile(pattern: str, flags: int) -> set[str]:
    """Pieces that, repeated, begin to match everywhere and never end."""
    tree = parser.parse(pattern, flags)
    texts = {"".join(sample(tree, many)) for many in (1, 3, 30)}
    pieces = {text[:stop] for text in texts for stop in {len(text), len(text) - 1, len(text) // 2, 3}}
    pieces |= set(list(dict.fromkeys(branches(tree)))[:12])
    return {piece[:200] for piece in pieces if piece.strip()} | {"a", " ", "\\", "-", '"', "a.", "a-", ":"}


def seconds(compiled: re.Pattern[str], text: str, *, searches: bool) -> float:
    """Of the processor; the best of three."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        if searches:
            sum(1 for _ in compiled.finditer(text))
        compiled.match(text)
        compiled.fullmatch(text)
        taken.append(time.process_time() - begun)
        if taken[-1] < ENOUGH:
            break
    return min(taken)


@pytest.mark.parametrize("name", SOURCES)
def test_an_expression_grows_with_the_line(name):
    pattern, flags, searches = SOURCES[name]
    compiled = re.compile(pattern, flags)
    for piece in sorted(hostile(pattern, flags)):
        once, twice = (piece * (size // len(piece)) for size in (2 * SIZE, 4 * SIZE))
        if (long := seconds(compiled, twice, searches=searches)) > ENOUGH:
            assert long < 3 * seconds(compiled, once, searches=searches) + ENOUGH, (piece, long)
            assert long < 1, (piece, long)


HOSTILE = {
    "chinese": "密码是",
    "urls": "://",
    "urls with users": "a://b:c",
    "objects": "kind: Secret\n",
    "objects on one line": '"kind":"Secret","data":{"a":"b",',
    "objects of growing depth": "",
    "a long key": "a" * 1000,
    "a key of dashes": "a-",
    "passwords": "password",
    "password lines": "password: \n",
    "password settings": "password=",
    "open quotes": 'password="',
    "backslashes": 'password=\\\\\\"',
    "keys": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ" + "Ab1" * 5 + "\n",
    "frames": "-----BEGIN PRIVATE KEY-----\n",
    "ends of frames": "AAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----\n",
    "web tokens": "eyJhbGciOiJSUzI1NiIsImtpZCI6IkFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaIn0" * 2 + "\n",
    "commands": "mysql -u ",
    "echoes": "echo a ",
    "tables": "| password | user |\n",
    "rows": "|---|---|\n| password | a1b2c3d |\n",
    "options": "--token ",
    "here documents": "passwd <<EOF\n",
    "accounts": "chpasswd:\n  list: |\n",
    "commands that print": "cat /a/token\nAbcdef1x\n",
}
MEGABYTE = 1 << 20
KNOWN = ("chinese", "urls", "objects", "keys", "a long key")
"""These once took minutes."""


def hostile_text(kind: str) -> str:
    """A megabyte of it."""
    piece = HOSTILE[kind]
    if not piece:
        lines = (" " * (depth % 400) + "kind: Secret\n" for depth in range(MEGABYTE // 200))
        return "".join(lines)[:MEGABYTE]
    return piece * (MEGABYTE // len(piece.encode()))


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_megabyte_takes_as_long_as_it_is(kind):
    text = hostile_text(kind)
    Redactor().redact_text("password=x")
    begun = time.process_time()
    shown = Redactor().redact_text(text)
    taken = time.process_time() - begun
    assert shown.count("\n") == text.count("\n")
    assert taken < (4 if kind in KNOWN else 15), taken


def test_lines_of_keys_take_little_memory():
    line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ" + "Ab1" * 5
    program = (
        "from pathlib import Path\nfrom calivet.redaction.redactor import Redactor\n"
        f"shown = Redactor().redact_text('\\n'.join(['{line}'] * {3_300_000 // len(line)}))\n"
        "assert 'MIIEvQ' not in shown\n"
        "lines = Path('/proc/self/status').read_text().splitlines()\n"  # what getrusage tells may be the parent's
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
    )
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert int(told) < 300 * 1024
