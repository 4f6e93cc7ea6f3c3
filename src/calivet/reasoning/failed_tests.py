"""Tests of reachability and name resolution: which of them failed, and whether any got as far as a pod."""

from __future__ import annotations

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
    r"\b100(?:\.0)?% packet loss|\?\?\? +100\.0|[Uu]nreachable|No route to host|reset by peer|Connection refused"
)

# A route that ends without an answer; routers on the way often stay silent.
_NO_HOP = expression(r"^ *\d+ +\* +\* +\*")
# What a check of Calico's addresses, a run of conformance tests and Felix's own counters say of themselves.
_COUNTED = expression(
    r"\bCheck complete; found [1-9]\d* problems|\be2e +complete +failed\b|"
    r"^\s{0,8}(?:[Ff]ailed|FAILED|[Ff]ailures|失败)(?: (?:tests?|checks?))?[:：= ]{1,8}[1-9]\d{0,6}\b"
    r"(?! ?(?:days?|[hms])\b)|"
    r"^felix_(?:int_dataplane_failures|iptables_(?:restore|save)_errors|ipset_errors)(?:\{[^}]{0,200}\})? "
    r"(?:[1-9]\d{2,}|\d(?:\.\d+)?e\+0?[2-9])\b"
)
_COUNTED_HINTS = ("Check complete; found", "e2e", "ailed", "FAILED", "ailures", "失败", "felix_")
"""One of these is in every such line."""


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
    for artifact in picture.artifacts:
        for index, text in find_lines_with(_COUNTED_HINTS, () if artifact.prose else artifact.lines):
            if _COUNTED.search(text):
                yield Doubt(find_words("doubt.test.counts"), artifact.at(index))
                break


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
