"""Calico's label selectors, as far as they are written in plain terms."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression

_TERM = expression(
    r"(?P<not>!\s*)?has\((?P<has>[\w./-]+)\)"
    r"|(?P<key>[\w./-]+)\s*(?P<operator>==|!=)\s*[\"'](?P<value>[^\"']*)[\"']"
)


def selects(selector: str, labels: dict[str, str]) -> bool:
    """Whether the selector fits these labels; one that is not understood is taken to fit."""
    if "all()" in selector and "!" not in selector:
        return True
    if "||" in selector or "(" in _TERM.sub("", selector) or " in " in selector:
        return True
    terms = list(_TERM.finditer(selector))
    return not terms or all(_fits(term, labels) for term in terms)


def _fits(term: re.Match[str], labels: dict[str, str]) -> bool:
    if term["has"]:
        return (term["has"] in labels) != bool(term["not"])
    return (labels.get(term["key"]) == term["value"]) == (term["operator"] == "==")
