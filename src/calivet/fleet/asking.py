"""Asks the tables. Every count of clusters counts a cluster once, whatever number of bundles it sent."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calivet.fleet.rows import TABLES
from calivet.fleet.store import parquet_file
from calivet.fleet.summary import Cause, Failed, Period, Possible, Share, Summary
from calivet.fleet.tables import NO_EXTENSIONS, check, quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

UNITS = ((31, "day"), (26 * 7, "week"))
"""Up to so many days from the first to the last, a period is a day, or a week; beyond, a month."""
BY = ("calico", "kubernetes", "period")

DIAGNOSED = """
CREATE TEMP VIEW diagnosed AS
SELECT *, CAST(date_trunc('{unit}', collected) AS DATE) AS period FROM bundles WHERE failed IS NULL"""
HITS = "CREATE TEMP VIEW hits AS SELECT * FROM findings JOIN diagnosed USING (bundle)"
SPAN = "SELECT date_diff('day', min(collected), max(collected)) FROM bundles WHERE failed IS NULL"
TOTALS = "SELECT count(*), count(DISTINCT cluster), count(*) FILTER (collected IS NULL) FROM diagnosed"
VERDICTS = """
WITH latest AS
  (SELECT last(verdict ORDER BY collected NULLS FIRST, bundle) AS verdict FROM diagnosed GROUP BY cluster)
SELECT verdict, count(*) FROM latest GROUP BY verdict ORDER BY verdict"""
CAUSES = """
WITH by_node AS (SELECT *, unnest(if(len(nodes) = 0, [NULL], nodes)) AS node FROM hits)
SELECT cause, arg_max(title, bundle), count(DISTINCT cluster), count(DISTINCT bundle),
  count(DISTINCT (cluster, node)) FILTER (node IS NOT NULL)
FROM by_node GROUP BY cause ORDER BY 3 DESC, 4 DESC, 1"""
POSSIBLE = """
SELECT cause, count(DISTINCT cluster) FROM candidates JOIN diagnosed USING (bundle)
WHERE verdict = 'insufficient' GROUP BY cause ORDER BY 2 DESC, 1"""
SHARES = """
SELECT cause, CAST({by} AS VARCHAR), count(DISTINCT cluster), any_value(total)
FROM hits JOIN (SELECT {by}, count(DISTINCT cluster) AS total FROM diagnosed GROUP BY {by}) USING ({by})
GROUP BY cause, {by} ORDER BY cause, {by}"""
RUNNING = """
SELECT {by}, count(DISTINCT cluster) FILTER (verdict = 'fault'), count(DISTINCT cluster)
FROM diagnosed WHERE {by} IS NOT NULL GROUP BY {by} ORDER BY 3 DESC, 1"""
PERIODS = """
SELECT period, count(*), count(DISTINCT cluster), count(DISTINCT cluster) FILTER (verdict = 'fault')
FROM diagnosed WHERE collected IS NOT NULL GROUP BY period ORDER BY period"""
FAILED = "SELECT bundle, failed FROM bundles WHERE failed IS NOT NULL ORDER BY bundle"


def summarise(file: Path) -> Summary:
    """The figures of a file that `fleet` wrote."""
    database = _opened(file)
    try:
        return _summary(database)
    finally:
        database.close()


def _summary(database: DuckDBPyConnection) -> Summary:
    def ask(query: str, **words: str) -> list[Any]:
        return database.execute(query.format(**words)).fetchall()

    unit = _unit(ask(SPAN)[0][0])
    ask(DIAGNOSED, unit=unit)
    ask(HITS)
    ((bundles, clusters, undated),) = ask(TOTALS)
    shares = {by: _by_cause(ask(SHARES, by=by)) for by in BY}
    return Summary(
        bundles=bundles,
        clusters=clusters,
        verdicts=dict(ask(VERDICTS)),
        causes=[Cause(*row, *(shares[by][row[0]] for by in BY)) for row in ask(CAUSES)],
        possible=[Possible(*row) for row in ask(POSSIBLE)],
        calico=[Share(*row) for row in ask(RUNNING, by="calico")],
        kubernetes=[Share(*row) for row in ask(RUNNING, by="kubernetes")],
        unit=unit,
        periods=[Period(*row) for row in ask(PERIODS)],
        undated=undated,
        failed=[Failed(*row) for row in ask(FAILED)],
    )


def _by_cause(rows: list[tuple[str, str, int, int]]) -> dict[str, list[Share]]:
    found: dict[str, list[Share]] = defaultdict(list)
    for cause, of, clusters, total in rows:
        found[cause].append(Share(of, clusters, total))
    return found


def _unit(days: int | None) -> str:
    return next((unit for most, unit in UNITS if (days or 0) <= most), "month")


def _opened(file: Path) -> DuckDBPyConnection:
    """A file may come from a stranger: it is only read, and nothing in it reaches beyond it."""
    import duckdb

    if file.is_dir():
        database = duckdb.connect(config={**NO_EXTENSIONS})
        for table in TABLES:
            database.execute(f"CREATE TABLE {table} AS FROM read_parquet({quoted(parquet_file(file, table))})")
    else:
        database = duckdb.connect(str(file), read_only=True, config={**NO_EXTENSIONS, "enable_external_access": False})
    check(database)
    return database
