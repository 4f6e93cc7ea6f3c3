"""One bundle diagnosed, wherever a worker runs: the JSON contract, and beside it what a fleet is counted by."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from calivet.engines.engine import PathError
from calivet.engines.knowledge import OwnFiles, knowledge
from calivet.evidence.gather import gather
from calivet.fleet.background import Background, background
from calivet.pipeline import examine
from calivet.reports import contract
from calivet.reports.machine import document
from calivet.reports.reasons import reason


class Answer(Struct, frozen=True):
    """What travels back."""

    diagnosis: contract.Document
    background: Background


class Diagnosing(Struct, frozen=True):
    """From a bundle's path to JSON."""

    language: str
    own: OwnFiles = ()

    def __call__(self, path: str) -> bytes:
        """Diagnose; where nothing could be read, that is no diagnosis."""
        catalogue, watch = knowledge(self.own)
        haul = gather([path], lookout=watch.output)
        if not haul.artifacts:
            raise PathError("; ".join(reason(item.why, self.language) for item in haul.unreadable))
        examined = examine(haul, catalogue, watch)
        return msgspec.json.encode(Answer(document(examined.diagnosis, self.language), background(examined)))
