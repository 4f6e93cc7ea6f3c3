"""Tests of reachability and name resolution: which of them failed, and whether any got as far as a pod."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import BgpPeer
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Reach, latest_of
from calivet.facts.kubernetes import Node
from calivet.messages.message import find_words
from calivet.reasoning.diagnosis import Doubt
from calivet.search.expressions import expression, find_lines_with

# That a port nobody listens on refuses is what one expects of it.
_OWN_PORTS = (179, 9098, 9099, 5473, 4789)
_ICMP_HEADERS = 28
_TEST = expression(r"\b(?:ping6?|curl|wget|nslookup|dig|host|nc|ncat|telnet|traceroute|tracepath|mtr|getent|iperf3?)\b")
_CODES = "%{http_code}"
"""Curl prints 000 where it got no answer at all."""
_FAILED = expression(
    r"timed? ?out|no servers could be reached|can't (?:resolve|find)|could not resolve|bad address|NXDOMAIN|SERVFAIL|"
    r"(?:^|(?<=\s))000(?=\s|$)|"
    r"\b100(?:\.0)?% packet loss|\?\?\? +100\.0|[Uu]nreachable|No route to host|reset by peer|Connection refused|"
    r"\b0\.00 bits/sec +receiver"
)

# A route that ends without an answer, or with losses; routers on the way often stay silent, or answer as they like.
_NO_HOP = expression(r"^ *\d+ +\* +\* +\*|^ *\d+\.\|-- +\S+ +(?:[5-9]|[1-9]\d|100)\.\d%? ")
# What a check of Calico's addresses, a run of conformance tests and Felix's own counters say of themselves.
_COUNTED = expression(
    r"\bCheck complete; found [1-9]\d* problems|\be2e +complete +failed\b|"
    r"^\s{0,8}(?:[Ff]ailed|FAILED|[Ff]ailures|失败)(?: (?:tests?|checks?))?[:：= ]{1,8}[1-9]\d{0,6}\b"
    r"(?! ?(?:days?|[hms])\b)|"
    r"^error: timed out waiting for |^probe_success(?:\{[^}]{0,300}\})? 0(?:\.0)?$|"
    r"^bgp_peers\{(?:[^}]{0,200},)? ?status=\"(?!Established\")[^}]{0,300}\} [1-9]|"
    r"^felix_(?:int_dataplane_failures|iptables_(?:restore|save)_errors|ipset_errors)(?:\{[^}]{0,200}\})? "
    r"(?:[1-9]\d{2,}|\d(?:\.\d+)?e\+0?[2-9])\b"
)
_COUNTED_HINTS = (
    "Check complete; found",
    "e2e",
    "ailed",
    "FAILED",
    "ailures",
    "失败",
    "felix_",
    "error: timed",
    "probe_s",
    "bgp_peers{",
)
"""One of these is in every such line."""
# How checks, monitors and runs of tests of all makes put their own result: as the value of a key, as a cell, at a head.
_BAD = (
    r"(?:fail(?:ed|ure|ures|ing)?|error|firing|degraded|unhealthy|unreachable|lost|time(?:d[ -]?)?out|nok|ko"
    r"|不通|失败|超时)"
)
_KEY = r"(?<![\w-])(?:phase|status|state|result|outcome|verdict|conclusion|结果|状态)"
_RESULT = expression(
    rf"{_KEY}[\"']?\s{{0,9}}[:=：]\s{{0,20}}[\"']?{_BAD}(?![\w-])|"
    rf"[,;|\t]\s{{0,40}}{_BAD}\s{{0,40}}(?:$|[,;|\t])|"
    r"^\s{0,8}(?:not ok\b|(?-i:\[?FAIL(?:ED|URE)?\]?)(?=\s|$)|[✗✘❌])|"
    # None of several tries, in a table that nobody knows.
    r"(?:^|\s)0/[1-9]\d{0,4}(?=\s|$)",
    re.IGNORECASE,
)
_ALERT = expression(r"\"alertname\": ?\"(?P<name>\w{1,80})\"")
_RAISED = expression(r"\"(?:status|state)\": ?\"(?:firing|active)\"")
_ALWAYS_RAISED = {"Watchdog", "InfoInhibitor", "DeadMansSwitch"}
"""Alerts that show that alerts arrive."""
_STAMPED = expression(r"\d\d:\d\d:\d\d")
MOST_LINES = 400
"""Of what nobody understands; results are short."""


def find_failed_tests(picture: ClusterFacts) -> Iterator[Doubt]:
    """The last try of each; that of a port which only some installations listen on tells nothing when refused."""
    for reach in latest_of(picture.all(Reach), lambda one: (one.host, one.pod, one.target, one.port, one.size)):
        expected = reach.outcome == "refused" and reach.port in _OWN_PORTS
        expected |= reach.path_mtu is not None and _is_above_limit(reach)
        if reach.outcome != "ok" and not expected:
            yield Doubt(find_words("doubt.test.unreached", target=reach.target, outcome=reach.outcome), reach.at)
    yield from _find_failed_words(picture)
    yield from _find_counted_failures(picture)


def _find_counted_failures(picture: ClusterFacts) -> Iterator[Doubt]:
    """One for each output; what failed by the word of a program that nobody knows may be anything."""
    for artifact in picture.artifacts:
        lines = () if artifact.prose else artifact.lines
        hinted = find_lines_with(_COUNTED_HINTS, lines)
        counted = next((index for index, text in hinted if _COUNTED.search(text)), None)
        told = _find_told_result(artifact) if counted is None else counted
        if told is not None:
            yield Doubt(find_words("doubt.test.counts"), artifact.at(told), is_open=counted is None)


def _find_told_result(artifact: Artifact) -> int | None:
    """Of monitors, and of programs that no reader knows but for logs: those tell of much that is the program's own."""
    lines = () if artifact.prose else artifact.lines[:MOST_LINES]
    names = {found["name"] for text in lines for found in _ALERT.finditer(text)}
    is_alert = bool(names - _ALWAYS_RAISED)
    for index, text in enumerate(lines):
        is_result = not names and not artifact.kinds and not _STAMPED.search(text) and _RESULT.search(text)
        if is_result or (is_alert and _RAISED.search(text)):
            return index
    return None


def _is_above_limit(reach: Reach) -> bool:
    """Whether it was turned back because it is larger than the path takes, as whoever looks for the limit means to."""
    return (reach.size or 0) + _ICMP_HEADERS > (reach.path_mtu or 0)


def _find_failed_words(picture: ClusterFacts) -> Iterator[Doubt]:
    """A test whose output no reader understands, but which says in plain words that it failed."""
    for artifact in picture.artifacts:
        command = artifact.command or ""
        if not artifact.prose and _TEST.search(command) and (not artifact.kinds or _CODES in command):
            yield from _find_failed_line(artifact)


def _find_failed_line(artifact: Artifact) -> Iterator[Doubt]:
    last = max((index for index, text in enumerate(artifact.lines) if text.strip()), default=0)
    for index, text in enumerate(artifact.lines[1:], 1):
        if _FAILED.search(text) or (index == last and _NO_HOP.match(text)):
            yield Doubt(find_words("doubt.test.failed"), artifact.at(index))
            return


def pods_were_reached(picture: ClusterFacts) -> bool:
    """Whether a test succeeded that says something of pods: that a node answers says nothing of them."""
    machines = {node.internal_ip for node in picture.all(Node)} | {node.name for node in picture.all(Node)}
    machines |= {peer.address for peer in picture.all(BgpPeer)}
    machines |= {pod.ip for pod in picture.list_latest_pods("calico-node")}
    return any(reach.outcome == "ok" and reach.target not in machines for reach in picture.all(Reach))
