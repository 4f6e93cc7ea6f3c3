"""Objects of the API server: where they are, what of them counts, and what turns one state into another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol
from urllib.parse import quote as quote_path

import msgspec
from msgspec import Struct

from calivet.live.trouble import Trouble

Tree = dict[str, Any]

# What the server itself keeps of an object, and changes as it likes.
_OF_SERVER = (
    "resourceVersion",
    "uid",
    "managedFields",
    "generation",
    "creationTimestamp",
    "selfLink",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
)
_ANNOTATIONS_OF_SERVER = ("deprecated.daemonset.template.generation", "deployment.kubernetes.io/revision")
_MISSING = object()


class Reads(Protocol):
    """A connection, as far as reading goes."""

    def get(self, path: str) -> bytes:
        """The body of the answer."""
        ...


class Ref(Struct, frozen=True):
    """One object."""

    api: str
    kind: str
    resource: str
    """The plural, as in paths."""
    name: str
    namespace: str = ""

    @property
    def group(self) -> str:
        """The API group; empty for the core."""
        return self.api.rpartition("/")[0]

    @property
    def folder(self) -> str:
        """Where objects of its kind are listed and made."""
        root = f"/apis/{self.api}" if self.group else f"/api/{self.api}"
        inside = f"/namespaces/{quote_path(self.namespace, safe='')}" if self.namespace else ""
        return f"{root}{inside}/{self.resource}"

    @property
    def path(self) -> str:
        """Where it is."""
        return f"{self.folder}/{quote_path(self.name, safe='')}"

    def __str__(self) -> str:
        """As people call it: daemonset kube-system/calico-node."""
        where = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {where}{self.name}"


class Discovery:
    """Which kinds the server knows, asked once for each group."""

    def __init__(self, connection: Reads) -> None:
        self._connection = connection
        self._groups: dict[str, Tree] = {}

    def find_ref(self, tree: Tree) -> Ref:
        """The place of this object; a kind that the server does not serve is a KeyError."""
        api, kind = str(tree["apiVersion"]), str(tree["kind"])
        served = next(one for one in self._list_kinds(api) if one["kind"] == kind and "/" not in one["name"])
        head = tree["metadata"]
        namespace = str(head.get("namespace") or "default") if served["namespaced"] else ""
        return Ref(api, kind, str(served["name"]), str(head["name"]), namespace)

    def _list_kinds(self, api: str) -> list[Tree]:
        if api not in self._groups:
            path = f"/apis/{api}" if "/" in api else f"/api/{api}"
            self._groups[api] = msgspec.json.decode(self._connection.get(path))
        kinds: list[Tree] = self._groups[api]["resources"]
        return kinds


def read_object(connection: Reads, ref: Ref) -> Tree | None:
    """The object as it is now; None where there is none."""
    try:
        found: Tree = msgspec.json.decode(connection.get(ref.path))
    except Trouble as trouble:
        if trouble.status == 404:
            return None
        raise
    return found


def keep_content(tree: Tree) -> Tree:
    """What people and controllers wrote: without status, and without what the server keeps."""
    content = {name: value for name, value in tree.items() if name != "status"}
    head = {name: value for name, value in tree.get("metadata", {}).items() if name not in _OF_SERVER}
    if notes := head.get("annotations"):
        kept = {name: value for name, value in notes.items() if name not in _ANNOTATIONS_OF_SERVER}
        head = {**head, "annotations": kept} if kept else {name: head[name] for name in head if name != "annotations"}
    clean: Tree = _drop_empty({**content, "metadata": head})
    return clean


def _drop_empty(tree: Any) -> Any:
    """Without fields that are null: kubectl prints some that the server does not keep."""
    if isinstance(tree, dict):
        return {name: _drop_empty(value) for name, value in tree.items() if value is not None}
    return [_drop_empty(value) for value in tree] if isinstance(tree, list) else tree


def is_same(one: Tree | None, other: Tree | None) -> bool:
    """Whether the two are the same object in the same state."""
    if one is None or other is None:
        return one is other
    return keep_content(one) == keep_content(other)


def build_patch(before: Tree, after: Tree) -> Tree:
    """The merge patch (RFC 7386) that makes one of the other; lists are replaced as a whole."""
    patch: Tree = {name: None for name in before if name not in after}
    for name, value in after.items():
        old = before.get(name, _MISSING)
        if isinstance(old, dict) and isinstance(value, dict):
            if inner := build_patch(old, value):
                patch[name] = inner
        elif old != value:
            patch[name] = value
    return patch


def apply_patch(tree: Tree, patch: Tree) -> Tree:
    """The tree with a merge patch applied, as the server does it."""
    changed = dict(tree)
    for name, value in patch.items():
        if value is None:
            changed.pop(name, None)
        elif isinstance(value, dict):
            old = changed.get(name)
            changed[name] = apply_patch(old if isinstance(old, dict) else {}, value)
        else:
            changed[name] = value
    return changed


def find_conflicts(patch: Tree, expected: Tree, now: Tree, path: str = "") -> Iterator[str]:
    """Fields that the patch would change and that somebody else has changed in the meantime."""
    for name, value in patch.items():
        place = f"{path}.{name}" if path else name
        had, has = expected.get(name, _MISSING), now.get(name, _MISSING)
        if isinstance(value, dict) and isinstance(had, dict) and isinstance(has, dict):
            yield from find_conflicts(value, had, has, place)
        elif has != had and not (has is _MISSING and value is None) and has != value:
            yield place


def list_differences(before: Tree, after: Tree) -> list[str]:
    """Before and after, field by field, as people read a diff."""
    old, new = (dict(_flatten(keep_content(tree))) for tree in (before, after))
    lines = []
    for name in dict.fromkeys([*old, *new]):
        if old.get(name, _MISSING) != new.get(name, _MISSING):
            lines += [f"- {name}: {old[name]}"] if name in old else []
            lines += [f"+ {name}: {new[name]}"] if name in new else []
    return lines


def _flatten(tree: object, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict) and tree:
        for name, value in tree.items():
            yield from _flatten(value, f"{path}.{name}" if path else name)
    elif isinstance(tree, list) and tree:
        for number, value in enumerate(tree):
            named = value.get("name") if isinstance(value, dict) else None
            yield from _flatten(value, f"{path}[{named or number}]")
    else:
        yield path, msgspec.json.encode(tree).decode()
