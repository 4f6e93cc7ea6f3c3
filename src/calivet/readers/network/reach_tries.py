"""Tries to reach a machine or one of its ports: ping, nc, telnet, /dev/tcp, and what their words mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Reach
from calivet.readers.command import Machines, look_inside
from calivet.search.expressions import expression

# How a try to reach something ended, from the words that all tools borrow from the system.
_REASONS = (
    ("refused", expression(r"refused|拒绝", re.IGNORECASE)),
    (
        "no-route",
        expression(r"no route to host|(?:network|host) (?:is )?unreachable|没有到主机的路由|不可达", re.IGNORECASE),
    ),
    ("reset", expression(r"reset by peer|connection closed|empty reply|重置", re.IGNORECASE)),
    (
        "unresolved",
        expression(
            r"could ?n[o']t resolve|could not resolve|name or service|name resolution|bad address|unknown host"
            r"|no such host|未知的名称",
            re.IGNORECASE,
        ),
    ),
    ("timeout", expression(r"time[d-]?[ -]?out|超时", re.IGNORECASE)),
    ("ok", expression(r"^(?:open|succeeded|connected)\b", re.IGNORECASE)),
)


class Try(Struct):
    """One try, as its tool reports it."""

    index: int
    protocol: str
    outcome: str
    target: str | None = None
    port: int | None = None
    detail: str | None = None
    size: int | None = None


def find_outcome(words: str) -> str:
    """The outcome that a tool's words mean."""
    return next((outcome for outcome, said in _REASONS if said.search(words)), "error")


def build_reaches(artifact: Artifact, tries: list[Try]) -> list[Reach]:
    """The tries as facts; a tool that says the same in two lines has said it once."""
    pod = look_inside(artifact).pod
    machines = Machines(artifact)
    found: dict[tuple[str | int | None, ...], Reach] = {}
    for one in sorted(tries, key=lambda one: one.index):
        if not one.target:
            continue
        reach = Reach(
            at=artifact.at(one.index),
            host=machines.at(one.index),
            target=one.target.strip("[]"),
            port=one.port,
            protocol=one.protocol,
            outcome=one.outcome,
            detail=one.detail,
            size=one.size,
            pod=pod,
        )
        found.setdefault((reach.target, one.port, one.protocol, one.outcome, one.size), reach)
    return list(found.values())


# `ping`: replies and loss, of Linux, busybox and Windows, English and Chinese.
_BEGIN = expression(
    r"^\s*(?:PING (?P<name>[^\s(:]+):? ?\((?P<address>[^\s()]+)\).*?(?P<size>\d{1,9})(?:\(\d+\))? (?:data )?bytes"
    r"|PING (?P<bare>[\da-fA-F:.]+)\((?P<same>[^()]*)\) (?P<large>\d{1,9}) data bytes"
    r"|(?:Pinging|正在 Ping) (?P<windows>\S+)(?: \[(?P<found>[^\]]+)\])? (?:with|具有) (?P<bytes>\d{1,9}) )"
)
_TITLE = expression(r"^\s*--- (?P<target>\S+) ping (?:statistics|统计)")
_LOSS = expression(
    r"^\s*(?:\d+ packets transmitted,|已发送 ?\d++|Packets: Sent = |数据包: 已发送 = ).*?"
    r"(?P<loss>\d{1,3})(?:\.\d{1,9})?% ?(?:packet loss|包丢失|丢失|loss)"
)
_REPLY = expression(
    r"^\s*(?:\d+ bytes from|\d+ 字节，来自|Reply from|来自) (?:[^\s(]+ \()?(?P<target>[\da-fA-F.:]{0,60}[\da-fA-F])"
    r".*(?:time|时间)[=<]"
)
_UNREACHABLE = expression(r"^\s*(?:From|Reply from|来自) \S+.*(?P<words>Destination .*|无法访问.*)")
_TOO_BIG = expression(r"^\s*(?:ping6?: |From ).*(?P<words>[Mm]essage too long.*|Frag needed.*)")
_FAILED = expression(r"^\s*(?:ping6?: (?:connect: |send\w+: )?|connect: )(?:(?P<target>[\w.:-]+): )?(?P<words>.+)")
PING_ANCHOR = (
    r"PING |Pinging |正在 Ping|--- \S+ ping |\d+ packets transmitted|已发送|Packets: Sent|数据包: |\d+ bytes from "
    r"|\d+ 字节，来自|Reply from |来自 |From \S+ |ping6?: |connect: "
)

_PING_TOOL = expression(r"(?:^|[;&|(]\s*|\bdo\s+)(?:[^\s;&|()]*/)?ping6?\s+(?P<rest>[^;&|)]*)")
_SIZE = expression(r"(?:^|\s)-[sl]\s*(?P<size>\d{1,9})")
_FLAG = expression(r"(?:^|\s)-[cWwiIsMtTQlpmn]\s*(?:\d[\d.]*|do|dont|want|[a-z]+\w*\d\w*)(?=\s|$)|(?:^|\s)-\S+")
_DEFAULT_SIZES = (56, 32)
_NO_REPLY = "no reply shown"


def find_pings(lines: list[str], anchors: list[int], command: str) -> list[Try]:
    """Every ping among these lines; the command tells the target where only the statistics were kept."""
    asked = _PING_TOOL.search(command)
    tries: list[Try] = []
    open_try: Try | None = None
    for index in anchors:
        line = lines[index]
        if begun := _BEGIN.match(line):
            open_try = _begin(index, begun)
            tries.append(open_try)
            continue
        verdict = _judge_line(line, bool(asked))
        if not verdict:
            continue
        if open_try is None:
            open_try = _parse_asked_host(index, asked["rest"] if asked else "")
            tries.append(open_try)
        if _take(open_try, index, verdict):
            open_try = None
    # What a filter left of a ping proves nothing by what is not there.
    return [one for one in tries if one.detail != _NO_REPLY or "|" not in command]


def _begin(index: int, found: re.Match[str]) -> Try:
    target = found["address"] or found["bare"] or found["found"] or found["windows"]
    size = int(found["size"] or found["large"] or found["bytes"])
    return Try(index, "icmp", "loss", target, size=None if size in _DEFAULT_SIZES else size, detail=_NO_REPLY)


def _parse_asked_host(index: int, rest: str) -> Try:
    size = _SIZE.search(rest)
    words = _FLAG.sub(" ", rest).split()
    return Try(
        index, "icmp", "loss", words[-1] if words else None, size=int(size["size"]) if size else None, detail=_NO_REPLY
    )


def _judge_line(line: str, asked: bool) -> tuple[str, re.Match[str]] | None:
    """What kind of line of a ping this is; a bare error is one only where a ping was asked for."""
    for kind, shape in (("title", _TITLE), ("loss", _LOSS), ("big", _TOO_BIG), ("away", _UNREACHABLE), ("ok", _REPLY)):
        if found := shape.match(line):
            return kind, found
    found = _FAILED.match(line)
    return ("failed", found) if found and (asked or line.lstrip().startswith("ping")) else None


def _take(one: Try, index: int, verdict: tuple[str, re.Match[str]]) -> bool:
    """Puts the line's verdict on the try; says whether the try is over."""
    kind, found = verdict
    named = found.groupdict().get("target")
    one.target = one.target or named
    if kind == "title":
        return False
    fresh = one.detail == _NO_REPLY
    if kind == "ok" and fresh:
        one.outcome, one.detail, one.index = "ok", None, index
    elif kind == "loss":
        lost = int(found["loss"])
        one.index = index
        if fresh or (lost and one.outcome == "ok"):
            one.outcome, one.detail = ("loss" if lost else "ok"), f"{lost}% packet loss"
    elif kind in ("big", "away", "failed") and one.outcome != "ok":
        words = found["words"].strip()
        one.outcome = "error" if kind == "big" else "no-route" if kind == "away" else find_outcome(words)
        one.detail, one.index = words, index
    return kind in ("loss", "failed")


# Tries to open a port: nc in its many flavours, telnet, ssh, and bash's /dev/tcp.
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
PORTS_ANCHOR = (
    r"Connection to \S|nc: |\S+ \(\S+:\d+\) open|(?:\S+ )?\[[\da-fA-F.:]+\] \d|Ncat: |telnet: |Trying \S|Connected to "
    r"|ssh: connect "
)

_PORT_TOOL = expression(
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


def find_port_tries(lines: list[str], anchors: list[int], command: str) -> list[Try]:
    """Every try of a port among these lines."""
    # Of several tests on one line each answers in its turn.
    asked = [found[0] for found in _PORT_TOOL.finditer(command)] or [command]
    tries: list[Try] = []
    for index in anchors:
        if one := _try(lines, index, asked[min(len(tries), len(asked) - 1)]):
            tries.append(one)
    tries += _find_unanswered(lines, anchors, command, bool(tries))
    return tries or _find_echoed(lines, command)


@cache
def _compile_shapes() -> tuple[re.Pattern[str], ...]:
    """Compiled when the first such line turns up, not with every start."""
    return tuple(expression(r"^\s*" + shape) for shape in _SHAPES)


def _try(lines: list[str], index: int, command: str) -> Try | None:
    found = next((found for shape in _compile_shapes() if (found := shape.match(lines[index]))), None)
    if not found:
        return None
    known = found.groupdict()
    above = lines[max(0, index - _LINES_ABOVE) : index]
    asked = parse_asked_port(command, above)
    trying = next((shown for line in reversed(above) if (shown := _TRYING.match(line))), None)
    if found["words"] == "Connected" and not known.get("port") and not trying:
        return None
    outcome = find_outcome(found["words"])
    return Try(
        index,
        known.get("protocol") or (asked.protocol if asked else "tcp"),
        outcome,
        known.get("target") or (trying["target"] if trying else asked.target if asked else None),
        int(known["port"]) if known.get("port") else asked.port if asked else None,
        detail=None if outcome == "ok" else found["words"].strip(),
    )


def parse_asked_port(command: str, above: Sequence[str] = ()) -> Try | None:
    """The target in the command, or in a command line that stands above among the output."""
    for text in (command, *reversed(above)):
        if found := _PORT_TOOL.search(text):
            protocol = found["protocol"] or ("udp" if "u" in (found["flags"] or "") else "tcp")
            return Try(0, protocol, "", found["target"] or found["host"], int(found["port"] or found["number"]))
    return None


def _find_unanswered(lines: list[str], anchors: list[int], command: str, answered: bool) -> list[Try]:
    """A telnet that was left trying."""
    trying = [index for index in anchors if _TRYING.match(lines[index])]
    asked = parse_asked_port(command)
    if answered or not trying or not asked or any(line.strip(" ^C") for line in lines[trying[-1] + 1 :]):
        return []
    asked.index, asked.outcome, asked.detail = trying[-1], "timeout", "no answer shown"
    return [asked]


def _find_echoed(lines: list[str], command: str) -> list[Try]:
    """`... && echo open || echo closed`, or the exit code: only what was echoed tells."""
    asked = parse_asked_port(command)
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
