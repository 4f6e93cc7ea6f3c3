"""The scene of a text, by a small made-up catalogue: what is tested is the drawing, not what calivet knows."""

from __future__ import annotations

from datetime import datetime

from calivet.catalogue.model import Harmless, Trace
from calivet.evidence.artifact import Evidence
from calivet.pipeline import Examined, examine
from calivet.reports.diagnosis.html.page_model.build import build_page_model
from calivet.reports.diagnosis.html.page_model.model import Happening, PageModel
from tests.facts.drawing import Text, artifacts_of
from tests.reasoning.made_up import catalogue, cause, effect, sign, watch_of, words

KNOWN = catalogue(
    cause(
        "fault",
        sign("gone", "proof", "{name} is gone", pattern=r"frobnicator (?P<name>\w+) is gone"),
        leads_to=["dark"],
    ),
    cause("other", sign("lost", "proof", pattern="flywheel lost"), leads_to=["dark"]),
    cause("maybe", sign("faint", "fair", pattern="faint light")),
    effect("dark"),
    Harmless(id="noise", why=words("never mind"), trace=Trace(pattern="rattling")),
)


def examined(text: Text, *nodes: str, taken: datetime | None = None) -> Examined:
    """The whole way from text to answer, and what it was made of."""
    evidence = Evidence(artifacts_of(text), taken=taken.isoformat() if taken else "")
    return examine(evidence, KNOWN, watch_of(KNOWN), nodes)


def scene_of(text: Text, *nodes: str, taken: datetime | None = None) -> PageModel:
    """What a page would draw."""
    return build_page_model(examined(text, *nodes, taken=taken))


def happenings(text: Text, kind: str = "", taken: datetime | None = None) -> list[Happening]:
    """What happened, of one kind or of all."""
    return [one for one in scene_of(text, taken=taken).timeline.happenings if kind in ("", one.kind)]


def at(written: str) -> float:
    """A time as the axis counts it."""
    return datetime.fromisoformat(written).timestamp()
