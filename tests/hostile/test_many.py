"""More than anybody sends: the bounds hold, and so does the memory."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

from calivet.evidence.ledger import Limits
from tests.hostile.starting import COMMAND, SWAP, started

MOST_MEMORY = 300 << 20
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which a system counts memory."""
# From a small process: a child's figure begins with that of the process that started it, and a test runner is large.
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=sys.stderr).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_a_hundred_thousand_tiny_files(tmp_path: Path) -> None:
    bundle, report = tmp_path / "bundle.tar.gz", tmp_path / "report.txt"
    with tarfile.open(bundle, "w:gz", compresslevel=1) as archive:
        for number in range(Limits().members + 1):
            text = SWAP.encode() if number == 0 else b"2024-05-01 10:00:00 line %d\n" % number
            entry = tarfile.TarInfo(f"{number % 100}/{number}.log")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    with report.open("wb") as file:
        measured = started(*COMMAND, "diagnose", bundle, command=(sys.executable, "-c", MEASURE), stderr=file)
        code, memory = measured.communicate()[0].split()
    assert int(code) == 1
    assert "kubelet-swap-on" in report.read_text()
    assert "has more than 100,000 members; the rest was not read" in report.read_text()
    assert int(memory) * UNIT < MOST_MEMORY
