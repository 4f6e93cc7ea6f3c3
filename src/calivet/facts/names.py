"""One node, many names: short and full host names, letter case, addresses."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

_ADDRESS = expression(r"\d{1,3}(?:\.\d{1,3}){3}")


class Names:
    """Maps whatever the evidence calls a machine to the node's own name."""

    def __init__(self, nodes: list[str], addresses: dict[str, str]) -> None:
        """Take the nodes' names and a map from address to node."""
        self.nodes = nodes
        self._addresses = addresses
        self._exact = {node.lower(): node for node in nodes}
        self._short = _unambiguous(nodes)

    def node(self, called: str | None) -> str | None:
        """The node's name, or None where this is not a node that was seen."""
        if not called:
            return None
        key = called.lower().rstrip(".")
        if _ADDRESS.fullmatch(key):
            return self._exact.get(key) or self._addresses.get(key)
        return self._exact.get(key) or self._short.get(key) or self._short.get(key.split(".")[0])

    def mentioned(self, text: str) -> list[str]:
        """The nodes that a text names, longest names first so that node-1 is not seen in node-10."""
        found: dict[str, None] = {}
        lowered = text.lower()
        for key, node in self._exact.items():
            # Only ASCII letters go on with a name: Chinese is written around names without blanks.
            if re.search(rf"(?<![a-z0-9_.-]){re.escape(key)}(?![a-z0-9_-])", lowered):
                found[node] = None
        return list(found)


def _unambiguous(nodes: list[str]) -> dict[str, str]:
    """Short names that belong to one node only."""
    short: dict[str, str | None] = {}
    for node in nodes:
        key = node.lower().split(".")[0]
        short[key] = None if key in short else node
    return {key: node for key, node in short.items() if node}
