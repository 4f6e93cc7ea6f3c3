"""The page: all that it needs is in it, and nothing in the evidence can become markup."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from calivet import __version__
from calivet.evidence.names import printable
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.html.chain import chain
from calivet.reports.html.claims import Claim, claims, shown
from calivet.reports.html.excerpts import Places
from calivet.reports.html.gathering import by_value, few
from calivet.reports.html.links import links
from calivet.reports.html.marking import Piece, marked
from calivet.reports.html.node_map import node_map
from calivet.reports.html.policy import policy
from calivet.reports.html.timeline import timeline
from calivet.reports.html.visible import visible
from calivet.reports.html.words import word
from calivet.reports.labels import percent
from calivet.reports.layout import place
from calivet.reports.reasons import reason
from calivet.reports.verdict import verdict_sentence
from calivet.reports.wrapping import cut
from calivet.scene.scene import Scene

if TYPE_CHECKING:
    from jinja2 import Environment

ASSETS = Path(__file__).parent / "assets"
STYLES = ("page.css", "finding.css", "evidence.css", "drawings.css", "print.css")
SCRIPT = "page.js"
MOST_SOURCES = 200
LONGEST_SENTENCE = 2000
"""In columns; names from the evidence may be of any length."""


def to_html(diagnosis: Diagnosis, scene: Scene, language: str) -> str:
    """One document, complete in itself."""
    said = claims(diagnosis, language)
    places = Places(said)
    style, script = Markup("").join(map(_asset, STYLES)), _asset(SCRIPT)
    page = _environment(language).get_template("page.html")
    return page.render(
        diagnosis=diagnosis,
        verdict=verdict_sentence(diagnosis, language),
        claims=said,
        chains=[
            chain(links(finding, effects, diagnosis.titles, places.anchor, language), f"chain-{number}", language)
            for number, (finding, effects) in enumerate(zip(diagnosis.findings, said.effects, strict=True), 1)
        ],
        excerpts=places.excerpts(scene.quotes),
        anchor=places.anchor,
        map=node_map(scene, language, places.anchor),
        timeline=timeline(scene.timeline, language, places.anchor),
        policy=policy(style, script),
        style=style,
        script=script,
    )


def _asset(name: str) -> Markup:
    return Markup((ASSETS / name).read_text("utf-8"))  # noqa: S704 - a file of ours


@cache
def _environment(language: str) -> Environment:
    """Escapes all that is put in, makes it visible, and stops at a name that it does not know."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "few": few,
        "by_value": by_value,
        "percent": percent,
        "place": place,
        "printable": printable,
        "read": lambda words: cut(words.read(language), LONGEST_SENTENCE),
        "reason": lambda why: reason(why, language),
        "number": "{:,}".format,
    }
    environment.globals |= {
        "word": partial(word, language=language),
        "language": {"en": "en", "zh": "zh-CN"}[language],
        "quoted": _quoted,
        "most_sources": MOST_SOURCES,
        "version": __version__,
    }
    return environment


def _quoted(claim: Claim) -> list[Piece]:
    return marked(shown(claim), [claim.words])
