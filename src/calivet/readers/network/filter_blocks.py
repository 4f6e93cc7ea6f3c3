"""Packet filters that are printed in blocks: chains of nft, zones of firewalld, the list of ufw, heads of IP sets."""

from __future__ import annotations

import re
from itertools import takewhile

from calivet.evidence.expressions import expression
from calivet.readers.network.filter_rule import Rule

_NFT_CHAIN = expression(r"^\s*chain (?P<chain>\S+) \{")
_NFT_POLICY = expression(r"\bpolicy (?P<target>accept|drop)\b")
_NFT_VERDICT = expression(r"\b(?P<target>drop|reject|accept|jump|goto)\b")
_NFT_COUNTER = expression(r"\bcounter packets (?P<packets>\d{1,20}) ")
_NFT_BLOCKED = expression(r"\bcounter packets \d+ bytes \d+ (?:drop|reject)")
_ZONE = expression(r"^\s*(?P<zone>[\w-]+)(?: \((?:default|active|default, active)\))\s*$")
_ZONE_LINE = expression(r"^\s+(?P<key>[a-z-]+(?: [a-z]+)?):(?: (?P<value>.*\S))?\s*$")
_UFW = expression(r"^\s*(?:Status|状态)[:：] ?(?P<state>active|inactive|激活|不活动)\s*$")
_UFW_LINE = expression(r"^\s*(?P<key>\S.*?)\s{2,}(?P<value>(?:ALLOW|DENY|REJECT|LIMIT)\b.*\S)\s*$")
_SET = expression(r"^\s*Name: (?P<name>\S+)\s*$")
_SET_LINE = expression(r"^\s*(?P<key>Type|Revision|Header|Number of entries|References): (?P<value>.*\S)\s*$")
ANCHOR = (
    r"chain \S+ \{|[\w-]+ \((?:default|active|default, active)\)\s*$|Name: \S+\s*$"
    r"|(?:Status|状态)[:：] ?(?:active|inactive|激活|不活动)\s*$"
)
_LONGEST_BLOCK = 24
_LONGEST_UFW = 60


def block_rules(lines: list[str], anchors: list[int]) -> list[Rule]:
    """All rules of the blocks that begin at these lines, and nft rules that were grepped out of theirs."""
    rules: list[Rule] = []
    behind = 0
    for index in anchors:
        if index < behind:
            continue
        line = lines[index]
        if chain := _NFT_CHAIN.match(line):
            found, behind = _nft_chain(lines, index + 1, chain["chain"])
            rules += found
        elif zone := _ZONE.match(line):
            rules += _described(lines, index, _ZONE_LINE, zone["zone"], "firewalld")
        elif status := _UFW.match(line):
            rules.append(_ufw(lines, index, status["state"]))
        elif name := _SET.match(line):
            rules += _described(lines, index, _SET_LINE, name["name"], "ipset")
        elif _NFT_BLOCKED.search(line):
            rules.append(_nft_rule(index, line, None))
    return rules


def _nft_chain(lines: list[str], index: int, chain: str) -> tuple[list[Rule], int]:
    """The chain's rules, and the index behind it."""
    rules = []
    while index < len(lines) and not lines[index].strip().startswith("}") and not _NFT_CHAIN.match(lines[index]):
        line = lines[index]
        policy = _NFT_POLICY.search(line)
        if policy and " hook " in line:
            rules.append(Rule(index, f"policy {policy['target']}", chain, policy["target"].upper()))
        elif line.strip():
            rules.append(_nft_rule(index, line, chain))
        index += 1
    return rules, index


def _nft_rule(index: int, line: str, chain: str | None) -> Rule:
    verdict, counter = _NFT_VERDICT.search(line), _NFT_COUNTER.search(line)
    return Rule(
        index,
        line.strip(),
        chain,
        verdict["target"].upper() if verdict else None,
        int(counter["packets"]) if counter else None,
    )


def _ufw(lines: list[str], start: int, state: str) -> Rule:
    """Whether ufw is on, and what it lets through."""
    shown = [_UFW_LINE.match(line) for line in lines[start + 1 : start + 1 + _LONGEST_UFW]]
    parts = ["active" if state in ("active", "激活") else "inactive"]
    parts += [f"{found['key']} {' '.join(found['value'].split())}" for found in shown if found]
    return Rule(start, "; ".join(parts), None, "ufw")


def _described(lines: list[str], start: int, shape: re.Pattern[str], name: str, kind: str) -> list[Rule]:
    """A block of `key: value` lines as one rule; an IP set's members are not read."""
    below = (shape.match(line) for line in lines[start + 1 : start + 1 + _LONGEST_BLOCK])
    block = [found for found in takewhile(bool, below) if found]
    parts = [f"{found['key']}: {found['value']}" for found in block if found["value"]]
    return [Rule(start, "; ".join(parts), name, kind, lines=len(block) + 1)] if len(parts) > 1 else []
