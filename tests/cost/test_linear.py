"""Four times the nodes cost four times the work: counted in calls of functions, so no clock and no slow machine matters."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from calivet.cli.inputs.knowledge import load_knowledge
from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import examine
from calivet.reports.diagnosis.html.page_model.build import build_page_model
from calivet.reports.diagnosis.json import to_json
from tests.cost.calls import GROWTH, TIMES, calls_of, grown
from tests.cost.copies import copies
from tests.incidents.transform import Files
from tests.pages.big import files, machines

ROOT = Path(__file__).parents[2]
COPIES = 5
# One case at least for every way in which nodes, sessions, routes, pods or settings are compared with each other.
CASES = """
    a001 a033 b004 c013 c030 c052 c054 d025 d028 d035 d039 d044 d045 d046 d058 e305 e316 e322 f109 f211
""".split()
ROOMS = tuple(
    f"calivet.{room}."
    for room in ("facts", "forecast", "readers", "reasoning", "reports.diagnosis.html.page_model", "signs")
)
PROBES = ROOT / "tests" / "preflight" / "hosts"


def cluster(nodes: int) -> Files:
    """As kubectl and calicoctl show it, without the long logs, which are the same for any size."""
    shown = files(machines(nodes, zones=4), seen_from=4)
    return {name: text for name, text in shown if not name.endswith((".log", "-bird.txt"))}


def case(name: str, count: int) -> Files:
    evidence = ROOT / "corpus" / name / "evidence"
    found = sorted(path for path in evidence.rglob("*") if path.is_file())
    return copies({str(path.relative_to(evidence)): path.read_text("utf-8") for path in found}, count)


def probes(count: int) -> Files:
    return copies({path.name: path.read_text("utf-8") for path in sorted(PROBES.glob("*.txt"))}, count)


def work(evidence: Files) -> Counter[str]:
    """How often each function was called, or called a builtin, from the first line to the page."""
    forget()
    catalogue, watch = load_knowledge(None)
    documents = [Document(name, text.split("\n")) for name, text in evidence.items()]

    def run() -> None:
        examined = examine(gather_documents(documents), catalogue, watch)
        to_json(examined.diagnosis, "en")
        build_page_model(examined)

    return calls_of(run)


def forget() -> None:
    """What an earlier test left in caches would make the small cluster look cheaper than it is."""
    for name, module in list(sys.modules.items()):
        for kept in vars(module).values() if name.startswith(ROOMS) else ():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


@pytest.mark.parametrize("name", CASES)
def test_an_incident_on_four_times_the_machines(name):
    assert grown(work(case(name, COPIES)), work(case(name, COPIES * TIMES))) == {}


def test_a_cluster_of_four_times_the_nodes():
    small, large = work(cluster(150)), work(cluster(150 * TIMES))
    assert grown(small, large) == {}
    assert large.total() < GROWTH * small.total()


def test_probes_of_four_times_the_machines():
    assert grown(work(probes(2)), work(probes(2 * TIMES))) == {}


def test_what_compares_each_with_each_is_noticed():
    def every_pair(names: list[str]) -> Counter[str]:
        return calls_of(lambda: [str.lower(one + other) for one in names for other in names])

    assert grown(every_pair(["a"] * 40), every_pair(["a"] * 40 * TIMES))
