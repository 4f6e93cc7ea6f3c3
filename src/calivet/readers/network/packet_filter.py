"""Packet filters: what blocks, or concerns Calico's ports, in iptables, nft, firewalld and clouds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import IptablesBackend
from calivet.facts.host import FirewallRule, FirewallTable
from calivet.facts.security import CloudRules, SourceCheck
from calivet.facts.vocabulary.other_networks import find_chain_entered
from calivet.readers.command import Machines, look_inside
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

# Rules of a cloud's firewall: security groups of AWS, OpenStack and Alibaba, Azure's and Google's rule lists.
_LISTS_RULES = expression(
    r"describe-security-groups|security group rule list|nsg rule list|firewall-rules (?:list|describe)"
    r"|describe-network-acls|DescribeSecurityGroupAttribute"
)
_RANGE = expression(r"(?<![\d.:])(?P<first>\d{1,5})(?:\s*[-:/,]\s*|\s+)(?P<last>\d{1,5})(?![\d.])")
_NUMBER = expression(r"\b\d{1,5}\b")
_EVERYTHING = expression(r"(?i)(?<![\w.])(?:-1|all|any|\*)(?![\w.])")


def _read_firewall_rules(artifact: Artifact, _: list[int]) -> Iterator[CloudRules]:
    shown = [text for text in artifact.lines[1:] if text.strip()]
    if shown:
        yield CloudRules(
            at=artifact.at(0),
            host=artifact.host,
            ranges=tuple(
                (int(found["first"]), int(found["last"])) for text in shown for found in _RANGE.finditer(text)
            ),
            numbers=frozenset(int(number) for text in shown for number in _NUMBER.findall(text)),
            everything=any(map(_EVERYTHING.search, shown)),
        )


FIREWALL_RULES_READER = read_statements(_read_firewall_rules, command=_LISTS_RULES)


# A cloud's list of machines with the source/destination check of each.
_CLOUD_ADDRESS = r"\b(?:\d{1,3}\.){3}\d{1,3}\b"
_SOURCE_CHECK_ON = expression(
    rf"(?P<address>{_CLOUD_ADDRESS}).*\btrue\b|\btrue\b.*(?P<behind>{_CLOUD_ADDRESS})", re.IGNORECASE
)


def _read_source_check(artifact: Artifact, _: list[int]) -> Iterator[SourceCheck]:
    for index, line in enumerate(artifact.lines[1:], 1):
        if found := _SOURCE_CHECK_ON.search(line):
            yield SourceCheck(at=artifact.at(index), address=found["address"] or found["behind"])


SOURCE_CHECK_READER = read_statements(_read_source_check, command=expression(r"(?i:SourceDestCheck)"))


# A packet filter rule, whatever tool listed it, and whether it matters for Calico.
_BLOCKS = frozenset({"DROP", "REJECT"})
_PORTS = expression(r"\b(?:dports?|dpts?)[\s:={]+[\w,:\s]*?\b(?:179|bgp|4789|5473|9099|6443|443|https|10250)\b")
# Protocol 4 is ipencap, or ipv4 in nft; what /etc/protocols calls ipip is protocol 94, which Calico does not use.
_ABOUT_IPIP = expression(r"-p (?:4|ipencap|ipv4)\b|\bprotocol (?:4|ipencap|ipv4)\b")
_API_SERVICE = expression(r"default/kubernetes\b")
_SERVICE_CHAINS = ("KUBE-SERVICES", "KUBE-SVC-")
_ADDRESS = expression(r"\d+\.\d+\.\d+\.\d+(?:/32)?\b|[\da-f]*::?[\da-f:]*/128")


class Rule(Struct):
    """A rule with the index of its line; packets None where no counter is shown."""

    index: int
    text: str
    chain: str | None = None
    target: str | None = None
    packets: int | None = None
    ipip: bool = False
    lines: int = 1

    def matters(self, whole_table: bool) -> bool:
        """Whether the rule blocks, leads into another network, or is about ports and services that Calico needs.

        A whole table has thousands of rules that Calico and kube-proxy wrote for single pods and services;
        of those only the ones that did block something, or stand for the API server, are worth keeping.
        """
        if find_chain_entered(self.chain, self.target, self.text):
            return True
        chain = self.chain or ""
        blocks = (self.target or "").upper() in _BLOCKS
        if chain.startswith("cali") and (whole_table or self.packets == 0):
            return blocks and bool(self.packets)
        if not blocks and (chain.startswith(_SERVICE_CHAINS) or (self.target or "").startswith(_SERVICE_CHAINS)):
            return bool((_API_SERVICE if whole_table else _ADDRESS).search(self.text))
        # What a chain that drops by default accepts all the same.
        is_policy = self.text.startswith("policy ")
        lets_in = chain.lower() == "input" and (self.target or "").upper() == "ACCEPT" and not is_policy
        return blocks or lets_in or self.ipip or bool(_PORTS.search(self.text) or _ABOUT_IPIP.search(self.text))


# Lines of `iptables-save`, `iptables -S` and `iptables -L`, with and without counters.
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
_IPTABLES_FRAME = (
    r"\*(?:filter|nat|mangle|raw|security)\s*$|COMMIT\s*$|:\S+ - \[\d|(?:num\s+)?(?:pkts bytes )?target\s+prot opt "
)
_IPTABLES_ANCHOR = (
    r"(?:\[\d+:\d+\] )?-A \S+ |:\S+ [A-Z]+ \[\d|-P \S+ [A-Z]+|Chain \S+ \("
    r"|(?:\d+\s+)?(?:\d+[KMGT]?\s+\d+[KMGT]?\s+)?[A-Za-z]\S*\s+[\w-]+\s+(?:--|-f|!f)\s"
)

_UNITS = {"K": 1_000, "M": 1_000_000, "G": 1_000_000_000, "T": 1_000_000_000_000}
_IPIP = ("4", "ipencap", "ipv4")
_LISTED_CHAIN = expression(r"\s-\w*L\w*\s+(?P<chain>[A-Za-z][\w.-]*)")


def find_iptables_rules(lines: list[str], anchors: list[int], command: str) -> list[Rule]:
    """The rules and the chains' policies; rows without a head above them are of the chain that the command names."""
    asked = _LISTED_CHAIN.search(command)
    chain = asked["chain"] if asked else None
    rules: list[Rule] = []
    for index in anchors:
        line = lines[index]
        if found := _CHAIN.match(line):
            chain = found["chain"]
        if (
            rule := _parse_saved_rule(index, line)
            or _parse_policy(index, line)
            or _parse_listed_rule(index, line, chain)
        ):
            rules.append(rule)
    return rules


def _parse_saved_rule(index: int, line: str) -> Rule | None:
    found = _SAVED.match(line)
    if not found:
        return None
    target = _JUMP.search(found["rule"])
    return Rule(index, line.strip(), found["chain"], target["target"] if target else None, _count(found["packets"]))


def _parse_policy(index: int, line: str) -> Rule | None:
    """What a chain does with packets that no rule took."""
    found = _SAVED_POLICY.match(line) or _STATED_POLICY.match(line) or _CHAIN.match(line)
    if not found or not found["target"]:
        return None
    text = f"policy {found['target']}"
    return Rule(index, text, found["chain"], found["target"], _count(found.groupdict().get("packets")))


def _parse_listed_rule(index: int, line: str, chain: str | None) -> Rule | None:
    found = _ROW.match(line)
    if not found:
        return None
    ipip = found["protocol"] in _IPIP
    return Rule(index, line.strip(), chain, found["target"], _count(found["packets"]), ipip)


def _count(written: str | None) -> int | None:
    if not written:
        return None
    return int(written[:-1]) * _UNITS[written[-1]] if written[-1] in _UNITS else int(written)


# Packet filters that are printed in blocks: chains of nft, zones of firewalld, the list of ufw, heads of IP sets.
_NFT_CHAIN = expression(r"^\s*chain (?P<chain>\S+) \{")
_NFT_POLICY = expression(r"\bpolicy (?P<target>accept|drop)\b")
_NFT_HOOK = expression(r" hook (?P<hook>\w+) ")
_NFT_VERDICT = expression(r"\b(?P<target>drop|reject|accept|jump|goto)\b")
_NFT_COUNTER = expression(r"\bcounter packets (?P<packets>\d{1,20}) ")
_NFT_BLOCKED = expression(r"\bcounter packets \d+ bytes \d+ (?:drop|reject)")
_ZONE = expression(r"^\s*(?P<zone>[\w-]+)(?: \((?:default|active|default, active)\))\s*$")
_ZONE_LINE = expression(r"^\s+(?P<key>[a-z-]+(?: [a-z]+)?):(?: (?P<value>.*\S))?\s*$")
_UFW = expression(r"^\s*(?:Status|状态)[:：] ?(?P<state>active|inactive|激活|不活动)\s*$")
_UFW_LINE = expression(r"^\s*(?P<key>\S(?:.{0,200}?\S)?)\s{2,}+(?P<value>(?:ALLOW|DENY|REJECT|LIMIT)\b.*\S)\s*$")
_SET = expression(r"^\s*Name: (?P<name>\S+)\s*$")
_SET_LINE = expression(r"^\s*(?P<key>Type|Revision|Header|Number of entries|References): (?P<value>.*\S)\s*$")
_BLOCK_ANCHOR = (
    r"chain \S+ \{|[\w-]+ \((?:default|active|default, active)\)\s*$|Name: \S+\s*$"
    r"|(?:Status|状态)[:：] ?(?:active|inactive|激活|不活动)\s*$"
)
_LONGEST_BLOCK = 24
_LONGEST_UFW = 60


def find_block_rules(lines: list[str], anchors: list[int]) -> list[Rule]:
    """All rules of the blocks that begin at these lines, and nft rules that were grepped out of theirs."""
    rules: list[Rule] = []
    behind = 0
    for index in anchors:
        if index < behind:
            continue
        line = lines[index]
        if chain := _NFT_CHAIN.match(line):
            found, behind = _read_nft_chain(lines, index + 1, chain["chain"])
            rules += found
        elif zone := _ZONE.match(line):
            rules += _read_described_block(lines, index, _ZONE_LINE, zone["zone"], "firewalld")
        elif status := _UFW.match(line):
            rules.append(_read_ufw(lines, index, status["state"]))
        elif name := _SET.match(line):
            rules += _read_described_block(lines, index, _SET_LINE, name["name"], "ipset")
        elif _NFT_BLOCKED.search(line):
            rules.append(_parse_nft_rule(index, line, None))
    return rules


def _read_nft_chain(lines: list[str], index: int, chain: str) -> tuple[list[Rule], int]:
    """The chain's rules, and the index behind it."""
    rules = []
    while index < len(lines) and not lines[index].strip().startswith("}") and not _NFT_CHAIN.match(lines[index]):
        line = lines[index]
        policy = _NFT_POLICY.search(line)
        if policy and (hook := _NFT_HOOK.search(line)):
            # Whoever writes a table names its chains as he likes; only those of iptables tell by their names.
            name = chain if chain == hook["hook"].upper() else hook["hook"]
            rules.append(Rule(index, f"policy {policy['target']}", name, policy["target"].upper()))
        elif line.strip():
            rules.append(_parse_nft_rule(index, line, chain))
        index += 1
    return rules, index


def _parse_nft_rule(index: int, line: str, chain: str | None) -> Rule:
    verdict, counter = _NFT_VERDICT.search(line), _NFT_COUNTER.search(line)
    return Rule(
        index,
        line.strip(),
        chain,
        verdict["target"].upper() if verdict else None,
        int(counter["packets"]) if counter else None,
    )


def _read_ufw(lines: list[str], start: int, state: str) -> Rule:
    """Whether ufw is on, and what it lets through."""
    shown = [_UFW_LINE.match(line) for line in lines[start + 1 : start + 1 + _LONGEST_UFW]]
    parts = ["active" if state in ("active", "激活") else "inactive"]
    parts += [f"{found['key']} {' '.join(found['value'].split())}" for found in shown if found]
    return Rule(start, "; ".join(parts), None, "ufw")


def _read_described_block(lines: list[str], start: int, shape: re.Pattern[str], name: str, kind: str) -> list[Rule]:
    """A block of `key: value` lines as one rule; an IP set's members are not read."""
    below = (shape.match(line) for line in lines[start + 1 : start + 1 + _LONGEST_BLOCK])
    block = [found for found in takewhile(bool, below) if found]
    parts = [f"{found['key']}: {found['value']}" for found in block if found["value"]]
    return [Rule(start, "; ".join(parts), name, kind, lines=len(block) + 1)] if len(parts) > 1 else []


_WHOLE_TABLE = 200
_FRAME = expression(rf"\s*(?:{_IPTABLES_FRAME})")
_DESCRIBED = ("firewalld", "ufw", "ipset")


def _read_rules(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    command = look_inside(artifact).command
    rules = find_iptables_rules(artifact.lines, anchors, command)
    rules += find_block_rules(artifact.lines, anchors)
    reading.claimed.update(index for index in anchors if _FRAME.match(artifact.lines[index]))
    whole_table = len(rules) > _WHOLE_TABLE
    for rule in rules:
        reading.claim(rule.index, rule.index + rule.lines)
        if rule.target in _DESCRIBED or rule.matters(whole_table):
            reading.facts.append(
                FirewallRule(
                    at=artifact.at(rule.index),
                    host=machines.at(rule.index),
                    rule=rule.text,
                    chain=rule.chain,
                    target=rule.target,
                    packets=rule.packets,
                )
            )
    return reading


RULES_READER = Reader(
    kind="packet-filter",
    anchor=expression(rf"^(?:\s*(?:{_IPTABLES_ANCHOR}|{_IPTABLES_FRAME}|{_BLOCK_ANCHOR})|.*counter packets )"),
    read=_read_rules,
)


# Which backend of iptables Felix takes, and which one the host's own tool has.
_BACKEND_SHAPES = {
    "iptables": expression(r"ip6?tables v1\.\d+\.\d+ \((?P<word>nf_tables|legacy)\)"),
    # It asks both kinds for their rules before it chooses one.
    "felix": expression(r'(?:backendMode(?!.{0,220}-save")|specifiedBackend)="(?P<word>nft|legacy)"'),
}
# Felix says which backend it takes while it starts; there is no need to search a whole log.
_START_OF_LOG = 600


def _read_backend(artifact: Artifact, anchors: list[int]) -> Iterator[IptablesBackend]:
    """What each says first."""
    left = dict(_BACKEND_SHAPES)
    for index in anchors:
        for program, shape in list(left.items()) if index < _START_OF_LOG else ():
            if found := shape.search(artifact.lines[index]):
                del left[program]
                word = found["word"]
                yield IptablesBackend(
                    at=artifact.at(index), host=artifact.host, program=program, word=word, nft=word != "legacy"
                )


BACKEND_READER = read_statements(
    _read_backend,
    anchor=expression(
        r"ip6?tables v1\.\d+\.\d+ \((?:nf_tables|legacy)\)|(?:backendMode|specifiedBackend)=\"(?:nft|legacy)\""
    ),
)


_TABLE = expression(r"^\*(?P<name>filter|nat|mangle|raw)\s*$")


def _read_tables(artifact: Artifact, anchors: list[int]) -> Iterator[FirewallTable]:
    """Those that end as they should, in a listing of which nobody has picked lines."""
    if _PICKS.search(artifact.command or ""):
        return
    ends = [index for index, line in enumerate(artifact.lines) if line.strip() == "COMMIT"]
    for index in anchors:
        if (found := _TABLE.match(artifact.lines[index])) and any(end > index for end in ends):
            yield FirewallTable(at=artifact.at(index), host=artifact.host, name=found["name"])


# The probe leaves out the rules of single services, and keeps that of the API server.
_PICKS = expression(r"\|\s*(?:e|z|f)?grep|\|\s*(?:head|tail|awk)\b")
TABLES_READER = read_statements(_read_tables, anchor=_TABLE)
