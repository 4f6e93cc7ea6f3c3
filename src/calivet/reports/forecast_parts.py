"""The parts of a forecast beside the table of addresses: release, sessions, pools, starts, missing evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.forecast import sessions, starts
from calivet.forecast.carrying import PoolOutcome
from calivet.forecast.outcome import CARDS, CARDS_IN_ORDER, ROUTES, FamilyOutcome, Missing, Outcome
from calivet.forecast.pools import PoolMode
from calivet.forecast.releases import Running
from calivet.forecast.sessions import Session
from calivet.reports import forecast_words as words
from calivet.reports.layout import Layout

SHOWN = 12
_MARKS = {
    "come_up": "+",
    "go_down": "-",
    "end": "-",
    "stay_down": "!",
    "otherwise_down": "!",
    "unclear": "?",
    "stay_up": "=",
}


def release_line(running: Running, layout: Layout) -> str:
    """Which Calico it was computed for."""
    if not running.known:
        return said("calico_unseen", layout)
    if running.least == running.most:
        return said("calico", layout, release="v" + ".".join(map(str, running.least)))
    if running.least[:2] == running.most[:2]:
        return said("calico", layout, release=f"v{running.least[0]}.{running.least[1]}")
    key = "calico_until" if running.least == Running().least else "calico_from"
    short = [f"{release[0]}.{release[1]}" for release in (running.least, running.most)]
    return said(key, layout, least=short[0], most=short[1])


def session_lines(family: FamilyOutcome, layout: Layout, *, bgp: bool) -> Iterator[str]:
    """How many come and go, and the first of those that do."""
    counts: dict[str, int] = defaultdict(int)
    for (before, after), number in family.counts.items():
        counts[movement(before, after)] += number
    if not counts and not family.routers:
        return
    told = [said(key, layout, count=counts[key]) for key in _MARKS if counts[key] or key in ("come_up", "go_down")]
    yield ""
    title = said("sessions" if bgp else "tunnels", layout)
    yield f"{layout.paint(title, 'bold')}{said('colon', layout)}{' · '.join(told)}"
    moved = [session for session in family.moved if movement(session.before, session.after) != "stay_up"]
    for session in moved if layout.verbose else moved[:SHOWN]:
        yield f"  {_MARKS[movement(session.before, session.after)]} {session.one} – {session.other}"
    if not layout.verbose and len(moved) > SHOWN:
        yield f"    {said('more', layout, count=len(moved) - SHOWN)}"
    yield from (_router(session, layout) for session in family.routers)


def movement(before: str, after: str) -> str:
    """What becomes of a session, in one word."""
    fixed = {sessions.UNKNOWN: "unclear", sessions.OTHERWISE_DOWN: "otherwise_down", sessions.ABSENT: "end"}
    if after in fixed:
        return fixed[after]
    if after == sessions.UP:
        return "stay_up" if before == sessions.UP else "come_up"
    return "go_down" if before == sessions.UP else "stay_down"


def _router(session: Session, layout: Layout) -> str:
    return f"    {session.one} – {session.other}{said('colon', layout)}{layout.read(words.STATE[session.after])}"


def pool_lines(outcome: Outcome, layout: Layout) -> Iterator[str]:
    """Each pool, and what its packets meet."""
    if outcome.pools:
        yield from ("", layout.paint(said("pools", layout), "bold"))
    for pool in outcome.pools:
        mark = "!" if pool.troubles else "+" if pool.before != pool.after else "="
        modes = f"{mode(pool.before, layout)} → {mode(pool.after, layout)}"
        yield f"  {mark} {pool.after.cidr}{said('colon', layout)}{modes}"
        pairs = {"wrapped": str(pool.wrapped), "plain": str(pool.near + pool.far - pool.wrapped)}
        yield from layout.indented(layout.read(words.POOL.fill(pairs)), 4)
        for trouble in pool.troubles:
            told = words.POOL_TROUBLE[trouble].fill({"far": str(pool.far)})
            yield from layout.indented(layout.read(told), 4, "red")
        yield from _sizes(pool, layout)


def mode(pool: PoolMode, layout: Layout) -> str:
    """IPIP CrossSubnet, VXLAN Always, no encapsulation."""
    used = [f"{name} {value}" for name, value in (("IPIP", pool.ipip), ("VXLAN", pool.vxlan)) if value != "Never"]
    return " + ".join(used) or layout.read(words.PLAIN)


def _sizes(pool: PoolOutcome, layout: Layout) -> Iterator[str]:
    for one in pool.too_large[:SHOWN]:
        values = {"node": one.node, "pod": str(one.pod_mtu), "card": one.card, "card_mtu": str(one.card_mtu)}
        yield from layout.indented(layout.read(words.SIZE.fill(values)), 4)
    if any(not one.fixed for one in pool.too_large):
        yield from layout.indented(layout.read(words.SIZE_LATER), 4)


def start_lines(outcome: Outcome, layout: Layout) -> Iterator[str]:
    """Each measured start against the probes."""
    if outcome.starts:
        yield from ("", layout.paint(said("starts", layout), "bold"))
    for one in outcome.starts:
        seconds = f"{one.start.seconds:.0f}"
        told = seconds if one.start.finished else said("at_least", layout, seconds=seconds)
        mark = {starts.UNKNOWN: "?", starts.SURVIVES: "=" if one.before == one.after else "+"}.get(one.after, "!")
        before, after = (layout.read(words.FATE[fate]) for fate in (one.before, one.after))
        yield f"  {mark} {said('start', layout, node=one.start.node, seconds=told, before=before, after=after)}"


def missing_lines(outcome: Outcome, layout: Layout) -> Iterator[str]:
    """What was not seen, for whom, and the commands that show it."""
    if outcome.missing:
        yield from ("", layout.paint(said("missing", layout), "bold"))
    by_piece: dict[str, list[Missing]] = defaultdict(list)
    for piece in outcome.missing:
        by_piece[piece.what].append(piece)
    for pieces in by_piece.values():
        names = ", ".join(piece.node for piece in pieces[:SHOWN] if piece.node)
        more = f" {said('more', layout, count=len(pieces) - SHOWN)}" if len(pieces) > SHOWN else ""
        says = layout.read(words.MISSING[pieces[0].what][0].fill({"detail": pieces[0].detail}))
        whose = f"{names}{more}{said('colon', layout)}" if names else ""
        yield from layout.indented(f"? {whose}{says}", 2, hang=2)
        commands = dict.fromkeys(missing_command(piece, outcome) for piece in pieces)
        for command in list(commands)[:SHOWN]:
            yield from layout.command(command, 6)
    if by_piece.keys() & {CARDS, CARDS_IN_ORDER, ROUTES}:
        yield f"    {said('ask_nodes', layout)}"


def missing_command(piece: Missing, outcome: Outcome) -> str:
    """What shows it."""
    run = words.MISSING[piece.what][1]
    values = {"node": piece.node, "detail": piece.detail, "namespace": outcome.namespace}
    for name, value in values.items():
        run = run.replace(f"{{{name}}}", value)
    return run


def said(key: str, layout: Layout, **values: object) -> str:
    """A fixed word of the forecast."""
    return layout.read(words.LABELS[key].fill({name: str(value) for name, value in values.items()}))
