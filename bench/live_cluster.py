"""How long a diagnosis of 5,000 nodes and 100,000 pods takes, as a ratio to merely downloading the same lists.

A real API server holds the cluster; calico-node is sick on three nodes. Bytecode and calivet's cache are warm,
as they are from the second run on.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from big_cluster.addresses import SICK, node_name
from big_cluster.download import download
from big_cluster.filling import start
from big_cluster.measuring import Run, measured
from big_cluster.recording import asked

from tests.e2e.bed.bed import Bed
from tests.e2e.bed.components import UnavailableError, find_components
from tests.e2e.bed.users import ADMIN

ROUNDS = 7
RATIO = 1.5
MEGABYTES = 400
CAUSE = "kernel-module-missing"
KUBECTL = (
    ["get", "nodes", "-o", "wide"],
    ["get", "pods", "-A", "-o", "wide"],
    ["get", "events", "-A", "-o", "wide"],
    ["get", "ipamblocks.crd.projectcalico.org", "-o", "json"],
    ["get", "blockaffinities.crd.projectcalico.org", "-o", "json"],
)


class Contest:
    """The three ways to read one cluster."""

    def __init__(self, bed: Bed, server: str, scratch: Path) -> None:
        self._ca, self._server = bed.certificates.ca, server
        self._kubectl = str(bed.components / "kubectl")
        self._kubeconfig = bed.kubeconfig(server=server)
        self._answer = scratch / "answer.json"
        warm = {"PYTHONPYCACHEPREFIX": f"{scratch}/bytecode", "XDG_CACHE_HOME": f"{scratch}/cache"}
        self._environment = {**os.environ, **warm, "KUBECONFIG": str(self._kubeconfig)}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.lists = asked(self._kubeconfig)
        self.bytes = 0

    def plain_http(self) -> Run:
        """(a) Every list that calivet asks for, and nothing made of it."""
        begun = time.perf_counter()
        self.bytes = download(self._server, self._ca, ADMIN.token, self.lists)
        return Run(time.perf_counter() - begun)

    def calivet(self) -> Run:
        """(b) The whole diagnosis, from the start of the process; it must be right."""
        run = measured([sys.executable, "-m", "calivet", "diagnose", "-o", "json"], self._answer, self._environment)
        found = json.loads(self._answer.read_text("utf-8"))["findings"]
        if [one["cause"] for one in found] != [CAUSE] or set(found[0]["nodes"]) != set(map(node_name, SICK)):
            sys.exit(f"wrong answer: {[(one['cause'], one['nodes']) for one in found]}")
        return run

    def kubectl(self) -> Run:
        """(c) What an operator would fetch by hand; consistent lists, in pages of 500, as kubectl asks for them."""
        nowhere = Path(os.devnull)
        runs = [measured([self._kubectl, *command], nowhere, self._environment) for command in KUBECTL]
        return Run(sum(run.seconds for run in runs), max(run.megabytes for run in runs))


def race(rounds: int, ways: dict[str, Callable[[], Run]]) -> dict[str, Run]:
    """The medians of some rounds, each way once in each."""
    runs = [{name: way() for name, way in ways.items()} for _ in range(rounds)]
    return {
        name: Run(statistics.median(one[name].seconds for one in runs), max(one[name].megabytes for one in runs))
        for name in ways
    }


def show(contest: Contest) -> None:
    """Print one table, and whether the targets are met."""
    contest.calivet()  # fills the caches
    figures = race(ROUNDS, {"plain HTTP": contest.plain_http, "calivet": contest.calivet})
    # Last and once: the API server is busy for a while with the garbage that these lists leave it.
    figures |= race(1, {"kubectl": contest.kubectl})
    plain, calivet = figures["plain HTTP"], figures["calivet"]
    print(f"{len(contest.lists)} lists, {contest.bytes / 1e6:.1f} MB")
    for name, run in figures.items():
        memory = f"{run.megabytes:6.0f} MB" if run.megabytes else ""
        print(f"{name:12} {run.seconds:7.2f} s   {run.seconds / plain.seconds:5.2f} x plain HTTP   {memory}")
    ratio = calivet.seconds / plain.seconds
    print(f"time: {ratio:.2f} x plain HTTP (target: {RATIO:g}), {_met(ratio <= RATIO)}")
    print(f"memory: {calivet.megabytes:.0f} MB (target: {MEGABYTES}), {_met(calivet.megabytes < MEGABYTES)}")


def _met(good: bool) -> str:
    return "met" if good else "MISSED"


def main() -> None:
    """Set the cluster up, race, take it down."""
    try:
        components = find_components()
    except UnavailableError as missing:
        print(f"left out: {missing}")
        return
    bed = Bed(components)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            server = start(bed)
            show(Contest(bed, server.url, Path(scratch)))
    finally:
        bed.close()


if __name__ == "__main__":
    main()
