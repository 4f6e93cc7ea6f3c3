"""The whole answer as one page that opens from disk: no script, style or picture comes from elsewhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec import Struct

from calivet import __version__
from calivet.evidence.archives.member_names import make_printable
from calivet.messages.message import Area
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.diagnosis.contrast import describe_contrast, group_by_value
from calivet.reports.diagnosis.first_screen import find_first_step, is_open, write_verdict
from calivet.reports.diagnosis.header import list_header
from calivet.reports.diagnosis.html.chain import build_links, draw_chain
from calivet.reports.diagnosis.html.claims import (
    CitedLines,
    Claim,
    Piece,
    collect_claims,
    cut_claim_line,
    is_table_row,
    mark_words,
)
from calivet.reports.diagnosis.html.drawing import make_visible
from calivet.reports.diagnosis.html.node_map import draw_node_map
from calivet.reports.diagnosis.html.page_model.model import PageModel
from calivet.reports.diagnosis.html.timeline import draw_timeline
from calivet.reports.layout.terminal import name_place
from calivet.reports.layout.wording import name_fact, to_percent
from calivet.reports.layout.wrapping import cut_line
from calivet.search.expressions import expression

word = Area("page")

if TYPE_CHECKING:
    from jinja2 import Environment

ASSETS = Path(__file__).parent / "assets"
STYLES = ("page.css", "finding.css", "evidence.css", "drawings.css", "print.css")
SCRIPT = "page.js"
MOST_SOURCES = 200
LONGEST_SENTENCE = 2000
"""In columns; names from the evidence may be of any length."""
MOST_NAMES = 12
_BLANKS = expression(r"(\s+)")


def to_html(diagnosis: Diagnosis, model: PageModel, language: str) -> str:
    """One document, complete in itself."""
    said = collect_claims(diagnosis, language)
    places = CitedLines(said)
    style, script = Markup("").join(map(_read_asset, STYLES)), _read_asset(SCRIPT)
    page = _create_environment(language).get_template("page.html")
    return page.render(
        diagnosis=diagnosis,
        is_open=is_open(diagnosis),
        header=list_header(diagnosis.cluster, language),
        verdict=write_verdict(diagnosis, language),
        claims=said,
        chains=[
            draw_chain(
                build_links(finding, effects, diagnosis.titles, places.find_anchor, language),
                f"chain-{number}",
                language,
            )
            for number, (finding, effects) in enumerate(zip(diagnosis.findings, said.effects, strict=True), 1)
        ],
        excerpts=places.list_excerpts(model.quotes),
        anchor=places.find_anchor,
        map=draw_node_map(model, language, places.find_anchor),
        timeline=draw_timeline(model.timeline, language, places.find_anchor),
        policy=write_policy(style, script),
        style=style,
        script=script,
    )


def _read_asset(name: str) -> Markup:
    return Markup((ASSETS / name).read_text("utf-8"))  # noqa: S704 - a file of ours


@cache
def _create_environment(language: str) -> Environment:
    """Escapes all that is put in, makes it visible, and stops at a name that it does not know."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=make_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= _FILTERS | {
        "contrast": lambda contrast: describe_contrast(contrast, language),
        "fact": lambda fact: name_fact(fact, language),
        "read": lambda words: cut_line(words.read(language), LONGEST_SENTENCE),
    }
    environment.globals |= {
        "word": lambda name, **values: word(name, language, **values),
        "language": {"en": "en", "zh": "zh-CN"}[language],
        "quoted": _quote_claim,
        "most_sources": MOST_SOURCES,
        "version": __version__,
    }
    return environment


def _quote_claim(claim: Claim) -> list[Piece]:
    return mark_words(cut_claim_line(claim), [claim.words])


def write_policy(style: str, script: str) -> str:
    """The content security policy; a script that evidence smuggles in has another hash and does not run."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {_hash_source(style)}",
            f"script-src {_hash_source(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash_source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class ShortList(Struct, frozen=True):
    """The first names of a list, and how many follow."""

    names: Sequence[str]
    more: int


def limit_names(names: Sequence[str], most: int = MOST_NAMES) -> ShortList:
    """As many as one takes in at a glance."""
    return ShortList(names[:most], max(0, len(names) - most))


def count_by_value(values: Mapping[str, str]) -> list[tuple[str, ShortList]]:
    """The nodes that share each value; the value of most nodes first."""
    groups = group_by_value(values).items()
    return [(value, limit_names(names)) for value, names in sorted(groups, key=lambda pair: -len(pair[1]))]


_FILTERS: dict[str, Callable[..., object]] = {
    "few": limit_names,
    "first_step": find_first_step,
    "by_value": count_by_value,
    "percent": to_percent,
    "place": name_place,
    "printable": make_printable,
    "is_table_row": is_table_row,
    "split_words": _BLANKS.split,
    "number": "{:,}".format,
}
"""Those that are the same in every language."""
