"""The words that all reports share, and the marks between them, which each language has of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calivet.messages.message import Area, is_known, message
from calivet.search.expressions import expression

label = Area("report")


def to_percent(confidence: float) -> int:
    """Never a hundred: nothing is that sure."""
    return min(99, round(confidence * 100))


mark = Area("punctuation")
_BESIDE_A_MARK = expression(r"(?<=[，。；：、！？）”]) +| +(?=[（“])")


def add_detail(what: str, detail: str, language: str) -> str:
    """Something and, after a colon, what there is to tell of it."""
    return what + mark("colon", language) + detail


def add_remarks(what: str, remarks: Sequence[str], language: str) -> str:
    """Something and, where there are any, remarks in brackets."""
    if not remarks:
        return what
    return f"{what}{mark('opening', language)}{join_remarks(remarks, language)}{mark('closing', language)}"


def join_remarks(remarks: Iterable[str], language: str) -> str:
    """This, that."""
    return mark("comma", language).join(remarks)


def join_names(names: Iterable[str], language: str) -> str:
    """One, two, three: Chinese has a mark of its own between the names of a list."""
    return mark("pause", language).join(names)


def join_clauses(items: Iterable[str], language: str) -> str:
    """The same where the items hold lists of their own."""
    return mark("semicolon", language).join(items)


_NAMED_KINDS = ("mount", "certificate")


def name_fact(fact: str, language: str) -> str:
    """What was compared, in people's words; a setting goes by its own name and that of its program."""
    if is_known(message(f"report.fact.{fact}")):
        return label(f"fact.{fact}", language)
    kind, _, name = fact.partition(".")
    if kind == "version":
        return label("fact.version", language, program=name)
    if kind == "sysctl":
        return name
    return label(f"fact.{kind if kind in _NAMED_KINDS else 'setting'}", language, name=name, program=kind)


def unfold(text: str) -> str:
    """A text of several lines, joined by blanks as YAML does it: beside its own marks Chinese has none."""
    return _BESIDE_A_MARK.sub("", text)


FEW = 6
MOST_MISSING = 3


def shorten_nodes(names: Sequence[str], everyone: Sequence[str], count: int, language: str) -> str:
    """All of a few names; of many how many of how many, the first and the last, and the others where they are few.

    `everyone` are all nodes, where they are known by name; `count` is how many there are.
    """
    if len(names) <= FEW:
        return join_names(names, language)
    ordered = sorted(names)
    ends = {"first": ordered[0], "last": ordered[-1]}
    others = [name for name in everyone if name not in set(names)]
    if len(names) >= count:
        return label("many.nodes", language, count=len(names), **ends)
    if everyone and len(others) <= MOST_MISSING:
        missing = join_names(others, language)
        return label("many.nodes.but", language, count=len(names), total=count, missing=missing, **ends)
    return label("many.nodes.of", language, count=len(names), total=count, **ends)
