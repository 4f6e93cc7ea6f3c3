"""Small things: how long one answer takes from a cold start, against an interpreter that does nothing.

Bytecode and calivet's cache are warm, as they are from the second run on; the first run of all is shown too.
"""

from __future__ import annotations

import shutil
import sys
from importlib.resources import files
from pathlib import Path

from bench.bench import OWN, Bench, Result
from bench.contest import Competitor, entry, race
from bench.figures import Contest
from bench.measuring import Run
from bench.parts.scan import diagnosis
from bench.units import duration

LINES = 200
TARGET = 10.0
INCIDENT = "stuck-in-init"
BARE = "python -c pass"
FIRST_RUNS = 3


def run(bench: Bench) -> Result:
    """A paste of 200 lines."""
    ours = diagnosis(_paste(bench.folder / "paste.txt"))
    bench.say("  the first run of all")
    first = entry(ours.name, [_first(bench, ours) for _ in range(FIRST_RUNS)])
    bench.say(f"    {duration(first.seconds)}")
    bench.say(f"  a paste of {LINES} lines")
    bare = Competitor(BARE, [sys.executable, "-c", "pass"])
    empty = Competitor("python -I -S -c pass", [sys.executable, "-I", "-S", "-c", "pass"])
    entries = race(bench, [ours, bare, empty], rounds=bench.scale.small_rounds)
    return Result(
        contests=[
            Contest(name=f"a paste of {LINES} lines", entries=entries, against=BARE, target=TARGET),
            Contest(name="the first run of all", entries=[first, entries[1]], against=BARE),
        ]
    )


def _paste(path: Path) -> Path:
    """What an operator would paste of an incident, cut to its length."""
    evidence = Path(str(files("calivet") / "demos")) / INCIDENT / "evidence"
    text = "".join(file.read_text("utf-8") for file in sorted(evidence.iterdir()))
    path.write_text("".join(text.splitlines(keepends=True)[:LINES]), "utf-8")
    return path


def _first(bench: Bench, ours: Competitor) -> Run:
    """Nothing is kept from earlier runs."""
    for kept in OWN.values():
        shutil.rmtree(bench.folder / kept, ignore_errors=True)
    return bench.run(ours.command, good=ours.good)
