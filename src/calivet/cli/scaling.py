"""Where much work is done: the engine that the options ask for, and what a worker has to be told."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from calivet.catalogue.words import Words
from calivet.cli.exits import CalivetError
from calivet.cli.knowledge import knowledge
from calivet.cli.own_causes import own_files

if TYPE_CHECKING:
    from calivet.engines.engine import Engine
    from calivet.engines.knowledge import OwnFiles

NEEDS_EXTRA = Words(
    "this needs an extra that is not installed: pip install 'calivet[{extra}]'",
    "缺少可选组件，请先安装：pip install 'calivet[{extra}]'",
)
ADDRESS_OF_NOTHING = Words(
    "--address names a cluster of Ray or Dask: say which with --engine ray or --engine dask",
    "--address 指的是 Ray 或 Dask 集群：请用 --engine ray 或 --engine dask 指明",
)


@contextmanager
def chosen_engine(options: argparse.Namespace) -> Iterator[Engine]:
    """The engine, closed whatever happens."""
    from calivet.engines.choose import NotInstalledError, engine
    from calivet.engines.engine import EngineError

    if options.address and options.engine == "local":
        raise CalivetError(ADDRESS_OF_NOTHING.read(options.lang))
    try:
        with engine(options.engine, options.jobs, options.address) as opened:
            yield opened
    except NotInstalledError as missing:
        raise CalivetError(NEEDS_EXTRA.fill({"extra": str(missing)}).read(options.lang)) from None
    except EngineError as error:
        raise CalivetError(str(error)) from None


def travelling_causes(options: argparse.Namespace) -> OwnFiles:
    """The user's own cause files, after they were tried here; so patterns are compiled once, not by every worker."""
    knowledge(options.causes)
    return tuple(own_files(options.causes).items())
