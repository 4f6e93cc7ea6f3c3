"""Tries to open a port: nc in its many flavours, telnet, ssh, and bash's /dev/tcp."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from calivet.evidence.expressions import expression
from calivet.readers.network.reach_outcome import Try, outcome_of

_PORT = r"(?P<port>\d{1,5})"
_SHAPES = (
    # OpenBSD's nc, also on macOS
    rf"Connection to (?P<target>\S+)(?: \(\S+\))? {_PORT} port \[(?P<protocol>tcp|udp)/\S+\] (?P<words>succeeded)",
    rf"Connection to (?P<target>\S+) port {_PORT} \[(?P<protocol>tcp|udp)/\S+\] (?P<words>succeeded)",
    rf"nc: connect to (?P<target>\S+)(?: \(\S+\))? port {_PORT} \((?P<protocol>tcp|udp)\) (?P<words>.+)",
    # busybox's
    rf"\S+ \((?P<target>[^\s()]+):{_PORT}\) (?P<words>open)",
    rf"nc: \S+ \((?P<target>[^\s()]+):{_PORT}\): (?P<words>.+)",
    # the traditional one
    rf"(?:\S+ )?\[(?P<target>[\da-fA-F.:]+)\] {_PORT}(?: \([\w?-]+\))? ?:? (?P<words>open|Conn.+|No route .+)",
    # nmap's
    rf"Ncat: (?P<words>Connected) to (?P<target>\S+):{_PORT}\.",
    r"Ncat: Connection to (?P<target>\S+) failed: (?P<words>.+)",
    r"Ncat: (?P<words>Connection .+|No route .+|TIMEOUT.*|Could not resolve .+|Network .+)",
    r"nc: (?P<words>bad address .+|getaddrinfo.*|timed out.*|Connection .+|No route .+)",
    # telnet
    r"telnet: connect to address (?P<target>\S+): (?P<words>.+)",
    r"telnet: can't connect to remote host \((?P<target>\S+?)\): (?P<words>.+)",
    r"telnet: Unable to connect to remote host: (?P<words>.+)",
    r"telnet: (?:could not resolve )?(?P<target>[\w.-]+)[/:]\S*:? (?P<words>.*(?:not known|resol).*)",
    r"(?P<words>Connected) to (?P<target>\S+?)\.?$",
    # ssh, before it gets as far as a login
    rf"ssh: connect to host (?P<target>\S+) port {_PORT}: (?P<words>.+)",
    # bash
    rf"\S*sh: (?:\S+ \d+: )?/dev/(?P<protocol>tcp|udp)/(?P<target>[^/\s]+)/{_PORT}: (?P<words>.+)",
)
ANCHOR = (
    r"Connection to \S|nc: |\S+ \(\S+:\d+\) open|(?:\S+ )?\[[\da-fA-F.:]+\] \d|Ncat: |telnet: |Trying \S|Connected to "
    r"|ssh: connect "
)

_TOOL = expression(
    r"\b(?:nc|ncat|netcat|telnet)\s+(?P<flags>(?:-\S+\s+(?:\d+\s+)?)*)(?P<target>[\w.:-]*[\w])\s+(?P<port>\d{1,5})\b"
    r"|/dev/(?P<protocol>tcp|udp)/(?P<host>[\w.:-]+)/(?P<number>\d{1,5})"
)
_TRYING = expression(r"^\s*Trying (?P<target>[\da-fA-F.:]*[\da-fA-F])\.\.\.")
_ECHOED = expression(r"(?P<when>&&|\|\|)\s*echo\s+[\"']?(?P<word>[\w -]*\w)")
# `nc ...; echo $?`: 124 is what `timeout` leaves behind when it had to end the test.
_EXIT_ASKED = expression(r"[\d'\"]\s*;\s*echo\b[^;|]*\$\?")
_EXIT_ECHOED = expression(r"^\D{0,24}(?P<code>\d{1,3})\W*$")
_EXITS = {"0": "ok", "124": "timeout", "137": "timeout", "143": "timeout"}
_LINES_ABOVE = 4


def ports(lines: list[str], anchors: list[int], command: str) -> list[Try]:
    """Every try of a port among these lines."""
    tries = [one for index in anchors if (one := _try(lines, index, command))]
    tries += _unanswered(lines, anchors, command, bool(tries))
    return tries or _echoed(lines, command)


@cache
def _shapes() -> tuple[re.Pattern[str], ...]:
    """Compiled when the first such line turns up, not with every start."""
    return tuple(expression(r"^\s*" + shape) for shape in _SHAPES)


def _try(lines: list[str], index: int, command: str) -> Try | None:
    found = next((found for shape in _shapes() if (found := shape.match(lines[index]))), None)
    if not found:
        return None
    known = found.groupdict()
    above = lines[max(0, index - _LINES_ABOVE) : index]
    asked = asked_port(command, above)
    trying = next((shown for line in reversed(above) if (shown := _TRYING.match(line))), None)
    if found["words"] == "Connected" and not known.get("port") and not trying:
        return None
    outcome = outcome_of(found["words"])
    return Try(
        index,
        known.get("protocol") or (asked.protocol if asked else "tcp"),
        outcome,
        known.get("target") or (trying["target"] if trying else asked.target if asked else None),
        int(known["port"]) if known.get("port") else asked.port if asked else None,
        detail=None if outcome == "ok" else found["words"].strip(),
    )


def asked_port(command: str, above: Sequence[str] = ()) -> Try | None:
    """The target in the command, or in a command line that stands above among the output."""
    for text in (command, *reversed(above)):
        if found := _TOOL.search(text):
            protocol = found["protocol"] or ("udp" if "u" in (found["flags"] or "") else "tcp")
            return Try(0, protocol, "", found["target"] or found["host"], int(found["port"] or found["number"]))
    return None


def _unanswered(lines: list[str], anchors: list[int], command: str, answered: bool) -> list[Try]:
    """A telnet that was left trying."""
    trying = [index for index in anchors if _TRYING.match(lines[index])]
    asked = asked_port(command)
    if answered or not trying or not asked or any(line.strip(" ^C") for line in lines[trying[-1] + 1 :]):
        return []
    asked.index, asked.outcome, asked.detail = trying[-1], "timeout", "no answer shown"
    return [asked]


def _echoed(lines: list[str], command: str) -> list[Try]:
    """`... && echo open || echo closed`, or the exit code: only what was echoed tells."""
    asked = asked_port(command)
    if not asked:
        return []
    ended = _EXIT_ECHOED.match(lines[-1]) if _EXIT_ASKED.search(command) and len(lines) > 1 else None
    if ended:
        asked.index, asked.outcome = len(lines) - 1, _EXITS.get(ended["code"], "error")
        return [asked]
    words = {found["word"]: found["when"] for found in _ECHOED.finditer(command)}
    for index, line in enumerate(lines[1:], start=1):
        if when := words.get(line.strip()):
            asked.index, asked.outcome = index, "ok" if when == "&&" else "error"
            return [asked]
    return []
