"""The pages that are looked at: of the founding incidents, of clusters well, unclear, big and hostile."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from calivet.catalogue.load import load_ready_catalogue
from calivet.evidence.gather import gather
from calivet.pipeline import Examined, examine
from calivet.reports.diagnosis.html.page import to_html
from calivet.reports.diagnosis.html.page_model.build import build_page_model
from calivet.reports.fleet_page import to_fleet_page
from calivet.signs.sign_detector import prepare_detector
from tests.pages.big import write_big
from tests.pages.fleet import make_summary
from tests.pages.hostile import write_hostile
from tests.reports.answers import DEMOS, INCIDENTS

BIG = {"nodes-200": (200, 4), "nodes-5000": (5000, 6)}
HOSTILE, FLEET = "hostile", "fleet"
FAULT, UNCLEAR, WELL = "three-at-once", "migration-hangs", "healthy-but-noisy"
NAMES = (*INCIDENTS, *BIG, HOSTILE)


@cache
def examined(name: str) -> Examined:
    """What is known of one of them."""
    if name in INCIDENTS:
        return examine(gather([str(DEMOS / name / "evidence")]), *prepare_detector())
    with TemporaryDirectory() as folder:
        made = write_big(Path(folder), *BIG[name]) if name in BIG else write_hostile(Path(folder))
        return examine(gather([str(made)]), *prepare_detector())


@cache
def page_of(name: str, language: str = "en") -> str:
    """The page of one of them, or that of a fleet."""
    if name == FLEET:
        titles = {cause.id: cause.title for cause in load_ready_catalogue().causes.values()}
        return to_fleet_page(make_summary(), titles, language)
    found = examined(name)
    return to_html(found.diagnosis, build_page_model(found), language)
