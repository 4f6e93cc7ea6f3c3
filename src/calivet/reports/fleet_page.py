"""What a fleet's tables tell, as one page: a row for each cluster and cause, which can be filtered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from calivet import __version__
from calivet.contract.fleet import Cause, Hit, Summary
from calivet.evidence.archives.member_names import make_printable
from calivet.messages.words import Words
from calivet.reports.diagnosis.html.drawing import tag
from calivet.reports.diagnosis.html.page import ASSETS, write_policy
from calivet.reports.fleet import FleetWords
from calivet.reports.layout.wording import add_remarks, label

SCRIPT = Path(__file__).parent / "assets" / "fleet.js"
STYLE = Path(__file__).parent / "assets" / "fleet.css"
_HEADS = ("cluster", "cause", "first", "count", "calico", "kubernetes", "now")
_LANGUAGES = {"en": "en", "zh": "zh-CN"}


def to_fleet_page(summary: Summary, titles: Mapping[str, Words], language: str) -> str:
    """One document, complete in itself."""
    words = FleetWords(summary, titles, language)
    style = Markup((ASSETS / "page.css").read_text("utf-8") + STYLE.read_text("utf-8"))  # noqa: S704 - files of ours
    script = Markup(SCRIPT.read_text("utf-8"))  # noqa: S704 - a file of ours
    head = tag(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup('<meta http-equiv="Content-Security-Policy" content="{}">').format(write_policy(style, script)),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", label("fleet.title", language)),
        tag("style", style),
    )
    parts = [
        tag("h1", words.write_head()),
        _write_filters(summary, words, language),
        _write_table(summary, words, language),
    ]
    main = tag("main", *parts, tag("p", f"calivet {__version__}", class_="aside"))
    page = tag("html", head, tag("body", main, tag("script", script)), lang=_LANGUAGES[language])
    return f"<!DOCTYPE html>\n{page}\n"


def _write_filters(summary: Summary, words: FleetWords, language: str) -> Markup:
    """Shown by the script: without it there is nothing that they could do."""
    every = tag("option", label("fleet.every_cause", language), value="")
    causes = (_write_option(cause, words, language) for cause in summary.causes)
    chosen = tag("label", label("fleet.cause", language), Markup(" "), tag("select", every, *causes, id="cause"))
    text = tag("label", label("fleet.filter", language), Markup(' <input type="search" id="filter">'))
    now = tag("label", Markup('<input type="checkbox" id="now"> '), label("fleet.only_now", language))
    count = tag("output", id="shown", data_word=label("fleet.rows", language))
    return tag("form", chosen, text, now, count, class_="filters", hidden="hidden")


def _write_option(cause: Cause, words: FleetWords, language: str) -> Markup:
    """A cause and in how many clusters it is, or was."""
    hit = words.count("clusters", cause.clusters)
    name = words.name_cause(cause.cause, cause.title)
    return tag("option", make_printable(add_remarks(name, [hit], language)), value=cause.cause)


def _write_table(summary: Summary, words: FleetWords, language: str) -> Markup:
    heads = (tag("th", head, scope="col") for head in _name_columns(language))
    rows = (_write_row(cause, hit, words, language) for cause in summary.causes for hit in cause.hit)
    return tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows), class_="fleet")


def _write_row(cause: Cause, hit: Hit, words: FleetWords, language: str) -> Markup:
    state = label("fleet.still" if hit.now else "fleet.over", language)
    since = hit.since.isoformat() if hit.since else ""
    cells = (since, f"{hit.nodes:,}" if hit.nodes else "", hit.calico or "", hit.kubernetes or "", state)
    told = (hit.cluster, words.name_cause(cause.cause, cause.title), *cells)
    named = zip(_name_columns(language), map(make_printable, told), strict=True)
    shown = (tag("td", tag("span", cell) if cell else "", data_head=head) for head, cell in named)
    return tag("tr", *shown, class_="now" if hit.now else "over", data_cause=cause.cause)


def _name_columns(language: str) -> list[str]:
    names = {"calico": "Calico", "kubernetes": "Kubernetes"}
    return [names.get(key) or label(f"fleet.{key}", language) for key in _HEADS]
