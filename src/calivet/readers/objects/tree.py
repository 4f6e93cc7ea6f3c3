"""Nested output, whatever its syntax, as branches that know their line."""

from __future__ import annotations

from collections.abc import Container, Iterator

from msgspec import Struct, field

from calivet.facts.fact import Scalar

Step = str | int
Path = tuple[Step, ...]

DEEPEST = 64
"""No Kubernetes object is nested deeper; what is, was made to do harm."""


class Branch(Struct, gc=False):
    """A value, what is below it, or both; the items of a list have numbers for keys."""

    index: int
    value: Scalar = None
    children: dict[Step, Branch] = field(default_factory=dict)

    def at(self, *path: Step) -> Branch | None:
        """The branch down this path."""
        found: Branch | None = self
        for step in path:
            found = found.children.get(step) if found else None
        return found

    def text(self, *path: Step) -> str | None:
        """The value down this path, as text."""
        found = self.at(*path)
        return None if found is None or found.value is None else _format_value(found.value)

    def number(self, *path: Step) -> int | None:
        """The value down this path, where it is a whole number."""
        text = self.text(*path)
        return int(text) if text and text.lstrip("-").isdecimal() else None

    def texts(self, *path: Step) -> dict[str, str]:
        """The named values right below this path: labels, annotations."""
        found = self.at(*path)
        children = found.children.items() if found else ()
        return {str(key): _format_value(child.value) for key, child in children if child.value is not None}

    def below(self, *path: Step) -> list[Branch]:
        """The branches right below this path."""
        found = self.at(*path)
        return list(found.children.values()) if found else []

    def walk(self, without: Container[Path] = ()) -> Iterator[tuple[Path, Branch]]:
        """This branch and all below it, in the order of the text, with their paths; not what is `without`."""
        waiting: list[tuple[Path, Branch]] = [((), self)]
        while waiting:
            path, branch = waiting.pop()
            if path in without:
                continue
            yield path, branch
            if branch.children:
                waiting += [((*path, key), child) for key, child in reversed(branch.children.items())]


def _format_value(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
