"""Small things: how long one answer takes from a cold start, against an interpreter that does nothing.

Bytecode and calivet's cache are warm, as they are from the second run on; the first run of all is shown too. The same
of the one file that needs no Python, where `make release` has built it.
"""

from __future__ import annotations

import platform
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from bench.bench import OWN, VERDICTS, Bench, Result
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
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
ONE_FILE = Path(__file__).parents[2] / "dist" / f"calivet-linux-{ARCHITECTURE}"


def run(bench: Bench) -> Result:
    """A paste of 200 lines."""
    paste = _paste(bench.folder / "paste.txt")
    contests = _measure(bench, diagnosis(paste), "")
    if ONE_FILE.is_file():
        command = [str(ONE_FILE), "diagnose", str(paste), "-o", "json"]
        size = f", the one file of {ONE_FILE.stat().st_size / 1e6:.0f} MB"
        contests += _measure(bench, Competitor("calivet", command, VERDICTS), size)
    return Result(contests=contests)


def _measure(bench: Bench, ours: Competitor, which: str) -> list[Contest]:
    bench.say(f"  the first run of all{which}")
    first = entry(ours.name, [_first(bench, ours) for _ in range(FIRST_RUNS)])
    bench.say(f"    {duration(first.seconds)}")
    bench.say(f"  a paste of {LINES} lines{which}")
    bare = Competitor(BARE, [sys.executable, "-c", "pass"])
    empty = Competitor("python -I -S -c pass", [sys.executable, "-I", "-S", "-c", "pass"])
    entries = race(bench, [ours, bare, empty], rounds=bench.scale.small_rounds)
    # A bare interpreter is no measure of what brings its own, and has to start it through a launcher.
    target = None if which else TARGET
    return [
        Contest(name=f"a paste of {LINES} lines{which}", entries=entries, against=BARE, target=target),
        Contest(name=f"the first run of all{which}", entries=[first, entries[1]], against=BARE),
    ]


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
