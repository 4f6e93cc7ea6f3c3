"""fleet: many bundles into tables, and what the tables tell."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from calivet.catalogue.words import Words
from calivet.cli.complaining import complain
from calivet.cli.exits import FAILED, HEALTHY, CalivetError
from calivet.cli.knowledge import known_causes
from calivet.cli.program import called
from calivet.cli.progress import Progress
from calivet.cli.scaling import NEEDS_EXTRA, chosen_engine, travelling_causes
from calivet.fleet.survey import Survey, Tally, knowledge_mark

LISTED = 20
"""Failures named one by one; all of them are in the table of bundles."""
NO_BUNDLES = Words("no bundles there: {paths}", "没有找到诊断包：{paths}")
NO_SUCH = Words("{path}: no such file or directory", "{path}：文件或目录不存在")
DONE = Words(
    "{path}: {diagnosed} bundles diagnosed, {known} known already, {failed} failed",
    "{path}：诊断 {diagnosed} 个诊断包，{known} 个已有结果，{failed} 个失败",
)
MORE = Words("... and {count} more, in the table of bundles", "……另有 {count} 个，见 bundles 表")
NEXT = Words("next: {program} fleet report {path}", "下一步：{program} fleet report {path}")
LEFT_OFF = Words(
    "stopped early: what is done is kept in {path}.unfinished, and the same command goes on from there",
    "提前结束：已完成的部分保存在 {path}.unfinished，再次执行同一命令即可继续",
)
OTHER_TABLES = Words(
    "{path}: not written by this version of 'calivet fleet'; name another file",
    "{path}：不是本版本 'calivet fleet' 写出的文件，请换一个文件名",
)
NOT_USABLE = Words("{path}: cannot be used: {why}", "{path}：无法使用：{why}")


def run_fleet(options: argparse.Namespace) -> int:
    """`calivet fleet PATH... -o FILE`."""
    from calivet.fleet.store import Store
    from calivet.reports.fleet_work import Diagnosing

    paths = _bundles(options)
    with _storage(options.output, options):
        own = travelling_causes(options)
        with chosen_engine(options) as engine:
            store = Store(Path(options.output))
            survey = Survey(engine, store, knowledge_mark(own), Progress(options.lang))
            try:
                survey.run(paths, Diagnosing(options.lang, own))
                store.finish()
            except BaseException:
                store.close()
                complain(LEFT_OFF.fill({"path": options.output}).read(options.lang))
                raise
    return _told(survey.tally, options)


def run_fleet_report(options: argparse.Namespace) -> int:
    """`calivet fleet report FILE`."""
    from calivet.fleet.asking import summarise

    if not Path(options.file).exists():
        raise CalivetError(NO_SUCH.fill({"path": options.file}).read(options.lang))
    with _storage(options.file, options):
        summary = summarise(Path(options.file))
    titles = {cause.id: cause.title for cause in known_causes(options.causes).causes.values()}
    if options.output == "json":
        from calivet.reports.fleet_json import fleet_json

        sys.stdout.write(fleet_json(summary))
        return HEALTHY
    from calivet.reports.fleet_text import fleet_markdown, fleet_text

    if options.output == "md":
        sys.stdout.write(fleet_markdown(summary, titles, options.lang))
        return HEALTHY
    from calivet.cli.terminal import layout

    sys.stdout.write(fleet_text(summary, titles, layout(options)))
    return HEALTHY


def _bundles(options: argparse.Namespace) -> list[str]:
    from calivet.fleet.shelves import NoSuchPathError, find_bundles

    try:
        found = list(find_bundles(options.paths))
    except NoSuchPathError as missing:
        raise CalivetError(NO_SUCH.fill({"path": str(missing)}).read(options.lang)) from None
    if not found:
        raise CalivetError(NO_BUNDLES.fill({"paths": " ".join(options.paths)}).read(options.lang))
    return found


def _told(tally: Tally, options: argparse.Namespace) -> int:
    from calivet.reports.punctuation import told
    from calivet.reports.reasons import reason

    for bundle, why in list(tally.failed.items())[:LISTED]:
        complain(told(bundle, reason(why, options.lang), options.lang))
    if (more := len(tally.failed) - LISTED) > 0:
        complain(MORE.fill({"count": str(more)}).read(options.lang))
    figures = {"diagnosed": str(tally.diagnosed), "known": str(tally.known), "failed": str(len(tally.failed))}
    print(DONE.fill({"path": options.output, **figures}).read(options.lang))
    sys.stderr.write(NEXT.fill({"program": called(), "path": options.output}).read(options.lang) + "\n")
    return HEALTHY if tally.diagnosed or tally.known else FAILED


@contextmanager
def _storage(path: str, options: argparse.Namespace) -> Iterator[None]:
    """What is wrong with the file or with the disk, in one line."""
    if find_spec("duckdb") is None:
        raise CalivetError(NEEDS_EXTRA.fill({"extra": "fleet"}).read(options.lang))
    import duckdb

    from calivet.fleet.tables import OtherTablesError

    try:
        yield
    except OtherTablesError:
        raise CalivetError(OTHER_TABLES.fill({"path": path}).read(options.lang)) from None
    except (duckdb.Error, OSError) as error:
        first = str(error).partition("\n")[0]
        raise CalivetError(NOT_USABLE.fill({"path": path, "why": first}).read(options.lang)) from None
