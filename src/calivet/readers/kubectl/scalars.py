"""Single values as YAML and JSON write them."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.facts.fact import Scalar

_WORDS: dict[str, Scalar] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "Null": None,
    "~": None,
    "": None,
}
# Eighteen digits are more than any field holds, and longer ones are text that happens to be digits.
_WHOLE = expression(r"^[-+]?(?:0|[1-9]\d{0,17})$")
_NUMERIC = frozenset("+-0123456789")
_FRACTION = expression(r"^[-+]?\d{1,18}\.\d{1,18}(?:[eE][-+]?\d{1,2})?$")


def scalar(text: str) -> Scalar:
    """The value of an unquoted word."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if _WHOLE.match(text):
        return int(text)
    return float(text) if _FRACTION.match(text) else text


def unquoted(text: str) -> str:
    """The text inside quotes, with its escapes resolved; damaged escapes stay as they are."""
    inner = text[1:-1] if len(text) > 1 and text[0] == text[-1] else text[1:]
    if text[:1] == "'":
        return inner.replace("''", "'")
    if "\\" not in text:
        return inner
    import json

    try:
        return str(json.loads(text))
    except ValueError:
        return inner
