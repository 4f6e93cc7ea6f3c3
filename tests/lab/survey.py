"""A state of the lab as calivet gets to see it: the probe's stream from every node, and what the API server tells."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from calivet.evidence.artifact import Document
from calivet.evidence.decoding.decode import decode
from calivet.evidence.gather import gather_documents
from calivet.node.running import read_script
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.signs.sign_detector import prepare_detector
from tests.lab import api_server, bird
from tests.lab.lab import Lab
from tests.lab.machine import Machine
from tests.lab.states import State

# Seconds that the probe gives each command. Where nothing hangs a slow machine must not look like one where something does.
SOON, LATE = "5", "60"
# Seconds that pass at least before a session that was lost is up again: the delay that the lab's BIRD has before it dials.
RECONNECT = 1.0


@dataclass(frozen=True)
class Survey:
    """What was seen of one state."""

    files: dict[str, str]
    """Texts by the names that their documents have."""
    disturbed: tuple[str, ...]
    """Sessions that were up before the probe ran and not, or not any more, afterwards."""


def survey(state: State) -> Survey:
    """Brings the state about, probes every node at once, and gives the lab up again."""
    with Lab(state.plans) as lab, ThreadPoolExecutor() as pool:
        state.bring_about(lab)
        limit = SOON if state.hangs else LATE
        before = _find_sessions(lab)
        streams = dict(zip(lab.nodes, pool.map(lambda name: probe(lab[name], limit), lab.nodes), strict=True))
        after = _find_sessions(lab)
        disturbed = tuple(sorted(name for name, since in before.items() if not _is_same(since, after.get(name))))
    files = {f"probes/{name}.txt": stream for name, stream in streams.items()}
    return Survey(files | {"cluster.txt": api_server.printed(state)}, disturbed)


def diagnosed(files: dict[str, str]) -> Diagnosis:
    """The answer to these texts, along the way every input takes."""
    catalogue, watch = prepare_detector()
    documents = [Document(name, decode(text.encode())) for name, text in files.items()]
    return diagnose(gather_documents(documents), catalogue, watch)


def probe(machine: Machine, limit: str) -> str:
    """What the probe prints there, each command bounded to so many seconds."""
    return machine.run("sh", "-s", "--", "--limit", limit, text=read_script())


def _find_sessions(lab: Lab) -> dict[str, float]:
    """Every session that is up, with the moment since when, in seconds of the day."""
    rows = [(name, row) for name in lab.nodes for row in bird.rows(lab[name])]
    return {f"{name}: {row[0]}": _read_clock(row[4]) for name, row in rows if "Established" in row}


def _read_clock(text: str) -> float:
    hours, minutes, seconds = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def _is_same(since: float, later: float | None) -> bool:
    """Whether it has been up all the while. BIRD works the moment out anew for each answer, so that it moves by milliseconds."""
    return later is not None and abs(later - since) < RECONNECT
