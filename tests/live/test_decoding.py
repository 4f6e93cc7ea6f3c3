"""Many threads meet a type for the first time at once; msgspec by itself crashes the whole process then."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys, threading, msgspec
from calivet.live.objects import decode_body

sys.setswitchinterval(1e-6)
for number in range(100):
    inner = msgspec.defstruct(f"Inner{number}", [(f"field{k}", dict[str, list[int]] | None, None) for k in range(12)])
    kind = msgspec.defstruct(f"Kind{number}", [("one", inner), ("more", list[inner], [])])
    together = threading.Barrier(8)

    def meet():
        together.wait()
        assert decode_body(kind, b'{"one": {"field1": {"x": [1]}}}', "/x").one.field1 == {"x": [1]}

    threads = [threading.Thread(target=meet) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("done")
"""


def test_threads_that_meet_a_type_together_wait_for_one_another():
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "done\n"), run.stderr[-500:]
