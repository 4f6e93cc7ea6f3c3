"""One case diagnosed and judged, wherever a worker runs."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from calivet.engines.knowledge import OwnFiles, knowledge
from calivet.evaluation.case import LABEL, load_case
from calivet.evaluation.score import score
from calivet.evidence.gather import gather
from calivet.pipeline import diagnose


class Judging(Struct, frozen=True):
    """From a case's folder to its score as JSON."""

    own: OwnFiles = ()

    def __call__(self, folder: str) -> bytes:
        """Diagnose, compare."""
        case = load_case(Path(folder) / LABEL)
        catalogue, watch = knowledge(self.own)
        haul = gather([str(case.folder / "evidence")], lookout=watch.output)
        return msgspec.json.encode(score(case, diagnose(haul, catalogue, watch)))
