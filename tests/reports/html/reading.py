"""A page taken apart, to ask what is in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link", "base"}


@dataclass
class Taken(HTMLParser):
    """Its elements in order, and the text of each kind of element."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data

    def every(self, attribute: str) -> list[str]:
        """The values of an attribute wherever it stands."""
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]


def taken_apart(page: str) -> Taken:
    """The page; each element must be closed where it was opened."""
    taken = Taken()
    taken.feed(page)
    taken.close()
    assert taken.open == []
    return taken
