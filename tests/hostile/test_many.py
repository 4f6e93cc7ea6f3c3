"""More than anybody sends: the bounds hold, and so does the memory."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from calivet.evidence.ledger import Limits
from tests.hostile.starting import SWAP, measured


def test_a_hundred_thousand_tiny_files(tmp_path: Path) -> None:
    bundle, report = tmp_path / "bundle.tar.gz", tmp_path / "report.txt"
    with tarfile.open(bundle, "w:gz", compresslevel=1) as archive:
        for number in range(Limits().members + 1):
            text = SWAP.encode() if number == 0 else b"2024-05-01 10:00:00 line %d\n" % number
            entry = tarfile.TarInfo(f"{number % 100}/{number}.log")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    with report.open("wb") as file:
        code = measured("diagnose", bundle, stderr=file)
    assert code == 1
    assert "kubelet-swap-on" in report.read_text()
    assert "has more than 100,000 members; the rest was not read" in report.read_text()
