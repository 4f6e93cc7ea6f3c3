"""Whole objects, for the few that matter, as the YAML that `kubectl get -o yaml` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from calivet.live.connection import Connection
from calivet.live.pages import FROM_MEMORY, decoded
from calivet.live.tables import ListMeta

MOST = 200
"""Objects of one kind; a cluster has a handful of these, and nobody reads more."""

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Listed(Struct, frozen=True):
    """A list whose objects are kept as they came until it is known which are wanted."""

    metadata: ListMeta
    items: list[msgspec.Raw]
    kind: str = ""
    api: str = msgspec.field(default="", name="apiVersion")


def one(connection: Connection, path: str) -> list[str]:
    """The lines of one object."""
    return lines([msgspec.json.decode(connection.get(path, FROM_MEMORY))])


def several(connection: Connection, path: str) -> list[str]:
    """The lines of the objects of a list, parted as documents; none where the list is empty."""
    page = decoded(msgspec.json.Decoder(Listed), connection.get(path, FROM_MEMORY), path)
    head = {"apiVersion": page.api, "kind": page.kind.removesuffix("List")}
    return lines([{**head, **msgspec.json.decode(item)} for item in page.items[:MOST]])


def lines(things: Sequence[dict[str, Any]]) -> list[str]:
    """The objects as YAML, each a document."""
    import yaml

    written = yaml.dump_all(
        [_useful(thing) for thing in things],
        Dumper=_dumper(),
        default_flow_style=False,
        sort_keys=False,
        allow_unicode=True,
        width=1 << 20,
    )
    return str(written).splitlines() if things else []


def _useful(thing: dict[str, Any]) -> dict[str, Any]:
    """Without what only costs lines: who wrote which field, an old copy of the whole, the images a node holds."""
    metadata = dict(thing.get("metadata") or {})
    metadata.pop("managedFields", None)
    if _LAST_APPLIED in (metadata.get("annotations") or {}):
        metadata["annotations"] = {k: v for k, v in metadata["annotations"].items() if k != _LAST_APPLIED}
    useful = {**thing, "metadata": metadata}
    if thing.get("kind") == "Node":
        useful["status"] = {k: v for k, v in (thing.get("status") or {}).items() if k != "images"}
    return useful


def _dumper() -> Any:
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
