"""fleet: many bundles into tables."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.cli.exits import FAILED, HEALTHY, CalivetError
from calivet.cli.inputs.engine import build_missing_message, open_chosen_engine, prepare_own_causes
from calivet.cli.invocation import find_program_name
from calivet.cli.parsing.options import add_common_options, add_engine_options, parse_table_file
from calivet.cli.terminal.output import clean_message, complain, print_text, tell
from calivet.cli.terminal.progress import Progress
from calivet.messages.command_line import quote
from calivet.messages.message import message, say

if TYPE_CHECKING:
    from calivet.fleet.store import Store
    from calivet.fleet.survey import Tally

LISTED = 20
"""Failures named one by one; all of them are in the table of bundles."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bundles, the file of tables, and where the work is done."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="help.bundles")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        type=parse_table_file,
        metavar="FILE.duckdb",
        help="help.fleet.output",
    )
    add_engine_options(parser)
    add_common_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet fleet PATH... -o FILE`."""
    from calivet.fleet.store import Store
    from calivet.fleet.survey import Survey, compute_knowledge_mark
    from calivet.fleet.work import DiagnoseBundle

    paths = _find_bundles(options)
    with use_tables(options.output):
        own = prepare_own_causes(options)
        with open_chosen_engine(options) as engine:
            store = Store(Path(options.output))
            survey = Survey(engine, store, compute_knowledge_mark(own), Progress(options.lang), options.lang)
            try:
                survey.run(paths, DiagnoseBundle(options.lang, own))
                store.finish()
            except BaseException:
                _keep_what_is_done(store, options)
                raise
    return _print_tally(survey.tally, options)


def _keep_what_is_done(store: Store, options: argparse.Namespace) -> None:
    """Where not even what is done can be written, the reason that ended the run says so."""
    import duckdb

    with suppress(duckdb.Error, OSError):
        store.close()
        complain(say("cli.fleet.left_off", options.lang, path=options.output))


def _find_bundles(options: argparse.Namespace) -> list[str]:
    from calivet.fleet.work import NoSuchPathError, find_bundles

    try:
        found = list(find_bundles(options.paths))
    except NoSuchPathError as missing:
        raise CalivetError(message("cli.fleet.no_such", path=str(missing))) from None
    if not found:
        raise CalivetError(message("cli.fleet.no_bundles", paths=" ".join(options.paths)))
    return found


def _print_tally(tally: Tally, options: argparse.Namespace) -> int:
    from calivet.reports.layout.wording import add_detail

    for bundle, why in list(tally.failed.items())[:LISTED]:
        complain(add_detail(bundle, why.read(options.lang), options.lang))
    if (more := len(tally.failed) - LISTED) > 0:
        complain(say("cli.fleet.more", options.lang, count=str(more)))
    figures = {"diagnosed": str(tally.diagnosed), "known": str(tally.known), "failed": str(len(tally.failed))}
    print_text(clean_message(say("cli.fleet.done", options.lang, path=options.output, **figures)) + "\n")
    what = say("cli.fleet.next", options.lang, program=find_program_name(), path=quote(options.output))
    tell(clean_message(what) + "\n")
    return HEALTHY if tally.diagnosed or tally.known else FAILED


@contextmanager
def use_tables(path: str) -> Iterator[None]:
    """What is wrong with the file or with the disk, in one line."""
    if find_spec("duckdb") is None:
        raise CalivetError(build_missing_message("duckdb"))
    import duckdb

    from calivet.fleet.tables import OtherTablesError

    try:
        yield
    except OtherTablesError:
        raise CalivetError(message("cli.fleet.other_tables", path=path)) from None
    except (duckdb.Error, OSError) as error:
        first = str(error).partition("\n")[0]
        raise CalivetError(message("cli.fleet.not_usable", path=path, why=first)) from None
