"""Where much work is done: the engine that the options ask for, and what a worker has to be told."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from calivet.cli.exits import CalivetError
from calivet.cli.inputs.knowledge import load_knowledge, read_own_files
from calivet.evidence.isolated_python import name_python
from calivet.messages.message import Message, message

if TYPE_CHECKING:
    from calivet.engines.engine import Engine, OwnFiles


def build_missing_message(package: str) -> Message:
    """How to get it into this very installation, from wherever its packages come; a binary has none to add to."""
    from importlib.util import find_spec

    if find_spec("pip") is None:
        return message("cli.engine.lacks_package", package=package)
    return message("cli.engine.needs_package", package=package, python=name_python())


@contextmanager
def open_chosen_engine(options: argparse.Namespace) -> Iterator[Engine]:
    """The engine, closed whatever happens."""
    from calivet.engines.choose import NotInstalledError, open_engine
    from calivet.engines.engine import EngineError, Limits

    if options.address and options.engine == "local":
        raise CalivetError(message("cli.engine.address_of_nothing"))
    try:
        limits = Limits(options.bundle_timeout, options.bundle_memory)
        with open_engine(options.engine, options.jobs, options.address, limits) as opened:
            yield opened
    except NotInstalledError as missing:
        raise CalivetError(build_missing_message(str(missing))) from None
    except EngineError as error:
        raise CalivetError(error.message) from None


def prepare_own_causes(options: argparse.Namespace) -> OwnFiles:
    """The user's own cause files, after they were tried here; so patterns are compiled once, not by every worker."""
    load_knowledge(options.causes, options.lang)
    return tuple(read_own_files(options.causes).items())
