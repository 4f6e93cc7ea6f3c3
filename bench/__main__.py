"""`make bench`: runs the parts that are named, or all; prints one table and writes docs/benchmarks.md.

With --quick everything is small and done in a minute or two; the page is then written to build/bench.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from bench import peers
from bench.bench import QUICK, Bench, Scale
from bench.figures import Figures, Part
from bench.machine import machine
from bench.page import publish
from bench.summary import rows, table

ROOT = Path(__file__).parents[1]
PARTS = ("scan", "archives", "memory", "small", "many", "growth", "browser", "live")
SLOW = {"live"}
"""Not among the quick ones: an API server has to be filled first."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, write after each part, print at the end."""
    options = _options(arguments)
    folder = options.into or ROOT / ("build/bench" if options.quick else "docs")
    if options.page:
        print(table(rows(publish(folder, {}, PARTS))))
        return 0
    scale = QUICK if options.quick else Scale()
    fresh: Figures = {}
    with tempfile.TemporaryDirectory(prefix="calivet-bench-") as scratch:
        if (free := shutil.disk_usage(scratch).free) < scale.room:
            sys.exit(f"bench: {scale.room / 1e9:.1f} GB of room are needed, {free / 1e9:.1f} GB are free; set TMPDIR")
        bench = Bench(Path(scratch), scale)
        for name in options.parts:
            if part := measure(bench, name):
                fresh[name] = part
                publish(folder, fresh, PARTS)
    print(table(rows(fresh)))
    failed = [name for name in options.parts if name not in fresh]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench ARGS=...", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all of them unless named")
    parser.add_argument("--quick", action="store_true", help="everything small, to see that it works")
    parser.add_argument("--page", action="store_true", help="measure nothing, write the page anew from what is kept")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="where to write the page")
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part named {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    options.parts = options.parts or [part for part in PARTS if not (options.quick and part in SLOW)]
    return options


def measure(bench: Bench, name: str) -> Part | None:
    """One part; None where it failed, which costs no other."""
    bench.say(name)
    try:
        result = import_module(f"bench.parts.{name}").run(bench)
    except (ImportError, OSError, RuntimeError) as error:
        bench.say(f"  failed: {error}")
        return None
    for remark in result.remarks:
        bench.say(f"  {remark}")
    return Part(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        machine=machine(bench.folder),
        versions=peers.versions(),
        contests=result.contests,
        curves=result.curves,
        remarks=result.remarks,
    )


if __name__ == "__main__":
    sys.exit(main())
