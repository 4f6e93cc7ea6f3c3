"""Text in both languages, and the filling-in of names."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from calivet.evidence.expressions import expression

# Only {lower_case} is a place to fill, so that JSON and shell braces in commands stay as they are, and curl's %{code}.
PLACE = expression(r"(?<![%$])\{([a-z][a-z_]*)\}")


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """The same text in English and in Chinese."""

    en: str
    zh: str

    def read(self, language: str) -> str:
        """The text in this language."""
        return self.zh if language == "zh" else self.en

    def fill(self, values: Mapping[str, str]) -> Words:
        """The text with its places filled; a place with no value becomes <name>."""
        return Words(fill(self.en, values), fill(self.zh, values))


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put the values in; what is not known shows as <name>, so that nobody pastes a command half filled."""
    return PLACE.sub(lambda place: values.get(place[1]) or f"<{place[1]}>", template)


def places(template: str) -> set[str]:
    """The names of the places in a template."""
    return set(PLACE.findall(template))
