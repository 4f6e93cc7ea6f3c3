"""The tables: their rows as types, whose fields are the columns, and the same as SQL names them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, get_args

import msgspec
from msgspec import Struct, structs

from calivet.contract.diagnosis import Document
from calivet.evidence.archives.member_names import make_printable
from calivet.fleet.work import BundleAnswer

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CALICO = ("calico-node", "felix", "calico-cni", "calico")
KUBERNETES = ("kubernetes", "kubelet", "kube-apiserver")


class BundleRow(Struct, frozen=True, kw_only=True):
    """One bundle: what it is, and the verdict. `failed` says why there is none."""

    bundle: str
    digest: str | None = None
    """Of its content."""
    knowledge: str | None = None
    """What it was diagnosed with: the version of calivet and the user's own causes."""
    cluster: str | None = None
    """The same for all bundles of one cluster; a bundle that does not tell counts as a cluster of its own."""
    collected: datetime | None = None
    """In UTC, where the bundle says so."""
    verdict: str | None = None
    calico: str | None = None
    kubernetes: str | None = None
    """The version that most nodes have."""
    sick_nodes: int | None = None
    healthy_nodes: int | None = None
    calivet: str | None = None
    failed: str | None = None
    context: str | None = None
    """By which its cluster was asked."""
    server: str | None = None


class FindingRow(Struct, frozen=True):
    """A root cause of a bundle; rank 1 is the best."""

    bundle: str
    rank: int
    cause: str
    confidence: float
    title: str
    summary: str
    nodes: list[str]
    later_healthy: bool


class CandidateRow(Struct, frozen=True):
    """A cause that may hold."""

    bundle: str
    rank: int
    cause: str
    confidence: float


class ComponentRow(Struct, frozen=True):
    """A part of the cluster; `good` is null where it was not seen."""

    bundle: str
    component: str
    good: bool | None
    state: str


class NodeRow(Struct, frozen=True):
    """A node whose state was seen."""

    bundle: str
    node: str
    healthy: bool


class VersionRow(Struct, frozen=True):
    """A version of a program, and on how many nodes it was seen."""

    bundle: str
    program: str
    version: str
    nodes: int


BUNDLES = "bundles"
TABLES: dict[str, type[Struct]] = {
    BUNDLES: BundleRow,
    "findings": FindingRow,
    "candidates": CandidateRow,
    "components": ComponentRow,
    "nodes": NodeRow,
    "versions": VersionRow,
}
Rows = dict[str, list[Struct]]
"""About bundles, by table."""


def make_rows(bundle: str, digest: str, knowledge: str, answer: BundleAnswer) -> tuple[BundleRow, Rows]:
    """A bundle that was diagnosed, and the rows about it."""
    diagnosis, background = answer.diagnosis, answer.background
    head = BundleRow(
        bundle=bundle,
        digest=digest,
        knowledge=knowledge,
        cluster=background.cluster or digest,
        collected=background.collected,
        verdict=diagnosis.verdict,
        calico=_find_first_version(answer, CALICO),
        kubernetes=_find_first_version(answer, KUBERNETES),
        sick_nodes=len(diagnosis.nodes.sick),
        healthy_nodes=len(diagnosis.nodes.healthy),
        calivet=diagnosis.calivet,
        context=make_printable(diagnosis.cluster.context) or None,
        server=make_printable(diagnosis.cluster.server) or None,
    )
    versions = [VersionRow(bundle, one.program, one.version, one.nodes) for one in background.versions]
    return head, {"versions": [*versions], **_build_rows_of_diagnosis(bundle, diagnosis)}


def _build_rows_of_diagnosis(bundle: str, diagnosis: Document) -> Rows:
    return {
        "findings": [
            FindingRow(
                bundle=bundle,
                rank=rank,
                cause=one.cause,
                confidence=one.confidence,
                title=make_printable(one.title),
                summary=make_printable(one.summary),
                nodes=[*map(make_printable, one.nodes)],
                later_healthy=one.later_healthy,
            )
            for rank, one in enumerate(diagnosis.findings, 1)
        ],
        "candidates": [
            CandidateRow(bundle, rank, one.cause, one.confidence) for rank, one in enumerate(diagnosis.candidates, 1)
        ],
        "components": [
            ComponentRow(bundle, one.id, one.good, make_printable(one.state)) for one in diagnosis.components
        ],
        "nodes": [
            *(NodeRow(bundle, make_printable(name), healthy=False) for name in diagnosis.nodes.sick),
            *(NodeRow(bundle, make_printable(name), healthy=True) for name in diagnosis.nodes.healthy),
        ],
    }


def _find_first_version(answer: BundleAnswer, programs: tuple[str, ...]) -> str | None:
    """The version of the first of these programs that was seen, the most frequent one."""
    seen = answer.background.versions
    return next((one.version for program in programs for one in seen if one.program == program), None)


PARQUET = ".parquet"
_TYPES: dict[object, str] = {
    str: "VARCHAR",
    int: "INTEGER",
    float: "DOUBLE",
    bool: "BOOLEAN",
    datetime: "TIMESTAMP",
    list[str]: "VARCHAR[]",
}
NO_EXTENSIONS = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
"""Nothing is fetched from anywhere, whatever a file asks for."""


class OtherTablesError(Exception):
    """The file holds tables, but not these: another version of calivet, or another program, wrote it."""


def create_tables(database: DuckDBPyConnection) -> None:
    """All tables, empty."""
    for table, row in TABLES.items():
        columns = ", ".join(f'"{name}" {kind}' for name, kind in list_columns(row).items())
        database.execute(f"CREATE TABLE {table} ({columns})")


def check_tables(database: DuckDBPyConnection) -> None:
    """That the tables are these."""
    for table, row in TABLES.items():
        found = database.execute(
            "SELECT column_name, data_type FROM information_schema.columns "
            "WHERE table_catalog = current_database() AND table_name = ? ORDER BY ordinal_position",
            [table],
        ).fetchall()
        if dict(found) != list_columns(row):
            raise OtherTablesError(table)


def open_tables(file: Path) -> DuckDBPyConnection:
    """A file may come from a stranger: it is only read, and nothing in it reaches beyond it."""
    import duckdb

    if file.is_dir():
        database = duckdb.connect(config={**NO_EXTENSIONS})
        for table in TABLES:
            database.execute(f"CREATE TABLE {table} AS FROM read_parquet({quote_path(locate_parquet(file, table))})")
    else:
        database = duckdb.connect(str(file), read_only=True, config={**NO_EXTENSIONS, "enable_external_access": False})
    check_tables(database)
    return database


def count_rows(file: Path) -> dict[str, int]:
    """By table, as the disk has them."""
    import duckdb

    folder = file.is_dir()
    with duckdb.connect(":memory:" if folder else str(file), read_only=not folder, config={**NO_EXTENSIONS}) as opened:
        return {
            table: count_table_rows(
                opened, f"read_parquet({quote_path(locate_parquet(file, table))})" if folder else table
            )
            for table in TABLES
        }


def count_table_rows(database: DuckDBPyConnection, source: str) -> int:
    """How many a table has."""
    (count,) = database.execute(f"SELECT count(*) FROM {source}").fetchall()[0]  # noqa: S608 - our own names
    return int(count)


def insert_rows(database: DuckDBPyConnection, table: str, rows: Sequence[Struct]) -> None:
    """Many rows in one statement, as one JSON text: a hundred times as fast as one after the other."""
    shape = msgspec.json.encode([_list_json_types(TABLES[table])]).decode()
    database.execute(
        f"INSERT INTO {table} BY NAME SELECT row.* FROM (SELECT unnest(from_json(?, '{shape}')) AS row)",  # noqa: S608 - our own names
        [msgspec.json.encode(rows).decode()],
    )


def locate_parquet(folder: Path, table: str) -> Path:
    """Parquet keeps one table a file."""
    return folder / f"{table}{PARQUET}"


def quote_path(path: Path) -> str:
    """A path as SQL writes it where it takes no parameter."""
    return "'" + str(path).replace("'", "''") + "'"


def list_columns(row: type[Struct]) -> dict[str, str]:
    """Column by column its SQL type; every column may be null."""
    return {one.name: _TYPES[_strip_none(one.type)] for one in structs.fields(row)}


def _list_json_types(row: type[Struct]) -> dict[str, object]:
    return {
        name: [kind.removesuffix("[]")] if kind.endswith("[]") else kind for name, kind in list_columns(row).items()
    }


def _strip_none(kind: object) -> object:
    return next(one for one in get_args(kind) if one is not type(None)) if isinstance(kind, UnionType) else kind
