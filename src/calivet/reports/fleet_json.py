"""What a fleet's tables tell, as the JSON that scripts rely on. Fields may be added, never changed in meaning."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from calivet import __version__
from calivet.fleet.summary import Summary
from calivet.reports.plain_json import plain_json

VERSION: Final = 1


class Document(Struct):
    """What `calivet fleet report -o json` prints."""

    schema: Annotated[Literal[1], Meta(description="The version of this contract.")]
    calivet: Annotated[str, Meta(description="The version of calivet that wrote it.")]
    fleet: Annotated[Summary, Meta(description="What the tables tell.")]


def fleet_json(summary: Summary) -> str:
    """One JSON document."""
    return plain_json(Document(VERSION, __version__, summary)) + "\n"
