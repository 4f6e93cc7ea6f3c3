"""The same logs in archives, against programs that merely unpack them to nothing."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

from bench import peers
from bench.bench import MEGABYTES, Bench, Result
from bench.contest import Competitor, race
from bench.figures import Contest
from bench.logs import MEGABYTE, Wanted, write_logs
from bench.parts.scan import diagnosis

TARGET = 1.2
FINAL = 2
"""So many of the fastest at the smallest size are left for the larger ones, and those that everybody has."""
COMMON = ("pigz -dc", "zstd -dc", "unzip -p")
PACKERS = {"tar.gz": (["pigz"], ["gzip"]), "tar.zst": (["zstd", "-q", "-T0"],)}


def run(bench: Bench) -> Result:
    """Every kind and size. At the smallest size all unpackers take part."""
    programs = dict.fromkeys(call[0] for calls in peers.DECOMPRESSORS.values() for call in calls)
    result = Result(remarks=peers.missing(*programs))
    best: dict[str, list[str]] = {}
    for size in bench.scale.logs:
        with bench.place("logs") as logs:
            write_logs(logs, Wanted(size * MEGABYTE))
            for kind in peers.DECOMPRESSORS:
                archive = bench.folder / f"logs.{kind}"
                if not pack(kind, logs, archive):
                    result.remarks.append(f"{size:,} MB as {kind}: no program to pack it is installed")
                    continue
                rivals = [one for one in peers.decompressors(kind, archive) if one.name in best.get(kind, [one.name])]
                contest = _contest(bench, f"{size:,} MB as {kind}", archive, rivals, size)
                archive.unlink()
                result.contests.append(contest)
                fastest = sorted(contest.entries[1:], key=lambda entry: entry.seconds)
                best.setdefault(kind, [*COMMON, *(entry.name for entry in fastest[:FINAL])])
    return result


def _contest(bench: Bench, name: str, archive: Path, rivals: list[Competitor], size: int) -> Contest:
    times = size * MEGABYTE / archive.stat().st_size
    name = f"{name} ({times:.1f} times smaller)"
    bench.say(f"  {name}")
    entries = race(bench, [diagnosis(archive), *rivals])
    return Contest(name=name, entries=entries, target=TARGET, memory_target=MEGABYTES, amount=size, unit="MB")


def pack(kind: str, logs: Path, archive: Path) -> bool:
    """As people pack, at the packer's own level; false where there is no packer."""
    if kind == "zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(logs.rglob("*.log")):
                file.write(path, path.relative_to(logs))
        return True
    packer = next((call for call in PACKERS[kind] if shutil.which(call[0])), None)
    if packer is None:
        return False
    tar = ["tar", "-C", str(logs), "-cf", "-", "."]
    with archive.open("wb") as output, subprocess.Popen(tar, stdout=subprocess.PIPE) as packed:
        subprocess.run([*packer, "-c"], stdin=packed.stdout, stdout=output, check=True)
    return True
