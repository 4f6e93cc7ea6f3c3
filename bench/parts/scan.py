"""A directory of logs, against programs that search the same files for the same patterns."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec.structs import replace

from bench import peers
from bench.bench import CALIVET, MEGABYTES, VERDICTS, Bench, Result
from bench.contest import Competitor, race
from bench.figures import Contest
from bench.logs import FEW, MANY, MEGABYTE, Wanted, write_logs

TARGET = 1.0
KINDS = {
    "few hits": Wanted(0, FEW),
    "many hits": Wanted(0, MANY),
    "many hits, new ids": Wanted(0, MANY, churn=True),
    "many hits, new ids in every line": Wanted(0, MANY, churn=True, only_ids=True),
}
ALL, ONE = {"all cores": 0}, {"one core": 1}
CORES = ONE | ALL if hasattr(os, "sched_setaffinity") else ALL
"""macOS lets nobody choose the cores."""


def run(bench: Bench) -> Result:
    """Against rg on one core and on all; against scanners that are written in Python on all."""
    patterns = bench.folder / "patterns"
    result = Result(remarks=[peers.write_patterns(patterns), *peers.missing("rg", *peers.SCANNERS)])
    for size in bench.scale.logs:
        for kind, wanted in KINDS.items():
            with bench.place("logs") as logs:
                write_logs(logs, replace(wanted, size=size * MEGABYTE))
                for where, cores in CORES.items():
                    rivals = [peers.ripgrep(patterns, logs, cores=cores)]
                    name = f"{size:,} MB, {kind}, {where}"
                    result.contests.append(_contest(bench, name, logs, rivals, size=size, cores=cores))
    with bench.place("logs") as logs:
        size = bench.scale.python_logs
        write_logs(logs, Wanted(size * MEGABYTE))
        rivals = [peers.searchkit(patterns, logs), peers.insights(patterns, logs)]
        result.contests.append(_contest(bench, f"{size:,} MB, few hits, all cores", logs, rivals, size=size))
    return result


def diagnosis(evidence: Path) -> Competitor:
    """Calivet's part."""
    return Competitor("calivet", [*CALIVET, "diagnose", str(evidence), "-o", "json"], VERDICTS)


def _contest(
    bench: Bench, name: str, logs: Path, rivals: list[Competitor | None], *, size: float, cores: int = 0
) -> Contest:
    bench.say(f"  {name}")
    entries = race(bench, [diagnosis(logs), *filter(None, rivals)], cores=cores)
    return Contest(name=name, entries=entries, target=TARGET, memory_target=MEGABYTES, amount=size, unit="MB")
