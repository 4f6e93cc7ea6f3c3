"""How long a diagnosis of 5,000 nodes and 100,000 pods takes, against merely downloading the same lists.

A real API server holds the cluster; calico-node is sick on three nodes. Bytecode and calivet's cache are warm,
as they are from the second run on.
"""

from __future__ import annotations

import json
import time

from bench.bench import CALIVET, Bench, Result
from bench.big_cluster.addresses import SICK, node_name
from bench.big_cluster.download import download
from bench.big_cluster.filling import start
from bench.big_cluster.recording import asked
from bench.contest import entry
from bench.figures import Contest
from bench.measuring import Run, Way, measured
from tests.e2e.bed.bed import Bed
from tests.e2e.bed.components import UnavailableError, find_components
from tests.e2e.bed.users import ADMIN

ROUNDS = 7
RATIO = 1.5
MEGABYTES = 400
CAUSE = "kernel-module-missing"
PLAIN = "plain HTTP"
KUBECTL = (
    ["get", "nodes", "-o", "wide"],
    ["get", "pods", "-A", "-o", "wide"],
    ["get", "events", "-A", "-o", "wide"],
    ["get", "ipamblocks.crd.projectcalico.org", "-o", "json"],
    ["get", "blockaffinities.crd.projectcalico.org", "-o", "json"],
)


class Reading:
    """The three ways to read one cluster."""

    def __init__(self, bench: Bench, bed: Bed, server: str) -> None:
        self._ca, self._server, self._folder = bed.certificates.ca, server, bench.folder
        self._kubectl = str(bed.components / "kubectl")
        self._kubeconfig = bed.kubeconfig(server=server)
        self._way = Way({**bench.environment, "KUBECONFIG": str(self._kubeconfig)}, output=bench.folder / "answer.json")
        self.lists = asked(self._kubeconfig)
        self.bytes = 0

    def plain_http(self) -> Run:
        """(a) Every list that calivet asks for, and nothing made of it."""
        begun = time.perf_counter()
        self.bytes = download(self._server, self._ca, ADMIN.token, self.lists)
        return Run(time.perf_counter() - begun)

    def calivet(self) -> Run:
        """(b) The whole diagnosis, from the start of the process; it must be right."""
        run = self._measured([*CALIVET, "diagnose", "-o", "json"])
        found = json.loads(self._way.output.read_text("utf-8"))["findings"]
        if [one["cause"] for one in found] != [CAUSE] or set(found[0]["nodes"]) != set(map(node_name, SICK)):
            raise RuntimeError(f"wrong answer: {[(one['cause'], one['nodes']) for one in found]}")
        return run

    def kubectl(self) -> Run:
        """(c) What an operator would fetch by hand; consistent lists, in pages of 500, as kubectl asks for them."""
        runs = [self._measured([self._kubectl, *command]) for command in KUBECTL]
        return Run(sum(run.seconds for run in runs), max(run.megabytes for run in runs))

    def _measured(self, command: list[str]) -> Run:
        return measured(command, self._way, self._folder / "complaints")


def run(bench: Bench) -> Result:
    """Set the cluster up, race, take it down."""
    try:
        components = find_components()
    except UnavailableError as missing:
        return Result(remarks=[str(missing)])
    bench.say("  filling an API server")
    bed = Bed(components)
    try:
        return Result(contests=[_contest(bench, Reading(bench, bed, start(bed).url))])
    finally:
        bed.close()


def _contest(bench: Bench, reading: Reading) -> Contest:
    reading.calivet()  # fills the caches
    rounds = [(reading.calivet(), reading.plain_http()) for _ in range(ROUNDS)]
    ours, plain = zip(*rounds, strict=True)
    # Last and once: the API server is busy for a while with the garbage that these lists leave it.
    entries = [entry("calivet", list(ours)), entry(PLAIN, list(plain)), entry("kubectl", [reading.kubectl()])]
    name = f"5,000 nodes and 100,000 pods, {len(reading.lists)} lists of {reading.bytes / 1e6:.1f} MB"
    bench.say(f"  {name}")
    return Contest(name=name, entries=entries, against=PLAIN, target=RATIO, memory_target=MEGABYTES)
