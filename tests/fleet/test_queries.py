"""Which causes hit how many clusters and versions, and when."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from jsonschema import Draft202012Validator

from calivet.contract.documents import build_schemas
from calivet.contract.fleet import Possible, Share
from calivet.fleet.queries import summarize_file
from calivet.fleet.store import Store
from calivet.fleet.tables import BundleRow, CandidateRow, FindingRow, OtherTablesError
from calivet.messages.words import Words
from calivet.reports.fleet import encode_fleet, write_fleet, write_fleet_markdown
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wrapping import measure_width

duckdb = pytest.importorskip("duckdb", reason="the extra 'fleet' is not installed")
TITLES = {"swap": Words("Swap is on", "未关闭 swap")}


def bundle(name, cluster, verdict="fault", calico=None, kubernetes=None, day=None):
    collected = datetime.fromisoformat(day) if day else None
    return BundleRow(
        bundle=name,
        digest=name,
        cluster=cluster,
        verdict=verdict,
        calico=calico,
        kubernetes=kubernetes,
        collected=collected,
    )


def finding(name, cause="swap", nodes=(), title="As it was called"):
    return FindingRow(name, 1, cause, 0.9, title, "", list(nodes), later_healthy=False)


def stored(target, *bundles, failed=None):
    store = Store(target)
    for head, *about in bundles:
        store.add(
            head,
            {
                "findings": [one for one in about if isinstance(one, FindingRow)],
                "candidates": [one for one in about if isinstance(one, CandidateRow)],
            },
        )
    for name, why in (failed or {}).items():
        store.add(BundleRow(bundle=name, failed=why), {})
    store.finish()
    return target


@pytest.fixture(params=["f.duckdb", "f.parquet"])
def fleet(request, tmp_path):
    return stored(
        tmp_path / request.param,
        (
            bundle("a1", "ash", calico="v3.26.1", kubernetes="v1.28.4", day="2025-01-10"),
            finding("a1", nodes=["w1", "w2"]),
        ),
        (bundle("a2", "ash", calico="v3.26.1", kubernetes="v1.28.4", day="2026-02-01"), finding("a2", nodes=["w1"])),
        (bundle("b1", "birch", calico="v3.27.0", day="2026-02-03"), finding("b1"), finding("b1", "other")),
        (bundle("c1", "cedar", calico="v3.26.1", day="2026-01-03"), finding("c1", "other")),
        (bundle("c2", "cedar", "healthy", calico="v3.26.1", day="2026-02-03"),),
        (bundle("d1", "dogwood", "insufficient"), CandidateRow("d1", 1, "swap", 0.3)),
        failed={"e\u202e1": "is empty \x1b[2J"},
    )


class TestFigures:
    def test_a_cluster_counts_once(self, fleet):
        summary = summarize_file(fleet)
        assert (summary.bundles, summary.clusters, summary.undated) == (6, 4, 1)
        assert summary.verdicts == {"fault": 2, "healthy": 1, "insufficient": 1}
        swap, other = sorted(summary.causes, key=lambda cause: -cause.bundles)
        assert (swap.cause, swap.clusters, swap.bundles, swap.nodes) == ("swap", 2, 3, 2)
        assert (other.cause, other.clusters, other.bundles, other.nodes) == ("other", 2, 2, 0)
        assert summary.possible == [Possible("swap", 1)]
        assert [one.bundle for one in summary.failed] == ["e\u202e1"]

    def test_versions_are_shares_of_the_clusters_that_run_them(self, fleet):
        summary = summarize_file(fleet)
        swap = next(cause for cause in summary.causes if cause.cause == "swap")
        assert swap.calico == [Share("v3.26.1", 1, 2), Share("v3.27.0", 1, 1)]
        assert swap.kubernetes == [Share("v1.28.4", 1, 1)]
        assert summary.calico == [Share("v3.26.1", 2, 2), Share("v3.27.0", 1, 1)]

    def test_the_trend(self, fleet):
        summary = summarize_file(fleet)
        assert summary.unit == "month"
        assert [(str(one.begins), one.bundles, one.clusters, one.sick) for one in summary.periods] == [
            ("2025-01-01", 1, 1, 1),
            ("2026-01-01", 1, 1, 1),
            ("2026-02-01", 3, 3, 2),
        ]
        swap = next(cause for cause in summary.causes if cause.cause == "swap")
        assert swap.periods == [Share("2025-01-01", 1, 1), Share("2026-02-01", 2, 3)]

    @pytest.mark.parametrize(
        ("last", "unit"),
        [("2026-01-01", "day"), ("2026-02-01", "day"), ("2026-03-01", "week"), ("2026-12-01", "month")],
    )
    def test_periods_fit_the_time_that_is_spanned(self, tmp_path, last, unit):
        first, second = bundle("a", "ash", day="2026-01-01"), bundle("b", "ash", day=last)
        assert summarize_file(stored(tmp_path / "f.duckdb", (first,), (second,))).unit == unit

    def test_nothing_at_all(self, tmp_path):
        summary = summarize_file(stored(tmp_path / "f.duckdb"))
        assert (summary.bundles, summary.causes, summary.periods) == (0, [], [])
        assert write_fleet(summary, {}, Layout("en", 80, colour=False))


class TestStrangers:
    def test_other_tables(self, tmp_path):
        with duckdb.connect(str(tmp_path / "f.duckdb")) as database:
            database.execute("CREATE TABLE bundles (a INTEGER)")
        with pytest.raises(OtherTablesError):
            summarize_file(tmp_path / "f.duckdb")
        with pytest.raises(OtherTablesError):
            Store(tmp_path / "f.duckdb")

    def test_a_view_in_it_reads_no_file_of_the_reader(self, tmp_path):
        target, secret = stored(tmp_path / "f.duckdb"), tmp_path / "secret"
        secret.write_text("line\n")
        with duckdb.connect(str(target)) as database:
            columns = database.execute("DESCRIBE candidates").fetchall()
            wanted = ", ".join(f"CAST(NULL AS {kind}) AS {name}" for name, kind, *_ in columns if name != "cause")
            database.execute("DROP TABLE candidates")
            database.execute(
                f"CREATE VIEW candidates AS SELECT bundle, rank, content AS cause, confidence "
                f"FROM (SELECT {wanted}, content FROM read_text('{secret}'))"
            )
        with pytest.raises(duckdb.Error, match=r"(?i)permission|disabled"):
            summarize_file(target)


class TestReports:
    def test_on_a_terminal(self, fleet):
        text = write_fleet(summarize_file(fleet), TITLES, Layout("en", 90, colour=False))
        assert text.startswith("4 clusters, 6 bundles: 2 with a fault, 1 healthy, 1 unclear\n")
        assert " ✗ Swap is on (swap): 2 clusters, 3 bundles, 2 nodes\n" in text
        assert "     Calico      v3.26.1 (1 of 2), v3.27.0 (1 of 1)\n" in text
        assert "     By month    2025-01 (1 of 1), 2026-02 (2 of 3)\n" in text
        assert " ✗ As it was called (other)" in text
        assert all(measure_width(line) <= 90 for line in text.splitlines())

    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_nothing_in_it_acts_on_a_terminal_or_is_markup(self, tmp_path, language):
        hostile = "<script>\x1b[2J\u202e| `x` @everyone"
        head = bundle(hostile, "ash", calico=hostile, kubernetes=hostile, day="2026-01-01")
        target = stored(
            tmp_path / "f.duckdb", (head, finding(hostile, hostile, title=hostile)), failed={hostile + "2": hostile}
        )
        summary = summarize_file(target)
        for text in (
            write_fleet(summary, {}, Layout(language, 60, colour=False)),
            write_fleet_markdown(summary, {}, language),
        ):
            assert not any(letter in text for letter in ("\x1b", "\u202e"))
        assert "<script>" not in write_fleet_markdown(summary, {}, language).replace("\\<script\\>", "")

    def test_in_chinese(self, fleet):
        text = write_fleet(summarize_file(fleet), TITLES, Layout("zh", 90, colour=False))
        assert text.startswith("4 个集群，6 个诊断包：2 个有故障，1 个正常，1 个证据不足\n")
        assert "未关闭 swap（swap）：2 个集群，3 个诊断包，2 个节点" in text
        assert "按月" in text

    def test_as_markdown(self, fleet):
        text = write_fleet_markdown(summarize_file(fleet), TITLES, "en")
        assert "- Swap is on (swap): 2 clusters, 3 bundles, 2 nodes\n  - clusters: " in text
        assert "\n  - Calico: v3.26.1 (1 of 2), v3.27.0 (1 of 1)" in text

    def test_as_json(self, fleet):
        tree = json.loads(encode_fleet(summarize_file(fleet)))
        Draft202012Validator(json.loads(build_schemas()["fleet-1.schema.json"])).validate(tree)
        assert tree["schema"] == 1
        swap = next(cause for cause in tree["fleet"]["causes"] if cause["cause"] == "swap")
        assert swap["calico"][0] == {"of": "v3.26.1", "clusters": 1, "total": 2}
