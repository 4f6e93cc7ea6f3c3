"""Writes what the lab's nodes show in each state to tests/readers/recorded, where readers are tested on it without a lab.

Run as root: python -m tests.lab.record [STATE...]
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from calivet.evidence.cutting.probe_output import BEGIN, strip_mark
from tests.lab.states import STATES
from tests.lab.survey import survey

TARGET = Path(__file__).parents[1] / "readers" / "recorded"
# What shows a state. The rest of a probe is of the machine below, or the same in all states.
SHOWN = re.compile(
    r"cat /(?:etc/containerd/config\.toml|var/lib/kubelet/config\.yaml)|ctr |ip (?:addr|route)|ss -|nstat|iptables-save"
    r"|nft |birdcl|ping |bash -c '</dev/tcp"
)
PROMPT = re.compile(r"(?m)^(?=\[root@\w+ ~\]# )")


def trimmed(stream: str) -> str:
    """The head of the stream, the sections that show the state, and its end; no two runs have the same mark."""
    begin = BEGIN.match(stream.partition("\n")[0])
    mark = begin["mark"] or "" if begin else ""
    stream = "\n".join(strip_mark(line, mark) for line in stream.splitlines()) + "\n"
    body, end = stream.rsplit("# calivet-probe end", 1)
    head, *sections = PROMPT.split(body)
    kept = [section for section in sections if SHOWN.match(section.partition("# ")[2])]
    took = end.partition(" seconds=")[2]
    return f"{head}{''.join(kept)}# calivet-probe end sections={len(kept)} seconds={took}"


def record(names: list[str]) -> None:
    """Brings these states about, or all, and writes what was seen."""
    for state in STATES:
        if names and state.name not in names:
            continue
        folder = TARGET / state.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, text in survey(state).files.items():
            (folder / Path(name).name).write_text(trimmed(text) if name.startswith("probes/") else text, "utf-8")


if __name__ == "__main__":
    record(sys.argv[1:])
