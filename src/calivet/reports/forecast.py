"""A forecast on a terminal: the verdict, each node before and after, what would be wrong, what was not seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from calivet import __version__
from calivet.contract.documents import encode_plainly
from calivet.forecast import autodetection, changes, methods, peering, starts
from calivet.forecast import outcome as outcomes
from calivet.forecast.autodetection import TakenAddress
from calivet.forecast.changes import find_value
from calivet.forecast.outcome import (
    BROKEN,
    CARDS,
    CARDS_IN_ORDER,
    FINE,
    ROUTES,
    FamilyOutcome,
    Forecast,
    Missing,
    NodeOutcome,
    Trouble,
)
from calivet.forecast.peering import Session
from calivet.forecast.reachability import PoolOutcome
from calivet.forecast.releases import NOT_SEEN, Release, RunningRelease
from calivet.forecast.settings import PoolMode
from calivet.messages.command_line import Command, fill_command
from calivet.messages.message import say
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wrapping import measure_width, pad_text

# Of more nodes only those that change, or for which something is wrong or not known, are listed.
MANY = 40
SHOWN_CHOICES = 6
_COLOURS = {FINE: "green", BROKEN: "red"}
SHOWN = 12
# What shows what was not seen.
_COMMANDS = {
    outcomes.CARDS: "ssh {node} 'ip addr; ip route'",
    outcomes.CARDS_IN_ORDER: "ssh {node} ip addr",
    outcomes.ROUTES: "ssh {node} ip route",
    outcomes.RESOLUTION: "ssh {node} getent hosts {detail}",
    outcomes.NODE_ADDRESSES: "kubectl get nodes -o yaml",
    outcomes.LABELS: "kubectl get nodes -o yaml",
    outcomes.POOLS: "kubectl get ippools.crd.projectcalico.org -o yaml",
    outcomes.PROBES: "kubectl -n {namespace} get daemonset calico-node -o yaml",
    outcomes.START_LOG: "kubectl -n {namespace} logs --prefix -l k8s-app=calico-node -c calico-node --tail=-1",
    outcomes.PROBE_DURATION: (
        "ssh {node} 'time crictl exec $(crictl ps -q --name calico-node) sh -c"
        ' "calico-node -felix-live -bird-live || calico component node health --felix-live --bird-live"\''
    ),
}
_SIMPLY = (autodetection.STORED, autodetection.DETECTED, autodetection.GIVEN)
"""Ways to an address that need no word."""
_MARKS = {
    "come_up": "+",
    "go_down": "-",
    "end": "-",
    "stay_down": "!",
    "otherwise_down": "!",
    "unclear": "?",
    "stay_up": "=",
}


def write_forecast(outcome: Forecast, layout: Layout) -> str:
    """The whole forecast."""
    lines = [*_write_head(outcome, layout)]
    for family in outcome.families if outcome.touches(changes.ADDRESSES) else ():
        lines += _write_addresses(family, layout)
    for family in outcome.families if outcome.touches(changes.ADDRESSES, changes.MESH) else ():
        lines += write_sessions(family, layout, bgp=outcome.after.has_bgp)
    lines += write_pools(outcome, layout)
    lines += start_lines(outcome, layout)
    lines += _write_troubles(outcome, layout)
    lines += _write_considered(outcome, layout)
    lines += write_missing(outcome, layout)
    return "\n".join(lines) + "\n"


def _write_head(outcome: Forecast, layout: Layout) -> Iterator[str]:
    for change in outcome.changes:
        now = find_value(outcome.before, change.key)
        was = say_word("not_seen_now", layout) if now is None else say_word("now", layout, value=now or "-")
        yield layout.add_remarks(layout.paint(f"{change.key}={change.value}", "bold"), was)
    yield layout.paint(release_line(outcome.running, layout), "dim")
    yield ""
    yield layout.paint(say_word(f"verdict.{outcome.verdict}", layout), "bold", _COLOURS.get(outcome.verdict, "yellow"))


def _write_addresses(family: FamilyOutcome, layout: Layout) -> Iterator[str]:
    yield from ("", layout.paint(say_word("addresses", layout, family=family.family), "bold"))
    listed = family.nodes if len(family.nodes) <= MANY else [node for node in family.nodes if _mark(node) != "="]
    names = [say_word("node", layout), *(node.name for node in listed)]
    befores = [say_word("before", layout), *(format_address(node.before, layout) for node in listed)]
    first, second = (max(map(measure_width, column)) for column in (names, befores))
    yield f"    {pad_text(names[0], first)}  {pad_text(befores[0], second)}  {say_word('after', layout)}"
    for node, name, before in zip(listed, names[1:], befores[1:], strict=True):
        row = f"  {_mark(node)} {pad_text(name, first)}  {pad_text(before, second)}  "
        yield layout.paint(row, *_choose_style(node)) + layout.paint(
            format_address(node.after, layout), *_choose_style(node)
        )
    if left := len(family.nodes) - len(listed):
        yield f"    {say_word('unchanged', layout, count=left)}"


def format_address(taken: TakenAddress, layout: Layout) -> str:
    """An address with its card, and where it is not simply found, how the node comes to it."""
    told = "" if taken.how in _SIMPLY else say_word(f"how.{taken.how}", layout, why=_explain_choice(taken, layout))
    if taken.how == autodetection.UNKNOWN or taken.address is None:
        return told or say_word("not_known", layout)
    card = f" ({taken.interface})" if taken.interface else ""
    return f"{taken.address}{card}" + (f"  {told}" if told else "")


def _explain_choice(taken: TakenAddress, layout: Layout) -> str:
    """Why this address, or none; nothing where it is simply found."""
    if taken.detection is None:
        return say_word("none_wanted", layout)
    if taken.detection.why == methods.FOUND:
        return ""
    return say_word(f"why.{taken.detection.why}", layout, detail=taken.detection.detail)


def _mark(node: NodeOutcome) -> str:
    if node.troubles:
        return "!"
    if node.after.how == autodetection.UNKNOWN:
        return "?"
    return "+" if node.changes else "="


def _choose_style(node: NodeOutcome) -> tuple[str, ...]:
    return {"!": ("red",), "?": ("yellow",), "+": ("green",), "=": ()}[_mark(node)]


def _write_troubles(outcome: Forecast, layout: Layout) -> Iterator[str]:
    if outcome.broken:
        yield from ("", layout.paint(say_word("troubles", layout), "bold"))
    shown = outcome.broken if layout.verbose else outcome.broken[:MANY]
    for node in shown:
        told = (describe_trouble(one, layout.language) for one in node.troubles)
        separator = "；" if layout.language == "zh" else "; "
        yield from layout.indent(f"! {node.name}{say_word('colon', layout)}{separator.join(told)}", 2, hang=2)
    if left := len(outcome.broken) - len(shown):
        yield f"  {say_word('more', layout, count=left)}"


def _write_considered(outcome: Forecast, layout: Layout) -> Iterator[str]:
    """For whom it matters: those that change or fail; all of them where details are wanted."""
    families = outcome.families if outcome.touches(changes.ADDRESSES) else []
    nodes = [node for family in families for node in family.nodes if node.after.detection]
    telling = [node for node in nodes if layout.verbose or _mark(node) in "+!"]
    told = [node for node in telling if node.after.detection and node.after.detection.considered]
    if told:
        yield from ("", layout.paint(say_word("considered", layout), "bold"))
    for node in told if layout.verbose else told[:SHOWN_CHOICES]:
        cards = " · ".join(_list_cards(node.after, layout))
        yield from layout.indent(f"{node.name}{say_word('colon', layout)}{cards}", 2, "dim", hang=2)


def _list_cards(taken: TakenAddress, layout: Layout) -> Iterable[str]:
    for card in taken.detection.considered if taken.detection else ():
        verdict = say_word(f"considered.{card.verdict}", layout, by=card.by)
        yield " ".join(part for part in (card.name, card.address, verdict) if part)


def release_line(running: RunningRelease, layout: Layout) -> str:
    """Which Calico it was computed for."""
    if not running.known:
        return say_word("calico_unseen", layout)
    if running.least == running.most:
        return say_word("calico", layout, release="v" + ".".join(map(str, running.least)))
    if running.least[:2] == running.most[:2]:
        return say_word("calico", layout, release=f"v{running.least[0]}.{running.least[1]}")
    key = "calico_until" if running.least == RunningRelease().least else "calico_from"
    short = [f"{release[0]}.{release[1]}" for release in (running.least, running.most)]
    return say_word(key, layout, least=short[0], most=short[1])


def write_sessions(family: FamilyOutcome, layout: Layout, *, bgp: bool) -> Iterator[str]:
    """How many come and go, and the first of those that do."""
    counts: dict[str, int] = defaultdict(int)
    for (before, after), number in family.counts.items():
        counts[name_movement(before, after)] += number
    if not counts and not family.routers:
        return
    told = [say_word(key, layout, count=counts[key]) for key in _MARKS if counts[key] or key in ("come_up", "go_down")]
    yield ""
    title = say_word("sessions" if bgp else "tunnels", layout)
    yield f"{layout.paint(title, 'bold')}{say_word('colon', layout)}{' · '.join(told)}"
    moved = [session for session in family.moved if name_movement(session.before, session.after) != "stay_up"]
    for session in moved if layout.verbose else moved[:SHOWN]:
        yield f"  {_MARKS[name_movement(session.before, session.after)]} {session.one} – {session.other}"
    if not layout.verbose and len(moved) > SHOWN:
        yield f"    {say_word('more', layout, count=len(moved) - SHOWN)}"
    yield from (_format_router(session, layout) for session in family.routers)


def name_movement(before: str, after: str) -> str:
    """What becomes of a session, in one word."""
    fixed = {peering.UNKNOWN: "unclear", peering.OTHERWISE_DOWN: "otherwise_down", peering.ABSENT: "end"}
    if after in fixed:
        return fixed[after]
    if after == peering.UP:
        return "stay_up" if before == peering.UP else "come_up"
    return "go_down" if before == peering.UP else "stay_down"


def _format_router(session: Session, layout: Layout) -> str:
    return f"    {session.one} – {session.other}{say_word('colon', layout)}{say_word(f'state.{session.after}', layout)}"


def write_pools(outcome: Forecast, layout: Layout) -> Iterator[str]:
    """Each pool, and what its packets meet."""
    if outcome.pools:
        yield from ("", layout.paint(say_word("pools", layout), "bold"))
    for pool in outcome.pools:
        mark = "!" if pool.troubles else "+" if pool.before != pool.after else "="
        modes = f"{format_mode(pool.before, layout)} → {format_mode(pool.after, layout)}"
        yield f"  {mark} {pool.after.cidr}{say_word('colon', layout)}{modes}"
        pairs = {"wrapped": str(pool.wrapped), "plain": str(pool.near + pool.far - pool.wrapped)}
        yield from layout.indent(say_word("pool", layout, **pairs), 4)
        for trouble in pool.troubles:
            yield from layout.indent(say_word(f"pool_trouble.{trouble}", layout, far=pool.far), 4, "red")
        yield from _write_sizes(pool, layout)


def format_mode(pool: PoolMode, layout: Layout) -> str:
    """IPIP CrossSubnet, VXLAN Always, no encapsulation."""
    used = [f"{name} {value}" for name, value in (("IPIP", pool.ipip), ("VXLAN", pool.vxlan)) if value != "Never"]
    return " + ".join(used) or say_word("plain", layout)


def _write_sizes(pool: PoolOutcome, layout: Layout) -> Iterator[str]:
    for one in pool.too_large[:SHOWN]:
        values = {"node": one.node, "pod": str(one.pod_mtu), "card": one.card, "card_mtu": str(one.card_mtu)}
        yield from layout.indent(say_word("size", layout, **values), 4)
    if any(not one.fixed for one in pool.too_large):
        yield from layout.indent(say_word("size_later", layout), 4)


def start_lines(outcome: Forecast, layout: Layout) -> Iterator[str]:
    """Each measured start against the probes."""
    if outcome.starts:
        yield from ("", layout.paint(say_word("starts", layout), "bold"))
    for one in outcome.starts:
        seconds = f"{one.start.seconds:.0f}"
        told = seconds if one.start.finished else say_word("at_least", layout, seconds=seconds)
        mark = {starts.UNKNOWN: "?", starts.SURVIVES: "=" if one.before == one.after else "+"}.get(one.after, "!")
        before, after = (say_word(f"fate.{fate}", layout) for fate in (one.before, one.after))
        yield f"  {mark} {say_word('start', layout, node=one.start.node, seconds=told, before=before, after=after)}"


def write_missing(outcome: Forecast, layout: Layout) -> Iterator[str]:
    """What was not seen, for whom, and the commands that show it."""
    if outcome.missing:
        yield from ("", layout.paint(say_word("missing", layout), "bold"))
    by_piece: dict[str, list[Missing]] = defaultdict(list)
    for piece in outcome.missing:
        by_piece[piece.what].append(piece)
    for pieces in by_piece.values():
        names = ", ".join(piece.node for piece in pieces[:SHOWN] if piece.node)
        more = f" {say_word('more', layout, count=len(pieces) - SHOWN)}" if len(pieces) > SHOWN else ""
        says = say_word(f"missing.{pieces[0].what}", layout, detail=pieces[0].detail)
        whose = f"{names}{more}{say_word('colon', layout)}" if names else ""
        yield from layout.indent(f"? {whose}{says}", 2, hang=2)
        commands = dict.fromkeys(choose_command(piece, outcome) for piece in pieces)
        for command in list(commands)[:SHOWN]:
            yield from layout.write_command(command, 6)
    if by_piece.keys() & {CARDS, CARDS_IN_ORDER, ROUTES}:
        yield f"    {say_word('ask_nodes', layout)}"


def choose_command(piece: Missing, outcome: Forecast) -> Command:
    """What shows it."""
    values = {"node": piece.node, "detail": piece.detail, "namespace": outcome.namespace}
    return fill_command(_COMMANDS[piece.what], values)


def describe_trouble(trouble: Trouble, language: str) -> str:
    """What would be wrong; of a node whose address was not seen, nobody can say where it is not reached."""
    if trouble.kind == outcomes.CUT_OFF and not trouble.detail:
        return say("forecast.unreached", language)
    return say(f"forecast.trouble.{trouble.kind}", language, detail=trouble.detail)


def say_word(key: str, layout: Layout, **values: object) -> str:
    """A fixed word of the forecast."""
    return say(f"forecast.{key}", layout.language, **values)


SCHEMA = 1


def encode_forecast(outcome: Forecast, language: str) -> str:
    """One JSON document; the codes are the same in every language, `says` is for people."""
    tree = {
        "schema": SCHEMA,
        "calivet": __version__,
        "verdict": outcome.verdict,
        "changes": [
            {"key": change.key, "value": change.value, "now": find_value(outcome.before, change.key)}
            for change in outcome.changes
        ],
        "calico": {"least": _release(outcome.running.least), "most": _release(outcome.running.most)},
        "families": [_encode_family(family, language) for family in outcome.families],
        "pools": [
            {"before": pool.before, "after": pool.after, "near": pool.near, "far": pool.far, "wrapped": pool.wrapped}
            | {"troubles": pool.troubles, "too_large": pool.too_large}
            for pool in outcome.pools
        ],
        "starts": outcome.starts,
        "missing": [
            {"what": piece.what, "node": piece.node, "detail": piece.detail, "run": choose_command(piece, outcome)}
            | {"says": say(f"forecast.missing.{piece.what}", language, detail=piece.detail)}
            for piece in outcome.missing
        ],
    }
    return encode_plainly(tree)


def _release(release: Release) -> str | None:
    """Null for an end that is not known; without a patch number where any may be meant."""
    if release in (NOT_SEEN.least, NOT_SEEN.most):
        return None
    return ".".join(map(str, release[:2] if release[2] == NOT_SEEN.most[2] else release))


def _encode_family(family: FamilyOutcome, language: str) -> dict[str, Any]:
    return {
        "family": family.family,
        "nodes": [_encode_node(node, language) for node in family.nodes],
        "sessions": [
            {"before": before, "after": after, "count": count} for (before, after), count in family.counts.items()
        ],
        "moved": family.moved,
        "routers": family.routers,
    }


def _encode_node(node: NodeOutcome, language: str) -> dict[str, Any]:
    detection = node.after.detection
    return {
        "name": node.name,
        "internal": node.internal,
        "before": node.before.address,
        "after": node.after.address,
        "interface": node.after.interface,
        "how": node.after.how,
        "why": detection.why if detection else None,
        "detail": detection.detail if detection else "",
        "considered": detection.considered if detection else (),
        "troubles": [
            {
                "kind": one.kind,
                "detail": one.detail,
                "says": describe_trouble(one, language),
            }
            for one in node.troubles
        ],
    }
