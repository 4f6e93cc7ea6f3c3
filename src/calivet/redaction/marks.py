"""The marks that stand in place of secrets: the same secret, the same mark, everywhere."""

from __future__ import annotations

from collections import Counter

from calivet.evidence.expressions import expression

OPENING = "<redacted-"
ANY_MARK = rf"{OPENING}[a-z-]+-\d{{1,9}}>"
# Free of blanks, quotes, commas and colons, so that tables, YAML, JSON, URLs and logs stay readable.
MARK = expression(rf"{OPENING}(?P<kind>[a-z]+(?:-[a-z]+)*)-(?P<number>\d{{1,9}})>")


class Marks:
    """Gives out marks and remembers them."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()

    def mark(self, kind: str, secret: str) -> str:
        """The mark of this secret. What kind it is was settled where it was met first."""
        if secret not in self._given:
            self._numbers[kind] += 1
            self._kinds[secret] = kind
            self._given[secret] = f"<redacted-{kind}-{self._numbers[kind]}>"
        return self._given[secret]

    def kind(self, secret: str) -> str:
        """What kind a secret was when it was met first."""
        return self._kinds[secret]

    def seen(self, line: str) -> None:
        """Marks that an earlier run left in the text keep their numbers to themselves."""
        for mark in MARK.finditer(line):
            self._numbers[mark["kind"]] = max(self._numbers[mark["kind"]], int(mark["number"]))

    def secrets(self) -> dict[str, str]:
        """Every secret met so far, with its mark."""
        return self._given
