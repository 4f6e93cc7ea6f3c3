"""More than anybody sends: the bounds hold, and so does the memory."""

from __future__ import annotations

import io
import os
import sys
import tarfile
from pathlib import Path

from calivet.evidence.ledger import Limits
from tests.hostile.starting import SWAP, started

MOST_MEMORY = 300 << 20
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which a system counts memory."""


def test_a_hundred_thousand_tiny_files(tmp_path: Path) -> None:
    bundle, report = tmp_path / "bundle.tar.gz", tmp_path / "report.txt"
    with tarfile.open(bundle, "w:gz", compresslevel=1) as archive:
        for number in range(Limits().members + 1):
            text = SWAP.encode() if number == 0 else b"2024-05-01 10:00:00 line %d\n" % number
            entry = tarfile.TarInfo(f"{number % 100}/{number}.log")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    with report.open("wb") as file:
        process = started("diagnose", bundle, stdout=file, stderr=file)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 1
    assert "kubelet-swap-on" in report.read_text()
    assert "has more than 100,000 members; the rest was not read" in report.read_text()
    assert used.ru_maxrss * UNIT < MOST_MEMORY
