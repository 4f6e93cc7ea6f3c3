"""What a fleet's tables tell, as the JSON that scripts rely on. Fields may be added, never changed in meaning."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct

from calivet import __version__
from calivet.fleet.summary import Summary

VERSION: Final = 1


class Document(Struct):
    """What `calivet fleet report -o json` prints."""

    schema: Literal[1]
    calivet: str
    fleet: Summary


def fleet_json(summary: Summary) -> str:
    """One JSON document."""
    document = Document(VERSION, __version__, summary)
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
