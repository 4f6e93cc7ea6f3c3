"""A forecast on a terminal: the verdict, each node before and after, what would be wrong, what was not seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.forecast import changes, taking
from calivet.forecast.changes import value_of
from calivet.forecast.outcome import BROKEN, FINE, FamilyOutcome, NodeOutcome, Outcome
from calivet.forecast.taking import Taken
from calivet.reports import forecast_words as words
from calivet.reports.forecast_parts import missing_lines, pool_lines, release_line, said, session_lines, start_lines
from calivet.reports.layout import Layout
from calivet.reports.wrapping import padded, width_of

# Of more nodes only those that change, or for which something is wrong or not known, are listed.
MANY = 40
SHOWN = 6
_COLOURS = {FINE: "green", BROKEN: "red"}


def forecast_text(outcome: Outcome, layout: Layout) -> str:
    """The whole forecast."""
    lines = [*_head(outcome, layout)]
    for family in outcome.families if outcome.touches(changes.ADDRESSES) else ():
        lines += _addresses(family, layout)
    for family in outcome.families if outcome.touches(changes.ADDRESSES, changes.MESH) else ():
        lines += session_lines(family, layout, bgp=outcome.after.has_bgp)
    lines += pool_lines(outcome, layout)
    lines += start_lines(outcome, layout)
    lines += _troubles(outcome, layout)
    lines += _considered(outcome, layout)
    lines += missing_lines(outcome, layout)
    return "\n".join(lines) + "\n"


def _head(outcome: Outcome, layout: Layout) -> Iterator[str]:
    for change in outcome.changes:
        now = value_of(outcome.before, change.key)
        was = said("not_seen_now", layout) if now is None else said("now", layout, value=now or "-")
        yield f"{layout.paint(f'{change.key}={change.value}', 'bold')}  ({was})"
    yield layout.paint(release_line(outcome.running, layout), "dim")
    yield ""
    yield layout.paint(layout.read(words.VERDICT[outcome.verdict]), "bold", _COLOURS.get(outcome.verdict, "yellow"))


def _addresses(family: FamilyOutcome, layout: Layout) -> Iterator[str]:
    yield from ("", layout.paint(said("addresses", layout, family=family.family), "bold"))
    listed = family.nodes if len(family.nodes) <= MANY else [node for node in family.nodes if _mark(node) != "="]
    names = [said("node", layout), *(node.name for node in listed)]
    befores = [said("before", layout), *(written(node.before, layout) for node in listed)]
    first, second = (max(map(width_of, column)) for column in (names, befores))
    yield f"    {padded(names[0], first)}  {padded(befores[0], second)}  {said('after', layout)}"
    for node, name, before in zip(listed, names[1:], befores[1:], strict=True):
        row = f"  {_mark(node)} {padded(name, first)}  {padded(before, second)}  "
        yield layout.paint(row, *_style(node)) + layout.paint(written(node.after, layout), *_style(node))
    if left := len(family.nodes) - len(listed):
        yield f"    {said('unchanged', layout, count=left)}"


def written(taken: Taken, layout: Layout) -> str:
    """An address with its card, and where it is not simply found, how the node comes to it."""
    why = words.WHY.get(taken.detection.why) if taken.detection else words.NONE_WANTED
    reason = layout.read(why.fill({"detail": taken.detection.detail if taken.detection else ""})) if why else ""
    how = words.HOW.get(taken.how)
    told = layout.read(how.fill({"why": reason})) if how else ""
    if taken.how == taking.UNKNOWN or taken.address is None:
        return told or layout.read(words.NOT_KNOWN)
    card = f" ({taken.interface})" if taken.interface else ""
    return f"{taken.address}{card}" + (f"  {told}" if told else "")


def _mark(node: NodeOutcome) -> str:
    if node.troubles:
        return "!"
    if node.after.how == taking.UNKNOWN:
        return "?"
    return "+" if node.changes else "="


def _style(node: NodeOutcome) -> tuple[str, ...]:
    return {"!": ("red",), "?": ("yellow",), "+": ("green",), "=": ()}[_mark(node)]


def _troubles(outcome: Outcome, layout: Layout) -> Iterator[str]:
    if outcome.broken:
        yield from ("", layout.paint(said("troubles", layout), "bold"))
    shown = outcome.broken if layout.verbose else outcome.broken[:MANY]
    for node in shown:
        told = (layout.read(words.TROUBLE[one.kind].fill({"detail": one.detail})) for one in node.troubles)
        separator = "；" if layout.language == "zh" else "; "
        yield from layout.indented(f"! {node.name}{said('colon', layout)}{separator.join(told)}", 2, hang=2)
    if left := len(outcome.broken) - len(shown):
        yield f"  {said('more', layout, count=left)}"


def _considered(outcome: Outcome, layout: Layout) -> Iterator[str]:
    """For whom it matters: those that change or fail; all of them where details are wanted."""
    families = outcome.families if outcome.touches(changes.ADDRESSES) else []
    nodes = [node for family in families for node in family.nodes if node.after.detection]
    telling = [node for node in nodes if layout.verbose or _mark(node) in "+!"]
    told = [node for node in telling if node.after.detection and node.after.detection.considered]
    if told:
        yield from ("", layout.paint(said("considered", layout), "bold"))
    for node in told if layout.verbose else told[:SHOWN]:
        cards = " · ".join(_cards(node.after, layout))
        yield from layout.indented(f"{node.name}{said('colon', layout)}{cards}", 2, "dim", hang=2)


def _cards(taken: Taken, layout: Layout) -> Iterable[str]:
    for card in taken.detection.considered if taken.detection else ():
        verdict = layout.read(words.CONSIDERED[card.verdict].fill({"by": card.by}))
        yield " ".join(part for part in (card.name, card.address, verdict) if part)
