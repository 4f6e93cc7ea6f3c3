"""Makes the changes, one at a time: saved, announced in the journal, sent once, and then written down as done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from calivet.fix.hosts import Answer, HostError, Hosts
from calivet.fix.journal import (
    Failed,
    HostDone,
    HostIntended,
    HostSaved,
    Journal,
    ObjectDone,
    ObjectIntended,
)
from calivet.fix.kubectl import RESTARTED, Wanted
from calivet.fix.objects import Ref, Tree, build_patch, is_same, keep_content, list_differences, read_object
from calivet.fix.snapshots import Snapshot, take_snapshot
from calivet.live.changing import send_change
from calivet.live.connection import Connection
from calivet.live.trouble import Trouble
from calivet.messages.message import MessageError, message
from calivet.redaction.redactor import Redactor

SAID = 4000
"""Letters of a command's output that the journal keeps."""


class WorldChangedError(MessageError):
    """Something is no longer as it was when the plan was shown."""


class Change(Struct, frozen=True):
    """One object, before and after: what is shown, and what is done."""

    verb: str
    """patch, create, delete or evict."""
    ref: Ref
    before: Tree | None
    after: Tree | None

    @property
    def differences(self) -> list[str]:
        """As people read a diff, without secrets; of a Secret only which keys."""
        if self.verb in ("delete", "evict"):
            return [f"- {self.ref}"]
        redactor = Redactor()
        clean = [_redact_tree(redactor, keep_content(tree or {})) for tree in (self.before, self.after)]
        if self.ref.kind == "Secret" or None in clean:
            return [_hide(line) for line in list_differences(self.before or {}, self.after or {})]
        return list_differences(clean[0] or {}, clean[1] or {})


def _redact_tree(redactor: Redactor, tree: Tree) -> Tree | None:
    """As a whole: what an element of a list is, its neighbour tells. None where what is left is no tree."""
    text = msgspec.json.format(msgspec.json.encode(tree), indent=1).decode()
    try:
        return msgspec.json.decode(redactor.redact_text(text).encode("utf-8", "replace"), type=Tree)
    except msgspec.DecodeError:
        return None


def _hide(line: str) -> str:
    return f"{line.partition(': ')[0]}: ***"


def prepare_change(connection: Connection, wanted: Wanted) -> Change | None:
    """The change that makes it so; None where it is so already."""
    before = read_object(connection, wanted.ref)
    if wanted.verb in ("delete", "evict"):
        return Change(wanted.verb, wanted.ref, before, None) if before else None
    if is_same(before, wanted.after):
        return None
    return Change("patch" if before else "create", wanted.ref, before, wanted.after)


def is_as_shown(shown: Change, now: Change) -> bool:
    """Whether the object is as it was when the plan was shown, and the same is about to become of it."""
    if shown.verb != now.verb or not is_same(shown.before, now.before):
        return False
    differences = list_differences(shown.after or {}, now.after or {})
    return all(f".{RESTARTED}: " in line for line in differences)  # the moment of a restart is always another


class Changer:
    """The one place from which objects and machines are changed."""

    def __init__(
        self, connection: Connection, hosts: Hosts, journal: Journal, seconds: float, *, save_in_cluster: bool = False
    ) -> None:
        self.connection = connection
        self._save_in_cluster = save_in_cluster
        self.hosts = hosts
        self.journal = journal
        self._seconds = seconds
        self.step = 0

    def change_object(self, wanted: Wanted, check: Callable[[Change], None] | None = None) -> Change | None:
        """Save, announce, send, note. `check` raises where this is not what was shown."""
        change = prepare_change(self.connection, wanted)
        if change is None:
            return None
        if check:
            check(change)
        number = self.journal.count_changes() + 1
        self.journal.save_tree(f"{number}-before.json", change.before)
        self.journal.save_tree(f"{number}-after.json", change.after)
        if self._save_in_cluster:
            _save_in_cluster(self.connection, self.journal.id, number, change)
        self.journal.write(
            ObjectIntended(
                change=number, step=self.step, verb=change.verb, ref=change.ref, differences=change.differences
            )
        )
        try:
            done = _SENDERS[change.verb](self.connection, change)
        except Trouble as trouble:
            # What the server refused was not done; of all else it is not known.
            if trouble.status is not None:
                self.journal.write(Failed(change=number, why=str(trouble)))
            raise
        if change.verb in ("patch", "create"):
            self.journal.save_tree(f"{number}-after.json", done)
        self.journal.write(ObjectDone(change=number))
        return change

    def run_on_host(self, node: str, script: str, given: bytes, places: list[str]) -> Answer:
        """Save what the command names, announce it, run it, note how it left things."""
        number = self.journal.count_changes() + 1
        kept = take_snapshot(self.hosts, node, places, self._seconds)
        _refuse_unsaved(kept, node)
        self.journal.save(f"{number}-host.tar", kept.archive)
        self.journal.save(f"{number}-given", given)
        self.journal.write(
            HostSaved(
                change=number, step=self.step, node=node, files=kept.files, absent=kept.absent,
                settings=kept.settings, too_large=kept.too_large,
            )
        )  # fmt: skip
        self.journal.write(HostIntended(change=number, step=self.step, node=node, run=script))
        answer = self.hosts.run(node, script, given, self._seconds)
        said = (answer.out.decode("utf-8", "replace") + answer.errors)[-SAID:]
        self.journal.write(HostDone(change=number, code=answer.code, said=said, prints=self._fingerprint(node, places)))
        return answer

    def _fingerprint(self, node: str, places: list[str]) -> dict[str, str]:
        """How the command left what it names; a machine that is rebooting cannot tell."""
        try:
            return take_snapshot(self.hosts, node, places, self._seconds).fingerprint()
        except HostError:
            return {}


def _save_in_cluster(connection: Connection, name: str, number: int, change: Change) -> None:
    """For those who do not have the operator's folder: what it was, without secrets, in a ConfigMap for each fix."""
    clean = None if change.ref.kind == "Secret" else _redact_tree(Redactor(), keep_content(change.before or {}))
    if clean is None:
        return
    kept = Ref("v1", "ConfigMap", "configmaps", f"calivet-fix-{name}", "kube-system")
    text = msgspec.json.format(msgspec.json.encode(clean), indent=2).decode()
    data = {f"{number}-{change.ref.resource}.json": text}
    held = read_object(connection, kept)
    if held is None:
        head = {"name": kept.name, "namespace": kept.namespace}
        send_change(
            connection, "POST", kept.folder, {"apiVersion": "v1", "kind": kept.kind, "metadata": head, "data": data}
        )
    else:
        head = {"resourceVersion": held["metadata"]["resourceVersion"]}
        send_change(connection, "PATCH", kept.path, {"metadata": head, "data": data})


def _refuse_unsaved(kept: Snapshot, node: str) -> None:
    files = [path for path in kept.too_large if "." in path.rpartition("/")[2]]
    if files:
        raise HostError(message("fix.host.large", node=node, path=files[0]))


def _patch(connection: Connection, change: Change) -> Tree:
    """Only what differs, and only while the object is the one that was read."""
    before, after = change.before or {}, change.after or {}
    patch = build_patch(keep_content(before), keep_content(after))
    head: Any = patch.setdefault("metadata", {})
    head["resourceVersion"] = before["metadata"]["resourceVersion"]
    return send_change(connection, "PATCH", change.ref.path, patch)


def _create(connection: Connection, change: Change) -> Tree:
    return send_change(connection, "POST", change.ref.folder, keep_content(change.after or {}))


def _delete(connection: Connection, change: Change) -> Tree:
    """This very object, not another one of its name."""
    uid = (change.before or {})["metadata"]["uid"]
    options = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": uid}}
    return send_change(connection, "DELETE", change.ref.path, options)


def _evict(connection: Connection, change: Change) -> Tree:
    """As a drain does: the server refuses it where a PodDisruptionBudget forbids it."""
    body = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": change.ref.name, "namespace": change.ref.namespace},
    }
    return send_change(connection, "POST", f"{change.ref.path}/eviction", body)


_SENDERS: dict[str, Callable[[Connection, Change], Tree]] = {
    "patch": _patch,
    "create": _create,
    "delete": _delete,
    "evict": _evict,
}
