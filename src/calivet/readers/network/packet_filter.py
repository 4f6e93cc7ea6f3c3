"""Packet filters: what blocks, or concerns the ports of Calico and Kubernetes, out of iptables, nft and firewalld."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.host import FirewallRule
from calivet.readers.inside import Machines, inside
from calivet.readers.network import filter_blocks, iptables_rules
from calivet.readers.reader import Reader, Reading

_WHOLE_TABLE = 200
_FRAME = expression(rf"\s*(?:{iptables_rules.FRAME})")
_DESCRIBED = ("firewalld", "ufw", "ipset")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    machines = Machines(artifact, network=True)
    command = inside(artifact).command
    rules = iptables_rules.iptables_rules(artifact.lines, anchors, command)
    rules += filter_blocks.block_rules(artifact.lines, anchors)
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


READER = Reader(
    kind="packet-filter",
    anchor=expression(
        rf"^(?:\s*(?:{iptables_rules.ANCHOR}|{iptables_rules.FRAME}|{filter_blocks.ANCHOR})|.*counter packets )"
    ),
    read=_read,
)
