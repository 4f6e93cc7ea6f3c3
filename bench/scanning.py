"""Reads logs with a catalogue of any number of patterns: `python scanning.py NUMBER LOGS`.

Beyond those that are shipped they are made up: the same patterns with other words in them.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator
from itertools import count, islice

from msgspec.structs import replace

from calivet.catalogue.load import load_ready_catalogue
from calivet.evidence.gather import gather
from calivet.signs.sighting import Observation, is_in_scope, list_observations
from calivet.signs.sign_detector import PatternScanner

_NAME = re.compile(r"\(\?P<\w+>")
_WORD = re.compile(r"(?<![\\\w])[A-Za-z]{4,}")


def growing() -> Iterator[Observation]:
    """The shipped ones that are looked for in logs, then the same with their letters moved on by one, two, ..."""
    wanted = [item for item in list_observations(load_ready_catalogue()) if item.what.pattern]
    shipped = [item for item in wanted if is_in_scope(item.what.scope, prose=False)]
    yield from shipped
    for distance in count(1):
        for item in shipped:
            made_up = moved(str(item.what.pattern), distance)
            yield replace(item, what=replace(item.what, pattern=made_up))


def moved(pattern: str, distance: int) -> str:
    """The same shape with words that nobody logs; names of groups are left out."""
    letters = string.ascii_lowercase
    shifted = letters[distance % 26 :] + letters[: distance % 26]
    table = str.maketrans(letters + letters.upper(), shifted + shifted.upper())
    return _WORD.sub(lambda word: word[0].translate(table), _NAME.sub("(?:", pattern))


def main(number: str, logs: str) -> None:
    """One run."""
    lookout = PatternScanner("bench", list(islice(growing(), int(number))))
    print(len(gather([logs], matcher=lookout).artifacts))


if __name__ == "__main__":
    main(*sys.argv[1:])
