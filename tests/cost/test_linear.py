"""Four times the nodes cost four times the work: counted in calls of functions, so no clock and no slow machine matters."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from calivet.cli.knowledge import knowledge
from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import examine
from calivet.reports.machine import to_json
from calivet.scene.draw import scene
from tests.cost.copies import copies
from tests.incidents.transform import Files
from tests.pages.big import files, machines

ROOT = Path(__file__).parents[2]
TIMES = 4
GROWTH = TIMES * 1.35
"""What grows with the square would be sixteen times as much."""
COPIES = 5
FEW = 1_500
"""Whoever is called less often costs nothing, however it grows."""
# One case at least for every way in which nodes, sessions, routes, pods or settings are compared with each other.
CASES = """
    a001 a033 b004 c013 c030 c052 c054 d025 d028 d035 d039 d044 d045 d046 d058 e305 e316 e322 f109 f211
""".split()
ROOMS = tuple(f"calivet.{room}." for room in ("facts", "forecast", "readers", "reasoning", "scene", "signs"))
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
    catalogue, watch = knowledge(None)
    documents = [Document(name, text.split("\n")) for name, text in evidence.items()]

    def run() -> None:
        examined = examine(gather_documents(documents), catalogue, watch)
        to_json(examined.diagnosis, "en")
        scene(examined)

    return calls_of(run)


def forget() -> None:
    """What an earlier test left in caches would make the small cluster look cheaper than it is."""
    for name, module in list(sys.modules.items()):
        for kept in vars(module).values() if name.startswith(ROOMS) else ():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


def calls_of(run: Callable[[], object]) -> Counter[str]:
    counts: Counter[object] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event in ("call", "c_call"):
            counts[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return Counter({str(code): calls for code, calls in counts.items()})


def grown(small: Counter[str], large: Counter[str]) -> dict[str, tuple[int, int]]:
    """The functions that are called too much more often."""
    return {
        code: (small[code], calls)
        for code, calls in large.items()
        if calls > FEW and calls > GROWTH * max(small[code], 1)
    }


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
