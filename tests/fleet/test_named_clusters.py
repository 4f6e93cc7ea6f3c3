"""What a platform team asks first: which clusters have which cause, since when, on how many nodes."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import calivet
from tests.fleet.made_up import archive, text

pytest.importorskip("duckdb", reason="the tables of a fleet need DuckDB")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    root = tmp_path_factory.mktemp("fleet")
    oak = {"context": "prod-oak", "server": "https://oak.example:6443"}
    elm = {"context": "prod-elm", "server": "https://elm.example:6443"}
    archive(
        root / "b" / "oak-1.tar.gz", text("oak", 1, sick=False, calico="v3.9.0"), "2026-03-01T00:00:00+00:00", **oak
    )
    archive(root / "b" / "oak-2.tar.gz", text("oak", 1, sick=True, calico="v3.9.0"), "2026-03-02T00:00:00+00:00", **oak)
    archive(root / "b" / "oak-3.tar.gz", text("oak", 1, sick=True, calico="v3.9.0"), "2026-03-03T00:00:00+00:00", **oak)
    archive(
        root / "b" / "elm-1.tar.gz", text("elm", 2, sick=True, calico="v3.10.2"), "2026-03-01T00:00:00+00:00", **elm
    )
    archive(
        root / "b" / "elm-2.tar.gz", text("elm", 2, sick=False, calico="v3.10.2"), "2026-03-04T00:00:00+00:00", **elm
    )
    file = root / "fleet.duckdb"
    run = calivet("fleet", root / "b", "-o", file, "--jobs", 1)
    assert run.code == 0, run.err
    return file


def test_the_text_names_them_with_the_day_since_when(tables):
    out = calivet("fleet", "report", tables, "--width", 120).out
    assert "prod-oak (since 2026-03-02" in out
    assert "prod-elm (since 2026-03-01" in out
    assert out.index("prod-oak") < out.index("prod-elm"), "what is there now comes first"
    assert "not in its last bundle" in out
    assert "自 2026-03-02" in calivet("fleet", "report", tables, "--lang", "zh").out


def test_versions_are_sorted_as_versions(tables):
    summary = json.loads(calivet("fleet", "report", tables, "-o", "json").out)["fleet"]
    assert [one["of"] for one in summary["calico"]] == ["v3.9.0", "v3.10.2"]
    (cause,) = summary["causes"]
    assert [(one["cluster"], one["now"], one["bundles"]) for one in cause["hit"]] == [
        ("prod-oak", True, 2),
        ("prod-elm", False, 1),
    ]


def test_the_page_has_a_row_for_each_and_filters(tables):
    page = calivet("fleet", "report", tables, "-o", "html").out
    assert page.startswith("<!DOCTYPE html>")
    assert page.count('<tr class="now" data-cause="kubelet-swap-on">') == 1
    assert page.count('<tr class="over" data-cause="kubelet-swap-on">') == 1
    assert 'id="filter"' in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_metrics_tell_what_is_there_now(tables):
    out = calivet("fleet", "report", tables, "-o", "prom").out
    assert 'calivet_fleet_cause_clusters{cause="kubelet-swap-on"} 1' in out
    assert 'calivet_fleet_cause_nodes{cluster="prod-oak",cause="kubelet-swap-on"}' in out
    assert "prod-elm" not in out
