"""Calico's label selectors, read as Calico reads them; and what taints keep off a node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from calivet.facts.kubernetes import Object
from calivet.search.expressions import expression

_TOKEN = expression(
    r"\s*(?:(?P<call>(?:all|global)\(\s*\))|has\(\s*(?P<has>[\w./-]+)\s*\)|(?P<mark>&&|\|\||!=|==|[!(){},])"
    r"|(?P<quoted>\"[^\"]*\"|'[^']*')|(?P<word>not\s+in|starts\s+with|ends\s+with|[\w./-]+))"
)
_COMPARISONS = {"==", "!=", "in", "not in", "contains", "starts with", "ends with"}


class Subject(Struct, frozen=True):
    """What a selector is asked about."""

    labels: Mapping[str, str | None]
    """None where it is known to be there, but not with which value."""
    is_complete: bool = True
    """Whether it has no other labels."""
    never: frozenset[str] = frozenset()
    """Values that no label has whose value is not known."""


class _Has(Struct, frozen=True):
    key: str


class _Compares(Struct, frozen=True):
    key: str
    how: str
    values: tuple[str, ...]


class _Joins(Struct, frozen=True):
    """Both sides must fit, or either; `not` has one side."""

    how: str
    sides: tuple[_Selector, ...]


class _Always(Struct, frozen=True):
    pass


_Selector = _Has | _Compares | _Joins | _Always


def fits(selector: str, subject: Subject) -> bool | None:
    """Whether it selects the subject; None where that cannot be told, or the selector is none."""
    parsed = _parse(selector)
    return _ask(parsed, subject) if parsed else None


def find_required_label(selector: str) -> tuple[str, str] | None:
    """A label with the value without which it selects nothing, where it asks for one."""
    parsed = _parse(selector)
    sides = parsed.sides if isinstance(parsed, _Joins) and parsed.how == "&&" else (parsed,)
    equal = (side for side in sides if isinstance(side, _Compares) and side.how == "==")
    return next(((side.key, side.values[0]) for side in equal), None)


def _ask(selector: _Selector, subject: Subject) -> bool | None:
    if isinstance(selector, _Always):
        return True
    if isinstance(selector, _Has):
        return True if selector.key in subject.labels else False if subject.is_complete else None
    if isinstance(selector, _Compares):
        return _compare(selector, subject)
    answers = [_ask(side, subject) for side in selector.sides]
    if selector.how == "not":
        return None if answers[0] is None else not answers[0]
    decisive = selector.how == "||"
    if decisive in answers:
        return decisive
    return None if None in answers else not decisive


def _compare(asked: _Compares, subject: Subject) -> bool | None:
    """A label that is missing equals nothing, and differs from everything."""
    is_denied = asked.how in ("!=", "not in")
    if asked.key not in subject.labels:
        return is_denied if subject.is_complete else None
    value = subject.labels[asked.key]
    if value is None:
        is_known = asked.how in ("==", "!=", "in", "not in") and subject.never.issuperset(asked.values)
        return is_denied if is_known else None
    if asked.how in ("contains", "starts with", "ends with"):
        wanted = asked.values[0]
        found = {"contains": wanted in value, "starts with": value.startswith(wanted)}
        return found.get(asked.how, value.endswith(wanted))
    return (value in asked.values) != is_denied


@lru_cache(1 << 12)
def _parse(selector: str) -> _Selector | None:
    if not selector.strip():
        return _Always()
    try:
        return _Parser(selector).parse()
    except (ValueError, IndexError, RecursionError):
        return None


class _Parser:
    """One token after the other; whatever does not belong there is a ValueError."""

    def __init__(self, selector: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        place = 0
        selector = selector.rstrip()
        while place < len(selector):
            found = _TOKEN.match(selector, place)
            if not found or not found.lastgroup:
                raise ValueError(selector)
            self._tokens.append((found.lastgroup, " ".join(found[found.lastgroup].split())))
            place = found.end()
        self._tokens.reverse()

    def parse(self) -> _Selector:
        whole = self._parse_either()
        if self._tokens:
            raise ValueError(self._tokens)
        return whole

    def _parse_either(self) -> _Selector:
        return self._parse_joined("||", lambda: self._parse_joined("&&", self._parse_one))

    def _parse_joined(self, mark: str, parse_side: Callable[[], _Selector]) -> _Selector:
        sides = [parse_side()]
        while self._take(mark):
            sides.append(parse_side())
        return sides[0] if len(sides) == 1 else _Joins(mark, tuple(sides))

    def _take(self, mark: str) -> bool:
        is_next = bool(self._tokens) and self._tokens[-1] == ("mark", mark)
        if is_next:
            self._tokens.pop()
        return is_next

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise ValueError(mark)

    def _parse_one(self) -> _Selector:
        if self._take("!"):
            return _Joins("not", (self._parse_one(),))
        if self._take("("):
            inside = self._parse_either()
            self._expect(")")
            return inside
        kind, text = self._tokens.pop()
        if kind == "call":
            # No pod is global: only what has no namespace is.
            return _Always() if text.startswith("all") else _Joins("not", (_Always(),))
        if kind == "has":
            return _Has(text)
        if kind != "word":
            raise ValueError(text)
        return self._parse_comparison(text)

    def _parse_comparison(self, key: str) -> _Selector:
        _, how = self._tokens.pop()
        if how not in _COMPARISONS:
            raise ValueError(how)
        if how not in ("in", "not in"):
            return _Compares(key, how, (self._parse_value(),))
        self._expect("{")
        values = []
        while not self._take("}"):
            values.append(self._parse_value())
            self._take(",")
        return _Compares(key, how, tuple(values))

    def _parse_value(self) -> str:
        kind, text = self._tokens.pop()
        if kind != "quoted":
            raise ValueError(text)
        return text[1:-1]


Labels = Mapping[str, str]

_POOL_NAME = expression(r"[\w.-]+(?:/\d+)?")


def does_select(selector: str, labels: Labels) -> bool:
    """Whether the selector fits these labels; one that is not understood is taken to fit."""
    return fits(selector, Subject(labels)) is not False


class Selection:
    """Finds the nodes that selectors fit: one that asks for a label's value need not look at all of them."""

    def __init__(self, nodes: Mapping[str, Labels]) -> None:
        """Take each node's labels."""
        self._nodes = nodes
        self._with: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, labels in nodes.items():
            for label in labels.items():
                self._with[label].append(name)

    def of(self, selector: str) -> Iterable[str]:
        """The nodes that it fits."""
        asked = find_required_label(selector)
        near = self._with.get(asked, ()) if asked else self._nodes
        return (name for name in near if does_select(selector, self._nodes[name]))


def parse_pool_annotation(written: str) -> list[str]:
    """The pools that the value of an annotation lists, by name or by range."""
    return _POOL_NAME.findall(written)


# Taints and tolerations: where pods are kept off nodes.
#
# Kubernetes sets and lifts these by itself; DaemonSet pods tolerate them.
_OWN_TAINTS = expression(r"node\.(?:kubernetes|cloudprovider)\.\w+/|node-role\.kubernetes\.io/")
_TOLERATION = expression(r"tolerations\[(\d+)\]\.(key|operator)$")
_VIRTUAL_NODES = ("fargate-", "virtual-node", "virtual-kubelet", "vk-")


def parse_taint_key(taint: str) -> str:
    """What stands before the value and the effect."""
    return taint.partition("=")[0].partition(":")[0]


def is_own_taint(key: str) -> bool:
    """Whether Kubernetes itself sets it."""
    return _OWN_TAINTS.match(key) is not None


def is_virtual_node(name: str) -> bool:
    """Whether no machine stands behind a node of this name."""
    return name.startswith(_VIRTUAL_NODES)


def find_tolerated_keys(document: Object) -> set[str]:
    """The keys that are tolerated; `*` for a toleration of everything, which has an operator but no key."""
    parts: dict[str, dict[str, str]] = {}
    for path, value in document.values.items():
        if found := _TOLERATION.search(path):
            parts.setdefault(found[1], {})[found[2]] = str(value)
    return {part.get("key", "*") for part in parts.values()}
