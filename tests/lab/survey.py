"""A state of the lab as calivet gets to see it: the probe's stream from every node, and what the API server tells."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from calivet.evidence.artifact import Document
from calivet.evidence.decoding import decode
from calivet.evidence.gather import gather_documents
from calivet.node.script import script
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.signs.ready import ready
from tests.lab import api_server, bird
from tests.lab.lab import Lab
from tests.lab.machine import Machine
from tests.lab.states import State

# Seconds that the probe gives each command. Where nothing hangs a slow machine must not look like one where something does.
SOON, LATE = "5", "60"


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
        before = _up(lab)
        streams = dict(zip(lab.nodes, pool.map(lambda name: _probed(lab[name], limit), lab.nodes), strict=True))
        disturbed = tuple(sorted(before - _up(lab)))
    files = {f"probes/{name}.txt": stream for name, stream in streams.items()}
    return Survey(files | {"cluster.txt": api_server.printed(state)}, disturbed)


def diagnosed(files: dict[str, str]) -> Diagnosis:
    """The answer to these texts, along the way every input takes."""
    catalogue, watch = ready()
    documents = [Document(name, decode(text.encode())) for name, text in files.items()]
    return diagnose(gather_documents(documents), catalogue, watch)


def _probed(machine: Machine, limit: str) -> str:
    return machine.run("sh", "-s", "--", "--limit", limit, text=script())


def _up(lab: Lab) -> set[str]:
    """Every session that is up, with the moment since when."""
    rows = [(name, row) for name in lab.nodes for row in bird.rows(lab[name])]
    return {f"{name}: {' '.join(row)}" for name, row in rows if "Established" in row}
