"""A packet filter rule, whatever tool listed it, and whether it matters for Calico."""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.expressions import expression

_BLOCKS = frozenset({"DROP", "REJECT"})
_PORTS = expression(r"\b(?:dports?|dpts?)[\s:={]+[\w,:\s]*?\b(?:179|bgp|4789|5473|9099|6443|443|https|10250)\b")
_IPIP = expression(r"-p (?:4|ipencap|ipip|ipv4)\b|\bprotocol (?:4|ipencap|ipip|ipv4)\b")
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
        """Whether the rule blocks, or is about the ports and services that Calico and the API server need.

        A whole table has thousands of rules that Calico and kube-proxy wrote for single pods and services;
        of those only the ones that did block something, or stand for the API server, are worth keeping.
        """
        chain = self.chain or ""
        blocks = (self.target or "").upper() in _BLOCKS
        if chain.startswith("cali") and (whole_table or self.packets == 0):
            return blocks and bool(self.packets)
        if not blocks and (chain.startswith(_SERVICE_CHAINS) or (self.target or "").startswith(_SERVICE_CHAINS)):
            return bool((_API_SERVICE if whole_table else _ADDRESS).search(self.text))
        return blocks or self.ipip or bool(_PORTS.search(self.text) or _IPIP.search(self.text))
