"""Peels off what log shippers, editors and quoting put before every line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from calivet.search.expressions import expression

ENVELOPE_SAMPLE = 50
# A logger of its own says `msg` and `level`; a shipper wraps the line as it was and adds where it came from.
SHIPPER_KEYS = frozenset(
    (
        "stream time @timestamp kubernetes docker agent tag logtag _p input source source_type host ecs"
        " fluentd container_id container_name pod pod_name file cluster"
    ).split()
)


def open_envelopes(lines: list[str]) -> list[str] | None:
    """The lines' messages, where all lines are envelopes; a broken one stays as it is."""
    sample = [line for line in lines[: 2 * ENVELOPE_SAMPLE] if line.strip()][:ENVELOPE_SAMPLE]
    if not sample or not sample[0].lstrip().startswith("{"):
        return None
    if sum(_read_message(line) is not None for line in sample) < 0.9 * len(sample):
        return None
    return [line if (message := _read_message(line)) is None else message for line in lines]


def _read_message(line: str) -> str | None:
    try:
        envelope: Any = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    if not isinstance(envelope, dict) or envelope.keys().isdisjoint(SHIPPER_KEYS):
        return None
    message = envelope.get("log", envelope.get("message"))
    if isinstance(message, dict):
        message = message.get("message")
    return " ".join(message.splitlines()) if isinstance(message, str) else None


TAB = expression(r"(?P<pad> *)(?P<number>\d+)(?P<gap>\t)")
BAR = expression(r"(?P<pad> *)(?P<number>\d+)(?P<gap> ?[|│] ?)")
BLANKS = expression(r"(?P<pad> *)(?P<number>\d+)(?P<gap> +|$)")
NUMBER_SAMPLE = 200
LEAST = 3

Heads = Sequence[re.Match[str]]


def strip_numbers(lines: list[str]) -> list[str] | None:
    """The lines without their numbers, where every one of them, blank or not, carries the next number."""
    for style in (TAB, BAR, BLANKS):
        heads = [head for line in lines[:NUMBER_SAMPLE] if (head := style.match(line))]
        if len(heads) < LEAST or len(heads) < len(lines[:NUMBER_SAMPLE]):
            continue
        filled = sum(head.end() < len(head.string) for head in heads)
        if 2 * filled >= len(heads) and _count_up(heads) and (style is not BLANKS or _is_margin(heads)):
            gap = _find_least_gap(heads)
            return [_drop_number(line, style, gap if style is BLANKS else None) for line in lines]
    return None


def _count_up(heads: Heads) -> bool:
    numbers = [int(head["number"][:10]) for head in heads]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _is_margin(heads: Heads) -> bool:
    """A column of the output itself (rule numbers, indexes) is aligned to the left and padded behind."""
    if heads[0]["pad"]:
        return len({head.end("number") for head in heads}) == 1
    by_width: dict[int, list[re.Match[str]]] = {}
    for head in heads:
        by_width.setdefault(len(head["number"]), []).append(head)
    return len(by_width) > 1 and len({_find_least_gap(same) for same in by_width.values()}) == 1


def _find_least_gap(heads: Heads) -> int:
    return min((len(head["gap"]) for head in heads if head["gap"]), default=0)


def _drop_number(line: str, style: re.Pattern[str], gap: int | None) -> str:
    head = style.match(line)
    if not head:
        return line
    return line[head.end() if gap is None else head.end("number") + gap :]


DATE = r"\d{4}-\d\d-\d\d"
TIME = r"\d\d:\d\d:\d\d"
ZONE = r"(?:Z|[+-]\d\d:?\d\d)"
SYSLOG = rf"[A-Z][a-z]{{2}} [ \d]\d {TIME}"
# A line that brings its own time needs none in front of it.
STAMPED = expression(
    rf'\s*(?:\[?{DATE}[T _]{TIME}|{SYSLOG} |[IWEF]\d{{4}} {TIME}|time="|\{{"|bird6?: '
    r"|\[[^\]@\s]+@\S+ [^\]]*\]|\S+@\S+:|[$#] |```)"
)
# These write their own journal: host and program in front of the line are evidence, not packing.
JOURNAL = expression(
    r"(?:kube|calico|felix|bird|containerd|docker|runc|cri|etcd|k3s|k0s|rke2|systemd|kernel|init|audit|sshd?|sudo|su$|cron"
    r"|dbus|chrony|ntp|NetworkManager|firewalld|dhcp|netplan|keepalived|haproxy|nginx|podman|snapd|cloud-init|multipathd"
    r"|polkit|login|agetty|rngd|irqbalance|tuned|lldpd|networkd|resolved|udevd|bgpd|zebra|frr|iscsid|rpc|nfs|kmsg)",
    re.IGNORECASE,
)
SHIPPERS = "filebeat|fluentd|fluent-bit|td-agent|rsyslogd?|syslog-ng|vector|promtail|logstash|alloy|splunkd?|nxlog"
SENT_FROM = rf"(?:<\d+>)?(?:{DATE}T{TIME}(?:\.\d+)?{ZONE}|{SYSLOG}) \S+ "
NUMBER = r"(?:\[\d+\])?"
POD = r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?"
SAMPLE = 400
ENOUGH = 0.95
ROUNDS = 4


class Head(Struct, frozen=True):
    """What one shipper writes before each line."""

    shape: re.Pattern[str]
    least: int = 3
    """So many lines must carry it before it is believed."""
    foreign: Callable[[Sequence[re.Match[str]]], bool] | None = None
    """Says, from the heads of the lines, whether the head is packing and no part of the message."""


class Peeled(Struct, frozen=True):
    """Lines without their heads."""

    lines: list[str]
    pods: list[tuple[int, str]] = []
    """From which line on the lines come from which pod, as the command that would print them."""


def _read_rest(head: re.Match[str]) -> str:
    return head.string[head.end() :]


def _are_rests_stamped(heads: Sequence[re.Match[str]]) -> bool:
    filled = [rest for head in heads if (rest := _read_rest(head)).strip()]
    return sum(bool(STAMPED.match(rest)) for rest in filled) * 2 > len(filled)


def _is_shipper(heads: Sequence[re.Match[str]]) -> bool:
    programs = {head["program"] for head in heads}
    return len(programs) == 1 and not JOURNAL.match(programs.pop())


def _is_no_table(heads: Sequence[re.Match[str]]) -> bool:
    columns = sum(" | " in _read_rest(head) for head in heads)
    return columns * 2 < len(heads) or all(re.search(r"[-_]\d+\s*\|", head[0]) for head in heads)


def _is_no_box(heads: Sequence[re.Match[str]]) -> bool:
    return sum(_read_rest(head).rstrip().endswith(("|", "│", "┃")) for head in heads) * 2 < len(heads)


HEADS = (
    Head(expression(rf"\[pod/(?P<pod>{POD})/(?P<container>{POD})\](?: |$)"), least=1),
    Head(expression(rf"{DATE}T{TIME}(?:\.\d+)?{ZONE} (?:stdout|stderr) [FP](?: |$)"), least=1),
    Head(expression(rf"{DATE}T{TIME}\.\d{{7,9}}{ZONE}(?: |$)"), least=1),
    Head(expression(rf"\[?{DATE}[T ]{TIME}(?:[.,]\d+)?{ZONE}?\]?(?: |$)"), foreign=_are_rests_stamped),
    Head(expression(rf"\[?{TIME}(?:[.,]\d+)?\]?(?: |$)"), foreign=_are_rests_stamped),
    Head(expression(rf"{DATE} {TIME}(?:\.\d+)? [+-]\d{{4}} [\w.*/-]+: (?=\{{)"), least=1),
    Head(expression(rf"{SENT_FROM}(?:{SHIPPERS}){NUMBER}:(?: |$)"), least=1),
    Head(expression(rf"{SENT_FROM}(?P<program>[^\s:\[\]]+){NUMBER}:(?: |$)"), foreign=_is_shipper),
    Head(
        expression(rf"(?P<pod>{POD}-(?:[a-z0-9]{{5}}|\d+)) (?:› )?(?P<container>[a-z][a-z0-9-]*)(?: (?! )|$)"),
        least=2,
        foreign=_are_rests_stamped,
    ),
    Head(expression(r"[A-Za-z][\w.-]*\s*\|(?: |$)"), foreign=_is_no_table),
    Head(expression(r"[|│┃](?: |$)"), foreign=_is_no_box),
    Head(expression(r">(?: |$)"), least=2),
)


def peel(lines: list[str]) -> Peeled:
    """Heads may be stacked, so peels until nothing is left to peel. Line count and order stay."""
    pods: list[tuple[int, str]] = []
    for _ in range(ROUNDS):
        sample = _sample_lines(lines)
        head = next((head for head in HEADS if _is_carried(head, sample)), None)
        if head:
            pods = _find_pods(head, lines) or pods
            lines = [line[match.end() :] if (match := head.shape.match(line)) else line for line in lines]
        elif (opened := open_envelopes(lines)) or (opened := strip_numbers(lines)):
            lines = opened
        else:
            break
    return Peeled(lines, pods)


def _sample_lines(lines: list[str]) -> list[str]:
    """The first lines, and some from the whole length."""
    some = lines[:SAMPLE] + lines[SAMPLE :: max(1, len(lines) // SAMPLE)] if len(lines) > SAMPLE else lines
    return [line for line in some if line and not line.isspace()]


def _is_carried(head: Head, sample: list[str]) -> bool:
    match = head.shape.match
    if len(sample) < head.least or not (match(sample[0]) or any(map(match, sample[1:3]))):
        return False
    headed = [found for line in sample if (found := match(line))]
    if len(headed) < (ENOUGH * len(sample) if len(sample) >= 20 else len(sample)):
        return False
    if 2 * sum(bool(_read_rest(found)) for found in headed) < len(headed):
        return False
    return head.foreign is None or head.foreign(headed)


def _find_pods(head: Head, lines: list[str]) -> list[tuple[int, str]]:
    """Where the pod changes. Lines of many pods all mixed up are left together."""
    if "pod" not in head.shape.groupindex:
        return []
    changes: list[tuple[int, str]] = []
    for index, line in enumerate(lines):
        if found := head.shape.match(line):
            command = f"kubectl logs {found['pod']} -c {found['container']}"
            if not changes or changes[-1][1] != command:
                changes.append((index, command))
    names = {command for _, command in changes}
    return changes if len(changes) <= 2 * len(names) else []
