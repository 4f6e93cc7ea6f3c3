"""Lists of objects: as tables, as the objects themselves, page by page; and whether one has changed."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct, field

from calivet.live.connection import Connection
from calivet.live.trouble import Trouble
from calivet.messages.message import make_verbatim, message

ACCEPT = ",".join(f"application/json;as=Table;v={version};g=meta.k8s.io" for version in ("v1", "v1beta1"))


class Owner(Struct, frozen=True, gc=False):
    """The controller that an object belongs to."""

    kind: str = ""
    name: str = ""


class Meta(Struct, frozen=True, gc=False):
    """The little of an object's head that is of use; all else is skipped while decoding."""

    name: str = ""
    namespace: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    owners: list[Owner] = field(default_factory=list, name="ownerReferences")


class AnnotatedMeta(Struct, frozen=True, gc=False):
    """For nodes, on whose annotations Calico keeps its addresses."""

    name: str = ""
    annotations: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)


Head = TypeVar("Head", Meta, AnnotatedMeta)


class Part(Struct, Generic[Head], frozen=True, gc=False):
    """The object that a row is about, as far as it was asked for."""

    metadata: Head


class Row(Struct, Generic[Head], frozen=True, gc=False):
    """One object of the list, with its head where that was asked for."""

    cells: list[Any]
    object: Part[Head] | None = None

    @property
    def head(self) -> Head:
        """Only for lists that were asked for with heads."""
        if self.object is None:
            raise Trouble("broken", message("connection.no_object"))
        return self.object.metadata


class Column(Struct, frozen=True):
    """A column of the table."""

    name: str


class ListMeta(Struct, frozen=True):
    """Where the next page begins, and how much is behind this one."""

    next: str = field(default="", name="continue")
    remaining: int = field(default=0, name="remainingItemCount")


class Places(dict[str, int]):
    """The columns of a table, by their names in small letters."""

    def __missing__(self, name: str) -> int:
        """No server of Kubernetes leaves one out."""
        raise Trouble("broken", message("connection.no_column", name=name))


class Table(Struct, Generic[Head], frozen=True):
    """One page of a list."""

    metadata: ListMeta
    rows: list[Row[Head]]
    columns: list[Column] = field(default_factory=list, name="columnDefinitions")

    def __post_init__(self) -> None:
        """What reads the rows counts on it."""
        if any(len(row.cells) != len(self.columns) for row in self.rows):
            raise ValueError("a row has not as many cells as the table has columns")

    @property
    def places(self) -> Places:
        """Where each column is."""
        return Places({column.name.lower(): place for place, column in enumerate(self.columns)})


FEW = 500
"""Rows of which each is worth printing; of longer lists only those are that tell something, and some for comparison."""
SAMPLE = 20

Item = TypeVar("Item")


def choose_telling(rows: Sequence[Item], tells: Callable[[Item], bool]) -> list[Item]:
    """All of a short list; of a long one what is out of the ordinary, and the first few."""
    if len(rows) <= FEW:
        return list(rows)
    return [row for place, row in enumerate(rows) if place < SAMPLE or tells(row)]


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """The lines that kubectl would print."""
    texts = [[column.upper() for column in columns], *([_format_cell(cell) for cell in row] for row in rows)]
    # Pages of one list may have other columns than the last.
    widths = [max(map(len, column)) + 3 for column in zip_longest(*texts, fillvalue="")]
    return ["".join(map(str.ljust, row, widths)).rstrip() for row in texts]


def _format_cell(cell: object) -> str:
    """A cell on one line."""
    if cell is None:
        return "<none>"
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return " ".join(str(cell).split())


PAGE = 1000
MOST_PAGES = 1000
"""A million objects."""

FROM_MEMORY = {"resourceVersion": "0"}
"""What the API server has in its own memory: a hundred thousand pods cost neither it nor etcd any trouble, and the
answer comes even while etcd is ill. It may be a moment old."""
NO_HEADS = {"includeObject": "None"}


class Page(Protocol):
    """Anything that tells where the next page begins."""

    @property
    def metadata(self) -> ListMeta:
        """The list's own head."""


Kind = TypeVar("Kind", bound=Page)
Anything = TypeVar("Anything")


def fetch_table(connection: Connection, path: str, query: Mapping[str, str] | None = None) -> Iterator[Table[Meta]]:
    """A list as the table that the server makes of it, from its memory; in one piece where it has it there."""
    return fetch_pages(connection, path, Table[Meta], ACCEPT, FROM_MEMORY | dict(query or {}))


def fetch_annotated(connection: Connection, path: str) -> Iterator[Table[AnnotatedMeta]]:
    """The same with annotations."""
    return fetch_pages(connection, path, Table[AnnotatedMeta], ACCEPT, FROM_MEMORY)


def fetch_pages(
    connection: Connection,
    path: str,
    kind: type[Kind],
    accept: str = "application/json",
    query: Mapping[str, str] | None = None,
    size: int = PAGE,
) -> Iterator[Kind]:
    """Every page of a list, decoded straight into this type.

    A list that outlives its snapshot on the server goes on from the token that comes with the refusal: what was
    read so far stays good, and a list of a busy cluster need not be of one moment.
    """
    wanted = {**(query or {}), "limit": str(size)}
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        try:
            body = connection.get(path, wanted, accept)
        except Trouble as trouble:
            if trouble.kind != "gone" or not trouble.token or trouble.token in seen:
                raise
            token = trouble.token
        else:
            page = decode_body(kind, body, path)
            yield page
            token = page.metadata.next
        if not token:
            return
        if token in seen:
            raise Trouble("broken", message("connection.circles", path=path))
        seen.add(token)
        # A token stands for its snapshot; the server refuses one beside a version.
        wanted = {name: value for name, value in wanted.items() if name != "resourceVersion"} | {"continue": token}
    raise Trouble("broken", message("connection.pages", path=path, limit=MOST_PAGES))


_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_MAKING = threading.Lock()


def _find_decoder(kind: type[Anything]) -> msgspec.json.Decoder[Anything]:
    """One for each type, made by one thread at a time.

    What msgspec finds out about a type it keeps with the type, and a thread that meets it half made crashes.
    """
    with _MAKING:
        if kind not in _DECODERS:
            _DECODERS[kind] = msgspec.json.Decoder(kind)
        return _DECODERS[kind]


def decode_body(kind: type[Anything], body: bytes, path: str) -> Anything:
    """The body in its type; a proxy's page of HTML or a foreign server is trouble like any other."""
    try:
        return _find_decoder(kind).decode(body)
    except (ValueError, RecursionError) as error:
        raise Trouble("broken", message("connection.foreign", path=path, why=make_verbatim(str(error)))) from None


MOST = 200
"""Objects of one kind; a cluster has a handful of these, and nobody reads more."""

WholeObject = dict[str, Any]
WHOLE = WholeObject
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Listed(Struct, frozen=True):
    """A list whose objects are kept as they came until it is known which are wanted."""

    metadata: ListMeta
    items: list[msgspec.Raw]
    kind: str = ""
    api: str = msgspec.field(default="", name="apiVersion")


def fetch_one(connection: Connection, path: str) -> list[str]:
    """The lines of one object."""
    return write_lines([decode_body(WHOLE, connection.get(path, FROM_MEMORY), path)])


def fetch_several(connection: Connection, path: str) -> list[str]:
    """The lines of the objects of a list, parted as documents; none where the list is empty."""
    page = decode_body(Listed, connection.get(path, FROM_MEMORY), path)
    return write_lines([to_thing(page, item, path) for item in page.items[:MOST]])


def to_thing(page: Listed, item: msgspec.Raw, path: str) -> WholeObject:
    """An object of a list, with the head that the list has in its place."""
    head = {"apiVersion": page.api, "kind": page.kind.removesuffix("List")}
    return {**head, **decode_body(WHOLE, bytes(item), path)}


def write_lines(things: Sequence[dict[str, Any]]) -> list[str]:
    """The objects as YAML, each a document."""
    import yaml

    written = yaml.dump_all(
        [_drop_useless(thing) for thing in things],
        Dumper=_build_dumper(),
        default_flow_style=False,
        sort_keys=False,
        allow_unicode=True,
        width=1 << 20,
    )
    return str(written).splitlines() if things else []


def _drop_useless(thing: dict[str, Any]) -> dict[str, Any]:
    """Without what only costs lines: who wrote which field, an old copy of the whole, the images a node holds."""
    useful = {**thing, "metadata": drop_field(thing.get("metadata"), "managedFields")}
    if isinstance(useful["metadata"], dict) and "annotations" in useful["metadata"]:
        useful["metadata"]["annotations"] = drop_field(useful["metadata"]["annotations"], _LAST_APPLIED)
    if thing.get("kind") == "Node":
        useful["status"] = drop_field(thing.get("status"), "images")
    return useful


def drop_field(part: object, name: str) -> object:
    """A part of the object without one of its fields; as it is where it is not what Kubernetes would send."""
    return {key: value for key, value in part.items() if key != name} if isinstance(part, dict) else part or {}


def _build_dumper() -> Any:
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        """Files inside ConfigMaps stay readable: a text of several lines is written as a block."""

        def ignore_aliases(self, data: object) -> bool:
            del data
            return True

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)

    Dumper.add_representer(str, text)
    return Dumper


HEADS, HEAD = (
    f"application/json;as={kind};g=meta.k8s.io;v=v1" for kind in ("PartialObjectMetadataList", "PartialObjectMetadata")
)
PODS = "/api/v1/pods"
ONE_WATCH = 10
"""Seconds after which a watch is asked for again: one that nobody waits for any more ends by then."""


class _Version(Struct, frozen=True):
    version: str = field(default="", name="resourceVersion")


class _VersionedList(Struct, frozen=True):
    metadata: _Version


def find_pods_version(connection: Connection) -> str:
    """How far the list of pods has come, for a watch to begin there; "" where the server does not tell."""
    try:
        page = connection.get(PODS, {"limit": "1"}, HEADS)
        return decode_body(_VersionedList, page, PODS).metadata.version
    except Trouble:
        return ""


def wait_for_change(connection: Connection, namespaces: Iterable[str], version: str, seconds: float) -> None:
    """Return when a pod of these namespaces has changed since that version, at the latest after so many seconds.

    Where they may not be watched, or the server went away, at once: then only another look tells.
    """
    changes: queue.SimpleQueue[bool] = queue.SimpleQueue()
    until = time.monotonic() + seconds
    for namespace in namespaces if version else ():
        path = f"/api/v1/namespaces/{namespace}/pods"
        threading.Thread(target=_watch, args=(connection, path, version, until, changes), daemon=True).start()
    if version:
        with suppress(queue.Empty):
            changes.get(timeout=seconds)


def _watch(connection: Connection, path: str, version: str, until: float, changes: queue.SimpleQueue[bool]) -> None:
    """The first byte of an answer is a change: nothing is sent before there is one."""
    while changes.empty() and (left := until - time.monotonic()) > 0:
        seconds = max(1, min(ONE_WATCH, int(left)))
        query = {"watch": "true", "resourceVersion": version, "timeoutSeconds": str(seconds)}
        ends = time.monotonic() + seconds
        changed = False
        with suppress(Trouble):
            changed = bool(connection.get(path, query, HEAD, deadline=ends + 1, limit=1))
        # A watch that ends before its time is none.
        if changed or time.monotonic() < ends - 1:
            changes.put(True)
