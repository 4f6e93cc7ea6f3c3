"""Directories of logs as a site has them: for each node one file of each program, of real shape and real entropy.

Of each program some text is made line by line; a longer log repeats it on later days and other nodes. That is further
back than a compressor looks, so what is made costs little and packs like the real thing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bench.lines import DAY, NODE, STAY, lines
from bench.templates import Program, keep_identifiers, programs

MEGABYTE = 1_000_000
UNIQUE = 64 * MEGABYTE
"""Bytes of one program that are made line by line."""
SIZES = (64, 2, 16, 4, 32, 8)
"""The files of one program in turn, in megabytes."""
FEW, MANY = 10_000, 10
"""One line in so many tells of a fault."""


class Wanted(Struct, frozen=True):
    """How much, and how telling."""

    size: int
    """Bytes in all."""
    one_in: int = FEW
    churn: bool = False
    """Whether identifiers are new all the time: those of containers, pods, interfaces."""
    only_ids: bool = False
    """Whether every line has some; with churn each line has new ones."""


def write_logs(folder: Path, wanted: Wanted) -> Path:
    """The same bytes for the same wish, made on all cores."""
    every = keep_identifiers(programs()) if wanted.only_ids else programs()
    share = replace(wanted, size=wanted.size // len(every))
    # Nothing is left of their memory when they are done, and they begin with none of ours.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        list(pool.map(partial(_write_program, folder, share), every))
    return folder


def write_one(path: Path, wanted: Wanted, *, newlines: bool = True) -> Path:
    """One file with the lines of the program that it is named after; without newlines one single line."""
    program = next(one for one in programs() if one.name == path.stem)
    with path.open("wb") as file:
        for text in _pieces(program, wanted, [UNIQUE // MEGABYTE]):
            file.write(text if newlines else text.replace(b"\n", b" "))
    return path


def _write_program(folder: Path, wanted: Wanted, program: Program) -> None:
    for number, text in enumerate(_pieces(program, wanted, SIZES), 1):
        home = folder / _node(number)
        home.mkdir(parents=True, exist_ok=True)
        (home / f"{program.name}.log").write_bytes(text)


def _pieces(program: Program, wanted: Wanted, sizes: Sequence[int]) -> Iterator[bytes]:
    """The content of one file after another, each of another node, until all that was wanted is there."""
    stay = (1 if wanted.only_ids else STAY) if wanted.churn else None
    text = "".join(lines(program, min(UNIQUE, wanted.size), wanted.one_in, new_in=stay)).encode()
    begun, left, day = 0, wanted.size, DAY
    for number in count(1):
        size = min(sizes[(number - 1) % len(sizes)] * MEGABYTE, left)
        if begun + size > len(text):
            begun, day = 0, day + timedelta(days=1)
        end = text.rfind(b"\n", begun, begun + size) + 1 or len(text)
        yield _at(text[begun:end], _node(number), day)
        begun, left = end, left - size
        if left <= 0:
            return


def _node(number: int) -> str:
    return f"mill-{number:04}"


def _at(text: bytes, node: str, day: date) -> bytes:
    """The same lines on another node and day; nothing changes its length."""
    text = text.replace(NODE.encode(), node.encode())
    for shape in ("-%m-%d", "%m%d ", "%b %d "):
        text = text.replace(f"{DAY:{shape}}".encode(), f"{day:{shape}}".encode())
    return text
