"""A megabyte that is made to hurt: four times as much costs about four times the time, and little of it."""

from __future__ import annotations

import io
import time
from collections.abc import Callable

import pytest

from calivet.evidence.decoding.long_lines import LONGEST
from calivet.evidence.gather import gather
from calivet.pipeline import examine
from tests.fuzz.targets import knowledge

SMALL, LARGE = 1 << 18, 1 << 20
STEEP = 9
SLACK = 0.5
MOST = 12.0
"""Seconds of the processor for a megabyte; the worst of these takes a third of it on a slow machine."""


def lines_of(piece: bytes, prefix: bytes = b"") -> Callable[[int], bytes]:
    """Lines as long as expressions see them, of one piece again and again."""
    line = (prefix + piece * (LONGEST // len(piece) + 1))[: LONGEST - 1] + b"\n"
    return lambda size: line * (size // len(line))


EVIDENCE: dict[str, Callable[[int], bytes]] = {
    "numbers": lines_of(b"1.", b"%Cpu(s): 82.4 us, 17."),
    "blanks": lines_of(b" ", b"tcp LISTEN"),
    "one word": lines_of(b"a"),
    "slashes": lines_of(b"/"),
    "settings": lines_of(b"a: "),
    "failures": lines_of(b"connection refused error "),
    "one JSON text": lambda size: b'{"a":"' + b"x" * size + b'"}',
    "open brackets": lambda size: b'{"a":' * (size // 5),
    "one YAML key": lambda size: b"apiVersion: v1\nkind: Pod\n" + b"k" * size + b": 1\n",
    "objects": lambda size: b"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n---\n" * (size // 50),
    "items below no key": lambda size: b"- name: DB_PASSWORD\n" * (size // 20),
    "prompts": lambda size: b"[root@alder ~]# ip addr\n" * (size // 25),
    "fences": lambda size: b"```\n" * (size // 4),
}


def cost(data: bytes) -> float:
    start = time.process_time()
    examine(gather(["-"], io.BytesIO(data), matcher=knowledge()[1].output), *knowledge())
    return time.process_time() - start


@pytest.mark.parametrize("kind", EVIDENCE)
def test_a_hostile_megabyte(kind: str) -> None:
    knowledge()
    small, large = (cost(EVIDENCE[kind](size)) for size in (SMALL, LARGE))
    assert large < STEEP * small + SLACK
    assert large < MOST
