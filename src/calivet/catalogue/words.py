"""Text in both languages, and the filling-in of names."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from calivet.evidence.expressions import expression

# Only {lower_case} is a place to fill, so that JSON and shell braces in commands stay as they are, and curl's %{code}.
PLACE = expression(r"(?<![%$])\{([a-z][a-z_]*)\}")
PROVEN = "proven_"
_NAME = expression(r"[\w./:][\w./:@%+,=-]*")
_DURATION = expression(r"([\d.,]+) (s|min|h|d)")
_GAP = expression(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_CHINESE_UNITS = {"s": "秒", "min": "分钟", "h": "小时", "d": "天"}


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """The same text in English and in Chinese."""

    en: str
    zh: str

    def read(self, language: str) -> str:
        """The text in this language."""
        return self.zh if language == "zh" else self.en

    def fill(self, values: Mapping[str, str]) -> Words:
        """The text with its places filled; a place with no value becomes <name>."""
        chinese = fill(self.zh, {name: _chinese(value) for name, value in values.items()})
        return Words(fill(self.en, values), _GAP.sub("", chinese))


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put the values in; what is not known shows as <name>, so that nobody pastes a command half filled."""
    return PLACE.sub(lambda place: values.get(place[1]) or f"<{place[1]}>", template)


def fill_command(template: str, values: Mapping[str, str]) -> str:
    """The same for what will be pasted into a shell: evidence comes from strangers, and a node may be named $(reboot).

    What a shell or a program could take for more than a name counts as not known; what is proven is quoted already.
    """
    safe = {name: value for name, value in values.items() if name.startswith(PROVEN) or _NAME.fullmatch(value)}
    return fill(template, safe)


def _chinese(value: str) -> str:
    """A duration such as `5 min` has a word for its unit; names and figures stay as they are."""
    found = _DURATION.fullmatch(value)
    return f"{found[1]} {_CHINESE_UNITS[found[2]]}" if found else value


def places(template: str) -> set[str]:
    """The names of the places in a template."""
    return set(PLACE.findall(template))
