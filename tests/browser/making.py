"""The pages that are looked at: of the founding incidents, of clusters well, unclear, big and hostile."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from calivet.evidence.gather import gather
from calivet.pipeline import Examined, examine
from calivet.reports.html.page import to_html
from calivet.scene.draw import scene
from calivet.signs.ready import ready
from tests.pages.big import write_big
from tests.pages.hostile import write_hostile
from tests.reports.answers import DEMOS, INCIDENTS

BIG = {"nodes-200": (200, 4), "nodes-5000": (5000, 6)}
HOSTILE = "hostile"
FAULT, UNCLEAR, WELL = "three-at-once", "migration-hangs", "healthy-but-noisy"
NAMES = (*INCIDENTS, *BIG, HOSTILE)


@cache
def examined(name: str) -> Examined:
    """What is known of one of them."""
    if name in INCIDENTS:
        return examine(gather([str(DEMOS / name / "evidence")]), *ready())
    with TemporaryDirectory() as folder:
        made = write_big(Path(folder), *BIG[name]) if name in BIG else write_hostile(Path(folder))
        return examine(gather([str(made)]), *ready())


@cache
def page_of(name: str, language: str = "en") -> str:
    """The page of one of them."""
    found = examined(name)
    return to_html(found.diagnosis, scene(found), language)
