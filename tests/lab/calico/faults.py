"""The table of faults: how each is brought about, which cause accounts for it, and what must not be blamed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct, convert, field

HEALTHY = "healthy"


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """One row."""

    name: str
    cause: str
    """What accounts for it, or `healthy`."""
    node: str = "n2"
    """Where it is, or one of its nodes."""
    kind: str = "bgp"
    """Which cluster it is done to."""
    before: tuple[dict[str, Any], ...] = ()
    """Steps taken before Calico starts."""
    steps: tuple[dict[str, Any], ...] = ()
    """Steps taken once all is well."""
    wait: float = 25
    """Seconds from the last step until calivet looks."""
    also: tuple[str, ...] = ()
    """Other fair answers."""
    since: str = "0"
    until: str = "99"
    """Releases in which this is so, the first two numbers."""
    hidden: tuple[str, ...] = field(default=())
    """Ways of looking from which nobody could tell: `live`, `node`."""
    lost: bool = False
    """The API server does not answer in it."""

    def fits(self, release: str) -> bool:
        """Whether it is so in a release."""
        return _number(self.since) <= _number(release)[:2] <= _number(self.until)


def _number(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.removeprefix("v").split("."))


def read_faults() -> list[Fault]:
    """All rows, in the order of the table."""
    text = Path(__file__).with_name("faults.yaml").read_text("utf-8")
    return convert(yaml.safe_load(text), list[Fault])


FAULTS = read_faults()
