"""Many bundles and many cases: all cores against one."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

from bench.bench import CALIVET, Bench, Result
from bench.contest import Competitor, race
from bench.figures import Contest

CORPUS = Path(__file__).parents[2] / "corpus"
ONE = ["--jobs", "1"]


def run(bench: Bench) -> Result:
    """The labelled cases of the project: as bundles for `fleet`, as cases for `eval`."""
    cases = sorted(path.parent for path in CORPUS.glob("*/expect.yaml"))[: bench.scale.bundles]
    with bench.place("many") as folder:
        for case in cases:
            shutil.copytree(case, folder / "cases" / case.name)
            _bundle(case, folder / "bundles")
        fleet = ["fleet", str(folder / "bundles"), "-o"]
        return Result(
            contests=[
                _contest(bench, f"calivet fleet, {len(cases)} bundles", fleet, folder / "fleet.duckdb", "bundles"),
                _contest(bench, f"calivet eval, {len(cases)} cases", ["eval", str(folder / "cases")], None, "cases"),
            ]
        )


def _bundle(case: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with tarfile.open(folder / f"{case.name}.tar.gz", "w:gz") as bundle:
        bundle.add(case / "evidence", case.name)


def _contest(bench: Bench, name: str, arguments: list[str], written: Path | None, unit: str) -> Contest:
    """What a run writes is removed before the next: `fleet` would not do the same work again."""
    bench.say(f"  {name}")
    before = ["sh", "-c", 'rm -f "$0"; exec "$@"', str(written)] if written else []
    command = [*before, *CALIVET, *arguments, *([str(written)] if written else [])]
    entries = race(bench, [Competitor("all cores", command, (0, 1)), Competitor("one core", [*command, *ONE], (0, 1))])
    return Contest(name=name, entries=entries, amount=int(name.split()[2]), unit=unit)
