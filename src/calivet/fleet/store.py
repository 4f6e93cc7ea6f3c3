"""The tables on disk, in DuckDB. They grow in a file beside, which takes the name that was asked for when all is done.

A run that ends early leaves that file behind, and the next run goes on with it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from calivet.fleet.tables import (
    BUNDLES,
    NO_EXTENSIONS,
    PARQUET,
    TABLES,
    BundleRow,
    Rows,
    check_tables,
    count_rows,
    count_table_rows,
    create_tables,
    insert_rows,
    locate_parquet,
    quote_path,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PRIVATE = 0o077
"""Taken from the rights of every file that comes to be while tables grow, DuckDB's own files beside them included."""
BATCH = 32
"""Bundles written at once: the most that are lost when calivet is killed."""


class IncompleteError(OSError):
    """What was written is not what is on the disk."""


class Store:
    """The tables while they grow."""

    def __init__(self, target: Path) -> None:
        """Go on with what an earlier run left behind, or with what is there under the name itself."""
        self._target = target
        self._umask = os.umask(PRIVATE)
        self._working = target.with_name(f"{target.name}.unfinished")
        self._waiting: list[tuple[BundleRow, Rows]] = []
        try:
            if not self._working.exists():
                _prepare(target, self._working)
            self._database = _connect(self._working)
            check_tables(self._database)
        except BaseException:
            _discard(_name_fresh(self._working))
            os.umask(self._umask)
            raise

    def known(self, knowledge: str) -> set[str]:
        """The content that was diagnosed already, with the same knowledge."""
        query = "SELECT digest FROM bundles WHERE failed IS NULL AND knowledge = ?"
        return {digest for (digest,) in self._database.execute(query, [knowledge]).fetchall()}

    def add(self, bundle: BundleRow, about: Rows) -> None:
        """A bundle and the rows about it, in place of those it had."""
        self._waiting.append((bundle, about))
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what waits, whole bundles or nothing."""
        if not self._waiting:
            return
        self._database.begin()
        try:
            self._write()
        except BaseException:
            self._database.rollback()
            raise
        self._database.commit()
        self._waiting = []

    def _write(self) -> None:
        bundles = [bundle for bundle, _ in self._waiting]
        self._forget(bundles)
        insert_rows(self._database, BUNDLES, bundles)
        for table in TABLES:
            if found := [row for _, about in self._waiting for row in about.get(table, [])]:
                insert_rows(self._database, table, found)

    def _forget(self, bundles: list[BundleRow]) -> None:
        """What is told of bundles of the same name, and of the same content that lay elsewhere."""
        named, alike = [one.bundle for one in bundles], [one.digest for one in bundles]
        query = "SELECT bundle FROM bundles WHERE bundle IN (SELECT unnest(?)) OR digest IN (SELECT unnest(?))"
        old = [name for (name,) in self._database.execute(query, [named, alike]).fetchall()]
        for table in TABLES if old else ():
            self._database.execute(f"DELETE FROM {table} WHERE bundle IN (SELECT unnest(?))", [old])  # noqa: S608 - our own names

    def close(self) -> None:
        """Leave off here; the next run goes on."""
        try:
            self.flush()
        finally:
            self._end()

    def finish(self) -> None:
        """All is done: under the name that was asked for, once it is seen that all is there."""
        self.flush()
        expected = {table: count_table_rows(self._database, table) for table in TABLES}
        # Closing does it too, but says nothing where the disk is full: then the rows stay in a file beside.
        self._database.execute("CHECKPOINT")
        if self._target.suffix != PARQUET:
            self._end()
            _sync_file(self._working)
            _compare(expected, self._working)
            self._working.replace(self._target)
            return
        written = self._working.with_name(f"{self._working.name}.written")
        _export(self._database, written)
        for table in TABLES:
            _sync_file(locate_parquet(written, table))
        _compare(expected, written)
        self._end()
        _take_place(written, self._target)
        self._working.unlink()

    def _end(self) -> None:
        self._database.close()
        os.umask(self._umask)


def _compare(expected: dict[str, int], written: Path) -> None:
    """Read anew from the disk: each table has as many rows as were put into it."""
    found = count_rows(written)
    if missing := [table for table, count in expected.items() if found[table] != count]:
        tables = ", ".join(f"{table}: {found[table]} of {expected[table]}" for table in missing)
        raise IncompleteError(f"the disk did not keep all rows ({tables})")


def _sync_file(file: Path) -> None:
    """A disk may say only now that it has no room, or that it fails."""
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def _prepare(target: Path, working: Path) -> None:
    """Made under a third name, so that a file to go on with is never half of one. Only the owner may read it."""
    fresh = _name_fresh(working)
    _discard(fresh)
    _log_of(working).unlink(missing_ok=True)
    if target.is_file():
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        shutil.copyfile(target, fresh)
    else:
        database = _connect(fresh)
        fresh.chmod(0o600)
        create_tables(database)
        for table in TABLES if target.is_dir() else ():
            database.execute(
                f"INSERT INTO {table} BY NAME FROM read_parquet({quote_path(locate_parquet(target, table))})"
            )
        database.execute("CHECKPOINT")
        database.close()
    fresh.replace(working)


def _name_fresh(working: Path) -> Path:
    return working.with_name(f"{working.name}.new")


def _discard(database: Path) -> None:
    for leftover in (database, _log_of(database)):
        leftover.unlink(missing_ok=True)


def _log_of(database: Path) -> Path:
    """Where DuckDB keeps rows until they are in the file itself."""
    return database.with_name(f"{database.name}.wal")


def _export(database: DuckDBPyConnection, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    for table in TABLES:
        database.execute(
            f"COPY (FROM {table} ORDER BY ALL) TO {quote_path(locate_parquet(folder, table))} (FORMAT parquet)"
        )


def _take_place(written: Path, target: Path) -> None:
    """A folder cannot replace one that is not empty: the old one steps aside first."""
    aside = written.with_name(f"{written.name}.old")
    shutil.rmtree(aside, ignore_errors=True)
    if target.exists():
        target.rename(aside)
    written.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def _connect(path: Path) -> DuckDBPyConnection:
    """With one thread: the cores belong to the workers."""
    import duckdb

    return duckdb.connect(str(path), config={"threads": 1, **NO_EXTENSIONS})
