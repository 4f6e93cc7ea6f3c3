"""Breaks real Calico and has calivet look: python -m tests.lab.calico [--to FOLDER] [--release R] [FAULT...]

Root only. Each fault has a cluster of its own, in a process and a network of its own. FOLDER gets, for each, what was
seen (`RELEASE/FAULT/`), and `results.json` what was answered.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.lab.calico.faults import FAULTS, Fault
from tests.lab.calico.images import Images, find_images
from tests.lab.calico.results import judge_all

APART = ["unshare", "--net"]
ROOT = Path(__file__).parents[3]


def main(arguments: list[str]) -> int:
    """Runs what is asked for, or one fault inside its own network."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.calico", description=__doc__)
    parser.add_argument("faults", nargs="*")
    parser.add_argument("--to", type=Path, default=Path("build/calico-lab"))
    parser.add_argument("--release", action="append", default=[])
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--only-try", action="store_true", help="only keep what is seen, and look later")
    parser.add_argument("--again", action="store_true", help="only look again at what was kept")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    releases = [images for images in find_images() if not given.release or images.release in given.release]
    wanted = [fault for fault in FAULTS if not given.faults or fault.name in given.faults]
    if given.inside:
        from tests.lab.calico.trial import try_fault

        try_fault(wanted[0], releases[0], given.to)
        return 0
    if not given.again:
        pairs = [(fault, images) for images in releases for fault in wanted if fault.fits(images.release)]
        with ThreadPoolExecutor(given.at_once) as pool:
            for line in pool.map(lambda pair: run_apart(pair[0], pair[1], given.to), pairs):
                sys.stdout.write(line)
                sys.stdout.flush()
    for row in () if given.only_try else judge_all(given.to, given.faults, given.release):
        sys.stdout.write("  ".join(row.values()) + "\n")
    return 0


def run_apart(fault: Fault, images: Images, to: Path) -> str:
    """One fault in a process of its own; gives a line about it."""
    folder = to / images.release / fault.name
    folder.mkdir(parents=True, exist_ok=True)
    command = [*APART, sys.executable, "-m", "tests.lab.calico", "--inside", "--to", str(to.absolute())]
    command += ["--release", images.release, fault.name]
    with (folder / "trial.log").open("w", encoding="utf-8") as log:
        code = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=False, env=os.environ).returncode
    return f"{images.release} {fault.name}: the trial failed ({folder}/trial.log)\n" if code else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
