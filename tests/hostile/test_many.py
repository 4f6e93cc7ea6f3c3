"""More than anybody sends: the bounds hold, and so does the memory."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from calivet.evidence.gather import gather
from calivet.evidence.sources.budget import Limits
from tests.cost.calls import GROWTH, TIMES, calls_of
from tests.fuzz.targets import examined_of
from tests.hostile.starting import MOST_MEMORY, SWAP, weighed

FEW = 4_000


def tiny_files(bundle: Path, count: int) -> Path:
    with tarfile.open(bundle, "w:gz", compresslevel=1) as archive:
        for number in range(count):
            text = SWAP.encode() if number == 0 else b"2024-05-01 10:00:00 line %d\n" % number
            entry = tarfile.TarInfo(f"{number % 100}/{number}.log")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return bundle


def test_memory_has_room_for_as_many_tiny_files_as_are_read(tmp_path: Path) -> None:
    """Seen at two sizes: what each file takes more, taken for all that the limit allows."""
    taken = []
    for count in (FEW, FEW * TIMES):
        bundle, report = tiny_files(tmp_path / f"{count}.tar.gz", count), tmp_path / "report.txt"
        with report.open("wb") as file:
            code, memory = weighed("diagnose", bundle, stderr=file)
        assert code == 1
        assert "kubelet-swap-on" in report.read_text()
        taken.append(memory)
    each = (taken[1] - taken[0]) / (FEW * TIMES - FEW)
    assert taken[1] + each * (Limits().members - FEW * TIMES) < MOST_MEMORY


def test_each_of_many_tiny_files_costs_the_same(tmp_path: Path) -> None:
    def run(bundle: Path) -> None:
        examined = examined_of(gather([str(bundle)]))
        assert [finding.cause.id for finding in examined.diagnosis.findings] == ["kubelet-swap-on"]

    bundles = [tiny_files(tmp_path / f"{count}.tar.gz", count) for count in (1, 300, 300 * TIMES)]
    run(bundles[0])  # what is made once and kept
    small, large = (calls_of(lambda: run(bundle)) for bundle in bundles[1:])  # noqa: B023 - called at once
    assert large.total() < GROWTH * small.total()


def test_so_many_are_read_and_no_more(tmp_path: Path) -> None:
    evidence = gather([str(tiny_files(tmp_path / "bundle.tar.gz", 6))], limits=Limits(members=5))
    assert [str(item.why) for item in evidence.unreadable] == ["has more than 5 members; the rest was not read"]
