"""Signs in tests of the BGP port between nodes: with nc and friends, in captures, in a cloud's rule lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.facts.host import Socket
from calivet.facts.picture import Picture
from calivet.facts.sessions import waiting_sessions
from calivet.signs.sighting import Sighting

BGP_PORT = 179
_LOOP = expression(r"\bfor\b.*\b179\b.*\bdo\b.*(?:\bnc\b|\bncat\b|telnet|/dev/tcp)")
_LOOP_RESULT = expression(r"(?:^|\D)(?P<port>\d{2,5})\b\W{0,4}(?P<word>[\w-]+)")
_GOOD, _BAD = ("0", "ok", "open", "success", "succeeded"), ("1", "124", "fail", "failed", "closed", "timeout", "no")
_CAPTURE = expression(r"\btcpdump\b.*(?:\bport\s+179\b|\bport\s+bgp\b)")
_CLOUD_RULES = expression(
    r"describe-security-groups|security group rule list|nsg rule list|firewall-rules (?:list|describe)"
    r"|describe-network-acls|DescribeSecurityGroupAttribute"
)
_LETS_ALL = expression(r"\b179\b|(?:^|\s)-1(?:\s|$)|\b(?:all|any)\b|\bNone\s+None\s+-1", re.IGNORECASE)


def unanswered(picture: Picture) -> Iterator[Sighting]:
    """A test of the BGP port without an answer."""
    for reach in _tests(picture):
        if reach.outcome == "timeout":
            yield _reached(reach, picture)


def answers(picture: Picture) -> Iterator[Sighting]:
    """A test of the BGP port that connected, of a machine whose port stayed silent for nobody else."""
    silent = {reach.target for reach in _tests(picture) if reach.outcome == "timeout"}
    looped = " ".join(artifact.command or "" for artifact, _ in _failed_loops(picture))
    for reach in _tests(picture):
        if reach.outcome == "ok" and reach.target not in silent and reach.target not in looped:
            yield _reached(reach, picture)


def other_port_answers(picture: Picture) -> Iterator[Sighting]:
    """Another port of a machine answers while its BGP port stays silent."""
    silent = {reach.target for reach in _tests(picture) if reach.outcome == "timeout"}
    for reach in picture.all(Reach):
        if reach.target in silent and reach.port not in (None, BGP_PORT) and reach.outcome == "ok":
            yield _reached(reach, picture)


def loop_fails_at_bgp(picture: Picture) -> Iterator[Sighting]:
    """A loop over several ports that fails at the BGP port alone."""
    for artifact, index in _failed_loops(picture):
        node = picture.names.node(artifact.host) or artifact.host
        yield Sighting(line=artifact.at(index), node=node, order=artifact.order)


def capture_empty(picture: Picture) -> Iterator[Sighting]:
    """A capture for the BGP port in which nothing arrives."""
    for artifact in picture.artifacts:
        for index, text in enumerate(artifact.lines if _CAPTURE.search(artifact.command or "") else []):
            if text.strip().startswith("0 packets captured"):
                node = picture.names.node(artifact.host) or artifact.host
                yield Sighting(line=artifact.at(index), node=node, order=artifact.order)


def rules_without_bgp(picture: Picture) -> Iterator[Sighting]:
    """A cloud's list of allowed ports that lacks the BGP port."""
    for artifact in picture.artifacts:
        shown = [text for text in artifact.lines[1:] if text.strip()]
        if _CLOUD_RULES.search(artifact.command or "") and shown and not any(map(_LETS_ALL.search, shown)):
            yield Sighting(line=artifact.at(0), order=artifact.order)


def bird_listens_at_both_ends(picture: Picture) -> Iterator[Sighting]:
    """BIRD listens on two machines, and still sessions are down."""
    listening = {
        socket.host: socket
        for socket in picture.all(Socket)
        if socket.port == BGP_PORT and (socket.state or "").upper().startswith("LISTEN") and socket.host
    }
    if len(listening) > 1 and waiting_sessions(picture):
        yield Sighting(line=next(iter(listening.values())).at)


def _tests(picture: Picture) -> list[Reach]:
    return [reach for reach in picture.all(Reach) if reach.port == BGP_PORT]


def _failed_loops(picture: Picture) -> Iterator[tuple[Artifact, int]]:
    for artifact in picture.artifacts:
        if not _LOOP.search(artifact.command or ""):
            continue
        results = {}
        for index, text in enumerate(artifact.lines[1:], start=1):
            if found := _LOOP_RESULT.search(text):
                results[int(found["port"])] = (found["word"].lower(), index)
        bgp = results.pop(BGP_PORT, ("", 0))
        if bgp[0] in _BAD and any(word in _GOOD for word, _ in results.values()):
            yield artifact, bgp[1]


def _reached(reach: Reach, picture: Picture) -> Sighting:
    node = picture.names.node(reach.host) or reach.host
    return Sighting(line=reach.at, node=node, values={"peer": reach.target})


SIGNS = {
    "bgp-port-unanswered": unanswered,
    "bgp-port-answers": answers,
    "only-bgp-port-unanswered": other_port_answers,
    "port-loop-fails-at-bgp": loop_fails_at_bgp,
    "bgp-capture-empty": capture_empty,
    "cloud-rules-without-bgp": rules_without_bgp,
    "bird-listens-at-both-ends": bird_listens_at_both_ends,
}
