"""`ping`: replies and loss, of Linux, busybox and Windows, English and Chinese."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression
from calivet.readers.network.reach_outcome import Try, outcome_of

_BEGIN = expression(
    r"^\s*(?:PING (?P<name>[^\s(:]+):? ?\((?P<address>[^\s()]+)\).*?(?P<size>\d{1,9})(?:\(\d+\))? (?:data )?bytes"
    r"|PING (?P<bare>[\da-fA-F:.]+)\((?P<same>[^()]*)\) (?P<large>\d{1,9}) data bytes"
    r"|(?:Pinging|正在 Ping) (?P<windows>\S+)(?: \[(?P<found>[^\]]+)\])? (?:with|具有) (?P<bytes>\d{1,9}) )"
)
_TITLE = expression(r"^\s*--- (?P<target>\S+) ping (?:statistics|统计)")
_LOSS = expression(
    r"^\s*(?:\d+ packets transmitted,|已发送 ?\d+|Packets: Sent = |数据包: 已发送 = ).*?"
    r"(?P<loss>\d{1,3})(?:\.\d+)?% ?(?:packet loss|包丢失|丢失|loss)"
)
_REPLY = expression(
    r"^\s*(?:\d+ bytes from|\d+ 字节，来自|Reply from|来自) (?:[^\s(]+ \()?(?P<target>[\da-fA-F.:]*[\da-fA-F])"
    r".*(?:time|时间)[=<]"
)
_UNREACHABLE = expression(r"^\s*(?:From|Reply from|来自) \S+.*(?P<words>Destination .*|无法访问.*)")
_TOO_BIG = expression(r"^\s*(?:ping6?: |From ).*(?P<words>[Mm]essage too long.*|Frag needed.*)")
_FAILED = expression(r"^\s*(?:ping6?: (?:connect: |send\w+: )?|connect: )(?:(?P<target>[\w.:-]+): )?(?P<words>.+)")
ANCHOR = (
    r"PING |Pinging |正在 Ping|--- \S+ ping |\d+ packets transmitted|已发送|Packets: Sent|数据包: |\d+ bytes from "
    r"|\d+ 字节，来自|Reply from |来自 |From \S+ |ping6?: |connect: "
)

_TOOL = expression(r"(?:^|[;&|(]\s*|\bdo\s+)(?:\S*/)?ping6?\s+(?P<rest>[^;&|)]*)")
_SIZE = expression(r"(?:^|\s)-[sl]\s*(?P<size>\d{1,9})")
_FLAG = expression(r"(?:^|\s)-[cWwiIsMtTQlpmn]\s*(?:\d[\d.]*|do|dont|want|[a-z]+\w*\d\w*)(?=\s|$)|(?:^|\s)-\S+")
_DEFAULT_SIZES = (56, 32)
_NO_REPLY = "no reply shown"


def pings(lines: list[str], anchors: list[int], command: str) -> list[Try]:
    """Every ping among these lines; the command tells the target where only the statistics were kept."""
    asked = _TOOL.search(command)
    tries: list[Try] = []
    open_try: Try | None = None
    for index in anchors:
        line = lines[index]
        if begun := _BEGIN.match(line):
            open_try = _begin(index, begun)
            tries.append(open_try)
            continue
        verdict = _verdict(line, bool(asked))
        if not verdict:
            continue
        if open_try is None:
            open_try = _asked(index, asked["rest"] if asked else "")
            tries.append(open_try)
        if _take(open_try, index, verdict):
            open_try = None
    # What a filter left of a ping proves nothing by what is not there.
    return [one for one in tries if one.detail != _NO_REPLY or "|" not in command]


def _begin(index: int, found: re.Match[str]) -> Try:
    target = found["address"] or found["bare"] or found["found"] or found["windows"]
    size = int(found["size"] or found["large"] or found["bytes"])
    return Try(index, "icmp", "loss", target, size=None if size in _DEFAULT_SIZES else size, detail=_NO_REPLY)


def _asked(index: int, rest: str) -> Try:
    size = _SIZE.search(rest)
    words = _FLAG.sub(" ", rest).split()
    return Try(
        index, "icmp", "loss", words[-1] if words else None, size=int(size["size"]) if size else None, detail=_NO_REPLY
    )


def _verdict(line: str, asked: bool) -> tuple[str, re.Match[str]] | None:
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
        one.outcome = "error" if kind == "big" else "no-route" if kind == "away" else outcome_of(words)
        one.detail, one.index = words, index
    return kind in ("loss", "failed")
