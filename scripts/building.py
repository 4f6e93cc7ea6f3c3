"""Builds the package as setuptools does, and has it bring along what every user would have to make in the first run.

That is the catalogue, parsed and checked, the words that tell of each shipped pattern, and what Hyperscan made of them.
The last is of use for the same release of Hyperscan on the same kind of processor alone; elsewhere it is made anew.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - all other hooks of a builder

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))


def build_wheel(*details: Any, **more: Any) -> str:
    """Whatever pip installs is made of this one."""
    prepare_all()
    return str(build_meta.build_wheel(*details, **more))


def build_editable(*details: Any, **more: Any) -> str:
    """Sources that stay where they are find what is prepared beside them, as long as it is theirs."""
    prepare_all()
    return str(build_meta.build_editable(*details, **more))


def prepare_all() -> None:
    """Make it where calivet looks, as a first run would."""
    from calivet.readers import read
    from calivet.redaction import redactor
    from calivet.redaction.anonymize import name_places
    from calivet.search import automaton, cache
    from calivet.signs.sign_detector import prepare_detector

    with tempfile.TemporaryDirectory() as empty:
        os.environ["XDG_CACHE_HOME"] = empty
        cache.begin_to_prepare()
        prepare_detector()[1].make_ready()
        for load in (read.load_scanner, redactor.load_scanner, name_places.load_scanner):
            load()
        automaton.prepare_words()


if __name__ == "__main__":
    prepare_all()
