"""Lines of `iptables-save`, `iptables -S` and `iptables -L`, with and without counters."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.readers.network.filter_rule import Rule

_SAVED = expression(r"^\s*(?:\[(?P<packets>\d{1,20}):\d+\] )?-A (?P<chain>\S+) (?P<rule>.*)$")
_JUMP = expression(r"(?:^|\s)(?:-j|-g) (?P<target>\S+)")
_SAVED_POLICY = expression(r"^\s*:(?P<chain>\S+) (?P<target>[A-Z]+) \[(?P<packets>\d{1,20}):\d+\]")
_STATED_POLICY = expression(r"^\s*-P (?P<chain>\S+) (?P<target>[A-Z]+)\s*$")
_CHAIN = expression(
    r"^\s*Chain (?P<chain>\S+) \((?:policy (?P<target>[A-Z]+)(?: (?P<packets>\d{1,20}[KMGT]?) packets)?)?"
)
_ROW = expression(
    r"^\s*(?:\d+\s+)?(?:(?P<packets>\d{1,20}[KMGT]?)\s+\d+[KMGT]?\s+)?"
    r"(?P<target>[A-Za-z]\S*)\s+(?P<protocol>[a-z\d-]+)\s+(?:--|-f|!f)\s+(?=.*(?:\banywhere\b|\d\.\d|::))"
)
FRAME = r"\*(?:filter|nat|mangle|raw|security)\s*$|COMMIT\s*$|:\S+ - \[\d|(?:num\s+)?(?:pkts bytes )?target\s+prot opt "
ANCHOR = (
    r"(?:\[\d+:\d+\] )?-A \S+ |:\S+ [A-Z]+ \[\d|-P \S+ [A-Z]+|Chain \S+ \("
    r"|(?:\d+\s+)?(?:\d+[KMGT]?\s+\d+[KMGT]?\s+)?[A-Za-z]\S*\s+[\w-]+\s+(?:--|-f|!f)\s"
)

_UNITS = {"K": 1_000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000}
_IPIP = ("4", "ipencap", "ipip", "ipv4")
_LISTED_CHAIN = expression(r"\s-\w*L\w*\s+(?P<chain>[A-Za-z][\w.-]*)")


def iptables_rules(lines: list[str], anchors: list[int], command: str) -> list[Rule]:
    """The rules and the chains' policies; rows without a head above them are of the chain that the command names."""
    asked = _LISTED_CHAIN.search(command)
    chain = asked["chain"] if asked else None
    rules: list[Rule] = []
    for index in anchors:
        line = lines[index]
        if found := _CHAIN.match(line):
            chain = found["chain"]
        if rule := _saved(index, line) or _policy(index, line) or _row(index, line, chain):
            rules.append(rule)
    return rules


def _saved(index: int, line: str) -> Rule | None:
    found = _SAVED.match(line)
    if not found:
        return None
    target = _JUMP.search(found["rule"])
    return Rule(index, line.strip(), found["chain"], target["target"] if target else None, _count(found["packets"]))


def _policy(index: int, line: str) -> Rule | None:
    """What a chain does with packets that no rule took."""
    found = _SAVED_POLICY.match(line) or _STATED_POLICY.match(line) or _CHAIN.match(line)
    if not found or not found["target"]:
        return None
    text = f"policy {found['target']}"
    return Rule(index, text, found["chain"], found["target"], _count(found.groupdict().get("packets")))


def _row(index: int, line: str, chain: str | None) -> Rule | None:
    found = _ROW.match(line)
    if not found:
        return None
    ipip = found["protocol"] in _IPIP
    return Rule(index, line.strip(), chain, found["target"], _count(found["packets"]), ipip)


def _count(written: str | None) -> int | None:
    if not written:
        return None
    return int(written[:-1]) * _UNITS[written[-1]] if written[-1] in _UNITS else int(written)
