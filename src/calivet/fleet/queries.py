"""Asks the tables. Every count of clusters counts a cluster once, whatever number of bundles it sent."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from calivet.contract.fleet import Cause, Failed, Hit, Period, Possible, Share, Summary
from calivet.fleet.tables import open_tables
from calivet.search.expressions import expression

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FIGURES = expression(r"\d{1,9}")
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
NAMED = """
WITH named AS (
  SELECT cluster, last(bundle ORDER BY collected NULLS FIRST, bundle) AS newest,
    coalesce(last(context ORDER BY collected NULLS FIRST, bundle) FILTER (context IS NOT NULL),
      last(server ORDER BY collected NULLS FIRST, bundle) FILTER (server IS NOT NULL),
      last(bundle ORDER BY collected NULLS FIRST, bundle)) AS name
  FROM diagnosed GROUP BY cluster)
SELECT cause, name, CAST(min(collected) AS DATE), CAST(max(collected) AS DATE), count(DISTINCT bundle),
  last(len(nodes) ORDER BY collected NULLS FIRST, bundle), bool_or(bundle = newest),
  last(calico ORDER BY collected NULLS FIRST, bundle), last(kubernetes ORDER BY collected NULLS FIRST, bundle)
FROM hits JOIN named USING (cluster) GROUP BY cause, cluster, name ORDER BY cause, 7 DESC, 3 NULLS LAST, name"""
PERIODS = """
SELECT period, count(*), count(DISTINCT cluster), count(DISTINCT cluster) FILTER (verdict = 'fault')
FROM diagnosed WHERE collected IS NOT NULL GROUP BY period ORDER BY period"""
FAILED = "SELECT bundle, failed FROM bundles WHERE failed IS NOT NULL ORDER BY bundle"


def summarize_file(file: Path) -> Summary:
    """The figures of a file that `fleet` wrote."""
    database = open_tables(file)
    try:
        return _summarize(database)
    finally:
        database.close()


def _summarize(database: DuckDBPyConnection) -> Summary:
    def ask(query: str, **words: str) -> list[Any]:
        return database.execute(query.format(**words)).fetchall()

    unit = _choose_unit(ask(SPAN)[0][0])
    ask(DIAGNOSED, unit=unit)
    ask(HITS)
    ((bundles, clusters, undated),) = ask(TOTALS)
    shares = {by: _group_by_cause(ask(SHARES, by=by)) for by in BY}
    hit: dict[str, list[Hit]] = defaultdict(list)
    for cause, *row in ask(NAMED):
        hit[cause].append(Hit(*row))
    return Summary(
        bundles=bundles,
        clusters=clusters,
        verdicts=dict(ask(VERDICTS)),
        causes=[
            structs.replace(Cause(*row, *(shares[by][row[0]] for by in BY)), hit=hit[row[0]]) for row in ask(CAUSES)
        ],
        possible=[Possible(*row) for row in ask(POSSIBLE)],
        calico=_sort_by_version([Share(*row) for row in ask(RUNNING, by="calico")]),
        kubernetes=_sort_by_version([Share(*row) for row in ask(RUNNING, by="kubernetes")]),
        unit=unit,
        periods=[Period(*row) for row in ask(PERIODS)],
        undated=undated,
        failed=[Failed(*row) for row in ask(FAILED)],
    )


def _group_by_cause(rows: list[tuple[str, str, int, int]]) -> dict[str, list[Share]]:
    found: dict[str, list[Share]] = defaultdict(list)
    for cause, of, clusters, total in rows:
        found[cause].append(Share(of, clusters, total))
    return defaultdict(list, {cause: _sort_by_version(listed) for cause, listed in found.items()})


def _sort_by_version(shares: list[Share]) -> list[Share]:
    """As versions are counted: v3.9.0 before v3.10.0; days stay in their order."""
    return sorted(shares, key=lambda share: ([int(figure) for figure in _FIGURES.findall(share.of)], share.of))


def _choose_unit(days: int | None) -> str:
    return next((unit for most, unit in UNITS if (days or 0) <= most), "month")
