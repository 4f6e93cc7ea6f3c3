"""Peels off what log shippers, editors and quoting put before every line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from calivet.evidence.envelopes import open_envelopes
from calivet.evidence.expressions import expression
from calivet.evidence.numbering import strip_numbers

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


def _rest(head: re.Match[str]) -> str:
    return head.string[head.end() :]


def _rests_are_stamped(heads: Sequence[re.Match[str]]) -> bool:
    filled = [rest for head in heads if (rest := _rest(head)).strip()]
    return sum(bool(STAMPED.match(rest)) for rest in filled) * 2 > len(filled)


def _is_shipper(heads: Sequence[re.Match[str]]) -> bool:
    programs = {head["program"] for head in heads}
    return len(programs) == 1 and not JOURNAL.match(programs.pop())


def _is_no_table(heads: Sequence[re.Match[str]]) -> bool:
    columns = sum(" | " in _rest(head) for head in heads)
    return columns * 2 < len(heads) or all(re.search(r"[-_]\d+\s*\|", head[0]) for head in heads)


def _is_no_box(heads: Sequence[re.Match[str]]) -> bool:
    return sum(_rest(head).rstrip().endswith(("|", "│", "┃")) for head in heads) * 2 < len(heads)


HEADS = (
    Head(expression(rf"\[pod/(?P<pod>{POD})/(?P<container>{POD})\](?: |$)"), least=1),
    Head(expression(rf"{DATE}T{TIME}(?:\.\d+)?{ZONE} (?:stdout|stderr) [FP](?: |$)"), least=1),
    Head(expression(rf"{DATE}T{TIME}\.\d{{7,9}}{ZONE}(?: |$)"), least=1),
    Head(expression(rf"\[?{DATE}[T ]{TIME}(?:[.,]\d+)?{ZONE}?\]?(?: |$)"), foreign=_rests_are_stamped),
    Head(expression(rf"\[?{TIME}(?:[.,]\d+)?\]?(?: |$)"), foreign=_rests_are_stamped),
    Head(expression(rf"{DATE} {TIME}(?:\.\d+)? [+-]\d{{4}} [\w.*/-]+: (?=\{{)"), least=1),
    Head(expression(rf"{SENT_FROM}(?:{SHIPPERS}){NUMBER}:(?: |$)"), least=1),
    Head(expression(rf"{SENT_FROM}(?P<program>[^\s:\[\]]+){NUMBER}:(?: |$)"), foreign=_is_shipper),
    Head(
        expression(rf"(?P<pod>{POD}-(?:[a-z0-9]{{5}}|\d+)) (?:› )?(?P<container>[a-z][a-z0-9-]*)(?: (?! )|$)"),
        least=2,
        foreign=_rests_are_stamped,
    ),
    Head(expression(r"[A-Za-z][\w.-]*\s*\|(?: |$)"), foreign=_is_no_table),
    Head(expression(r"[|│┃](?: |$)"), foreign=_is_no_box),
    Head(expression(r">(?: |$)"), least=2),
)


def peel(lines: list[str]) -> Peeled:
    """Heads may be stacked, so peels until nothing is left to peel. Line count and order stay."""
    pods: list[tuple[int, str]] = []
    for _ in range(ROUNDS):
        sample = _sample(lines)
        head = next((head for head in HEADS if _carried(head, sample)), None)
        if head:
            pods = _pods(head, lines) or pods
            lines = [line[match.end() :] if (match := head.shape.match(line)) else line for line in lines]
        elif (opened := open_envelopes(lines)) or (opened := strip_numbers(lines)):
            lines = opened
        else:
            break
    return Peeled(lines, pods)


def _sample(lines: list[str]) -> list[str]:
    """The first lines, and some from the whole length."""
    some = lines[:SAMPLE] + lines[SAMPLE :: max(1, len(lines) // SAMPLE)] if len(lines) > SAMPLE else lines
    return [line for line in some if line and not line.isspace()]


def _carried(head: Head, sample: list[str]) -> bool:
    match = head.shape.match
    if len(sample) < head.least or not (match(sample[0]) or any(map(match, sample[1:3]))):
        return False
    headed = [found for line in sample if (found := match(line))]
    if len(headed) < (ENOUGH * len(sample) if len(sample) >= 20 else len(sample)):
        return False
    if 2 * sum(bool(_rest(found)) for found in headed) < len(headed):
        return False
    return head.foreign is None or head.foreign(headed)


def _pods(head: Head, lines: list[str]) -> list[tuple[int, str]]:
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
