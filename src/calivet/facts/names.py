"""One node, many names: short and full host names, letter case, addresses."""

from __future__ import annotations

from calivet.evidence.expressions import expression

# Only ASCII letters go on with a name: Chinese is written around names without blanks.
_WORD = expression(r"[a-z0-9_.-]+")
_ADDRESS = expression(r"\d{1,3}(?:\.\d{1,3}){3}")


class Names:
    """Maps whatever the evidence calls a machine to the node's own name."""

    def __init__(self, nodes: list[str], addresses: dict[str, str]) -> None:
        """Take the nodes' names and a map from address to node."""
        self.nodes = nodes
        self._addresses = addresses
        self._exact = {node.lower(): node for node in nodes}
        self._short = _unambiguous(nodes)
        self._order = {node: place for place, node in enumerate(nodes)}
        self._answers: dict[str, str | None] = {}

    def node(self, called: str | None) -> str | None:
        """The node's name, or None where this is not a node that was seen. The same few are asked for all the time."""
        if not called:
            return None
        if called not in self._answers:
            self._answers[called] = self._find(called.lower().rstrip("."))
        return self._answers[called]

    def _find(self, key: str) -> str | None:
        if _ADDRESS.fullmatch(key):
            return self._exact.get(key) or self._addresses.get(key)
        return self._exact.get(key) or self._short.get(key) or self._short.get(key.split(".", maxsplit=1)[0])

    def mentioned(self, text: str) -> list[str]:
        """The nodes that a text names; node-1 is not seen in node-10, but in node-1.example.org it is."""
        words = {word[0] for word in _WORD.finditer(text.lower())}
        beginnings = {word[:dot] for word in words for dot in _ends(word)}
        named = self._exact.keys() & beginnings
        return sorted((self._exact[key] for key in named), key=self._order.__getitem__)


def _ends(word: str) -> list[int]:
    """Where a name that begins a word may end: before any dot, or with the word."""
    return [index for index, letter in enumerate(word) if letter == "."] + [len(word)]


def _unambiguous(nodes: list[str]) -> dict[str, str]:
    """Short names that belong to one node only."""
    short: dict[str, str | None] = {}
    for node in nodes:
        key = node.lower().split(".")[0]
        short[key] = None if key in short else node
    return {key: node for key, node in short.items() if node}
