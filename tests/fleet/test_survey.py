"""From bundles to tables: each once, resumable, and nothing half under the name that was asked for."""

from __future__ import annotations

import os

import pytest

from calivet.engines.engine import Local
from calivet.fleet.store import Store
from calivet.fleet.survey import Survey, compute_knowledge_mark
from calivet.fleet.work import DiagnoseBundle
from tests.engines.works import Inline
from tests.fleet.made_up import SWAP, archive, folder, shelf, text

duckdb = pytest.importorskip("duckdb", reason="the extra 'fleet' is not installed")
WORK = DiagnoseBundle("en")


class Quiet:
    def phase(self, name, total):
        pass

    def step(self, name, says=""):
        pass

    def finish(self):
        pass


def surveyed(target, paths, work=WORK, mark="now", engine=None):
    store = Store(target)
    survey = Survey(engine or Inline(), store, mark, Quiet())
    survey.run([str(path) for path in paths], work)
    store.finish()
    return survey.tally


def rows(target, query):
    with duckdb.connect(str(target), read_only=True) as database:
        return database.execute(query).fetchall()


@pytest.fixture
def bundles(tmp_path):
    return sorted(shelf(tmp_path / "shelf").iterdir())


@pytest.fixture
def target(tmp_path):
    return tmp_path / "it's fleet.duckdb"


class TestTables:
    def test_typed_rows_of_every_kind(self, bundles, target):
        tally = surveyed(target, bundles)
        assert (tally.diagnosed, tally.known, tally.failed) == (5, 1, {})
        assert rows(
            target, "SELECT cause, count(DISTINCT cluster) FROM findings JOIN bundles USING (bundle) GROUP BY cause"
        ) == [("kubelet-swap-on", 3)]
        name = str(bundles[2])
        ((collected, calico, kubernetes, healthy),) = rows(
            target, f"SELECT collected, calico, kubernetes, healthy_nodes FROM bundles WHERE bundle = '{name}'"
        )
        assert (calico, kubernetes, healthy) == ("v3.27.0", "v1.28.4", 2)
        assert str(collected) == "2026-02-20 23:00:00"
        assert (name, "containerd", "1.7.12", 2) in rows(target, "FROM versions")
        assert (name, "birch-w1", True) in rows(target, "FROM nodes")
        assert rows(target, f"SELECT good FROM components WHERE bundle = '{name}' AND component = 'calico-node'") == [
            (True,)
        ]

    def test_bundles_of_one_cluster_have_one_name_for_it(self, bundles, target):
        surveyed(target, bundles)
        clusters = dict(rows(target, "SELECT parse_filename(bundle), cluster FROM bundles"))
        assert clusters["a1.tar.gz"] == clusters["a2.tar.gz"] != clusters["b1.tar.gz"]
        assert len(set(clusters.values())) == 4

    def test_only_the_owner_may_read_it(self, bundles, target):
        surveyed(target, bundles[:1])
        assert target.stat().st_mode & 0o077 == 0

    def test_the_same_as_parquet(self, bundles, tmp_path):
        surveyed(tmp_path / "f.duckdb", bundles)
        surveyed(tmp_path / "f.parquet", bundles)
        for table in ("bundles", "findings", "versions"):
            stored = duckdb.sql(f"FROM '{tmp_path}/f.parquet/{table}.parquet' ORDER BY ALL").fetchall()
            assert stored == rows(tmp_path / "f.duckdb", f"FROM {table} ORDER BY ALL") != []


class TestGoingOn:
    @pytest.mark.parametrize("name", ["f.duckdb", "f.parquet"])
    def test_what_is_known_is_not_done_again(self, bundles, tmp_path, name):
        surveyed(tmp_path / name, bundles[:3])
        tally = surveyed(tmp_path / name, bundles)
        assert (tally.diagnosed, tally.known) == (2, 4)
        assert surveyed(tmp_path / name, bundles).diagnosed == 0
        assert {path.name for path in tmp_path.iterdir()} == {name, "shelf"}

    def test_moved_is_still_known_and_changed_is_not(self, bundles, target):
        surveyed(target, bundles[:1])
        moved = bundles[0].rename(bundles[0].with_name("moved.tar.gz"))
        assert surveyed(target, [moved]).known == 1
        archive(bundles[0], text("ash", 1, sick=False))
        assert surveyed(target, bundles[:1]).diagnosed == 1
        assert rows(target, "SELECT verdict FROM bundles") == [("healthy",)]

    def test_another_catalogue_asks_again_and_nothing_stands_twice(self, bundles, target):
        surveyed(target, bundles[:2])
        moved = bundles[0].rename(bundles[0].with_name("moved.tar.gz"))
        assert surveyed(target, [moved, bundles[1]], mark="later").diagnosed == 2
        assert rows(target, "SELECT count(*), count(DISTINCT digest) FROM bundles") == [(2, 2)]
        assert rows(target, "SELECT count(*) FROM findings") == [(1,)]
        assert (
            compute_knowledge_mark(())
            != compute_knowledge_mark((("own.yaml", b""),))
            != compute_knowledge_mark((("own.yaml", b"x"),))
        )

    def test_a_run_that_ends_early_is_gone_on_with(self, bundles, target):
        class Interrupted(Inline):
            def run(self, work, paths):
                for number, found in enumerate(super().run(work, paths)):
                    if work is WORK and number == 2:
                        raise KeyboardInterrupt
                    yield found

        store = Store(target)
        with pytest.raises(KeyboardInterrupt):
            Survey(Interrupted(), store, "now", Quiet()).run([str(path) for path in bundles], WORK)
        store.close()
        assert not target.exists()
        tally = surveyed(target, bundles)
        assert (tally.diagnosed, tally.known) == (3, 3)

    def test_an_interrupt_while_rows_are_written_leaves_whole_bundles(self, bundles, target, monkeypatch):
        def interrupted(*_):
            monkeypatch.undo()
            raise KeyboardInterrupt

        surveyed(target, bundles[:1])
        store = Store(target)
        Survey(Inline(), store, "now", Quiet()).run([str(bundles[1])], WORK)
        monkeypatch.setattr("calivet.fleet.store.insert_rows", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.flush()
        store.close()
        assert surveyed(target, bundles[:2]).known == 2


class TestFailures:
    def test_they_are_listed_and_tried_again(self, bundles, target, tmp_path):
        bad = tmp_path / "bad\x1b[31m.tar.gz"
        bad.write_bytes(b"")
        tally = surveyed(target, [bad, *bundles, tmp_path / "absent"])
        assert tally.diagnosed == 5
        assert sorted(map(str, tally.failed.values())) == ["No such file or directory", "is empty"]
        assert not any("\x1b" in name for name in tally.failed)
        assert rows(target, "SELECT count(*) FROM bundles WHERE failed IS NOT NULL") == [(2,)]
        archive(bad, SWAP + "\n")
        assert surveyed(target, [bad]).diagnosed == 1
        assert rows(target, "SELECT count(*) FROM bundles WHERE failed IS NOT NULL") == [(1,)]

    def test_hostile_evidence_is_stored_as_plain_text(self, target, tmp_path):
        hostile = "node\u202e'); DROP TABLE bundles; --<script>"
        place = folder(tmp_path, hostile, f"{SWAP}\x1b[2J\0 {'x' * (1 << 21)}\n" + text(hostile, 9, sick=True))
        assert surveyed(target, [place]).diagnosed == 1
        stored = str(rows(target, "FROM bundles") + rows(target, "FROM findings") + rows(target, "FROM nodes"))
        assert not any(letter in stored for letter in ("\u202e", "\x1b", "\0"))

    def test_a_bundle_that_kills_its_worker_costs_only_itself(self, bundles, target):
        tally = surveyed(target, bundles, work=deadly, engine=Local(2))
        assert (tally.diagnosed, len(tally.failed)) == (4, 1)
        assert "died" in rows(target, "SELECT failed FROM bundles WHERE failed IS NOT NULL")[0][0]


def deadly(path):
    if path.endswith("b1.tar.gz"):
        os.abort()
    return WORK(path)
