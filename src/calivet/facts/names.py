"""One node, many names: short and full host names, letter case, addresses; and a few names instead of thousands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

from calivet.messages.words import Words
from calivet.search.expressions import expression

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
        self._short = _list_unambiguous(nodes)
        self._order = {node: place for place, node in enumerate(nodes)}
        self._answers: dict[str, str | None] = {}

    def node(self, called: str | None) -> str | None:
        """The node's name, or None where this is not a node that was seen. The same few are asked for all the time."""
        if not called:
            return None
        if called not in self._answers:
            self._answers[called] = self._find(called.lower().rstrip("."))
        return self._answers[called]

    @overload
    def find_node_or_host(self, called: str) -> str: ...

    @overload
    def find_node_or_host(self, called: str | None) -> str | None: ...

    def find_node_or_host(self, called: str | None) -> str | None:
        """The node's name, or for a machine that was seen as no node the name that the evidence gives it."""
        return self.node(called) or called

    def _find(self, key: str) -> str | None:
        if _ADDRESS.fullmatch(key):
            return self._exact.get(key) or self._addresses.get(key)
        return self._exact.get(key) or self._short.get(key) or self._short.get(key.split(".", maxsplit=1)[0])

    def mentioned(self, text: str) -> list[str]:
        """The nodes that a text names; node-1 is not seen in node-10, but in node-1.example.org it is."""
        words = {word[0] for word in _WORD.finditer(text.lower())}
        beginnings = {word[:dot] for word in words for dot in _find_name_ends(word)}
        named = self._exact.keys() & beginnings
        return sorted((self._exact[key] for key in named), key=self._order.__getitem__)


def _find_name_ends(word: str) -> list[int]:
    """Where a name that begins a word may end: before any dot, or with the word."""
    return [index for index, letter in enumerate(word) if letter == "."] + [len(word)]


def _list_unambiguous(nodes: list[str]) -> dict[str, str]:
    """Short names that belong to one node only."""
    short: dict[str, str | None] = {}
    for node in nodes:
        key = node.lower().split(".")[0]
        short[key] = None if key in short else node
    return {key: node for key, node in short.items() if node}


# A few names instead of thousands, and how many more there are.
SHOWN = 4


def list_names(names: Iterable[str]) -> str:
    """Each name once."""
    found = list(dict.fromkeys(names))
    return _add_more(found[:SHOWN], len(found))


def list_names_in_chinese(names: Iterable[str]) -> str:
    """The same with the marks of Chinese."""
    found = list(dict.fromkeys(names))
    more = len(found) - SHOWN
    return "、".join(found[:SHOWN]) + (f"（另有 {more} 个）" if more > 0 else "")


def join_names(names: Iterable[str]) -> Words:
    """The same in both languages, also where the names are phrases."""
    found = list(names)
    return Words(list_names(found), list_names_in_chinese(found))


def list_others(names: Sequence[str], own: str) -> str:
    """All but one's own. Of thousands that share something each can be told so, for only the first are looked at."""
    near = [name for name in names[: SHOWN + 1] if name != own][:SHOWN]
    return _add_more(near, len(names) - 1)


def _add_more(shown: Sequence[str], total: int) -> str:
    more = total - len(shown)
    return ", ".join(shown) + (f" (+{more})" if more > 0 else "")
