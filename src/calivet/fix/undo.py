"""Takes a fix back from what was saved: objects field by field, files byte for byte; others' changes are left alone."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from calivet.fix.broker import Tools, Undoer
from calivet.fix.commands import only_interrupts, runs_on_nodes
from calivet.fix.journal import (
    Ended,
    Failed,
    HostDone,
    HostIntended,
    HostSaved,
    Journal,
    NotRestored,
    ObjectDone,
    ObjectIntended,
    Restored,
)
from calivet.fix.objects import Tree, build_patch, find_conflicts, is_same, keep_content, read_object
from calivet.fix.shell import Shell
from calivet.fix.snapshots import OWN, RULE, Snapshot, restore_snapshot, take_snapshot
from calivet.live.changing import send_change
from calivet.messages.message import Message, MessageError, make_verbatim, message
from calivet.node.ssh import make_file_name

AS_BEFORE, IN_BETWEEN, CHANGED, CURED = "as-before", "in-between", "changed", "cured"
TRANSIENT = frozenset({"evict"})
"""What a controller makes anew by itself."""


class KeptStep(Struct, frozen=True):
    """The commands of a step for one node, exactly; the journal has them without secrets."""

    run: str
    save: str
    undo: str


def name_step(step: int, node: str) -> str:
    """The file in which the commands of a step are kept. What a node is called leads to no other folder."""
    plain = make_file_name(node)[:80]
    if plain != node:
        plain = f"{plain}-{sha256(node.encode('utf-8', 'replace')).hexdigest()[:16]}" if node else "cluster"
    return f"step-{step}-{plain}.json"


class Undo:
    """Walks through a journal from its end."""

    def __init__(self, tools: Tools, journal: Journal) -> None:
        self._tools = tools
        self._journal = journal
        self._run: set[tuple[int, str]] = set()

    def undo_all(self) -> str:
        """Take back all that is not taken back yet; how it stands afterwards."""
        open_changes = [entry for entry in self._journal.find(ObjectIntended, HostSaved) if self._is_open(entry.change)]
        for entry in reversed(open_changes):
            self._undo(entry)
        state = IN_BETWEEN if any(map(self._is_open, (entry.change for entry in open_changes))) else AS_BEFORE
        self._journal.write(Ended(state=state))
        return state

    def undo_since(self, change: int) -> None:
        """Take back the changes after this one."""
        later = [entry for entry in self._journal.find(ObjectIntended, HostSaved) if entry.change > change]
        for entry in reversed(later):
            if self._is_open(entry.change):
                self._undo(entry)

    def settle(self) -> None:
        """For each change of which it is not known whether it was made: find out, or take it back."""
        known = {entry.change for entry in self._journal.find(ObjectDone, HostDone, Failed, Restored)}
        unknown = [one for one in self._journal.find(ObjectIntended, HostSaved) if one.change not in known]
        for entry in reversed(unknown):
            if isinstance(entry, ObjectIntended) and self._was_made(entry):
                self._journal.write(ObjectDone(change=entry.change))
            else:
                self._undo(entry)

    def _is_open(self, change: int) -> bool:
        return all(entry.change != change for entry in self._journal.find(Restored, Failed))

    def _was_made(self, entry: ObjectIntended) -> bool:
        now, after = (
            read_object(self._tools.connection, entry.ref),
            self._journal.read_tree(f"{entry.change}-after.json"),
        )
        return is_same(now, after)

    def _undo(self, entry: ObjectIntended | HostSaved) -> None:
        try:
            why = _UNDO[entry.verb](self, entry) if isinstance(entry, ObjectIntended) else self._undo_host(entry)
        except Exception as error:  # noqa: BLE001 - the others are put back all the same
            why = explain_failure(error)
        if why is None:
            self._journal.write(Restored(change=entry.change))
        else:
            self._journal.write(NotRestored(change=entry.change, why=str(why)))

    def _read(self, entry: ObjectIntended) -> tuple[Tree | None, Tree | None, Tree | None]:
        before, after = (self._journal.read_tree(f"{entry.change}-{part}.json") for part in ("before", "after"))
        return before, after, read_object(self._tools.connection, entry.ref)

    def undo_patch(self, entry: ObjectIntended) -> Message | None:
        """Only the fields that were changed, and only where they are still as they were left."""
        before, after, now = self._read(entry)
        if now is None and (before or {}).get("metadata", {}).get("deletionTimestamp"):
            # It was being deleted and was let go: it comes back, but nothing brings its deletion back.
            send_change(self._tools.connection, "POST", entry.ref.folder, keep_content(before or {}))
            return None
        if now is None:
            return message("fix.undo.gone", what=str(entry.ref))
        if is_same(now, before):
            return None
        patch = build_patch(keep_content(after or {}), keep_content(before or {}))
        if conflicts := list(find_conflicts(patch, keep_content(after or {}), keep_content(now))):
            return message("fix.undo.changed", what=str(entry.ref), fields=", ".join(conflicts[:4]))
        patch.setdefault("metadata", {})["resourceVersion"] = now["metadata"]["resourceVersion"]
        send_change(self._tools.connection, "PATCH", entry.ref.path, patch)
        return None

    def undo_create(self, entry: ObjectIntended) -> Message | None:
        """The object that was made is deleted; another one of its name is not."""
        _, after, now = self._read(entry)
        if now is None:
            return None
        made = (after or {}).get("metadata", {}).get("uid")
        if made != now["metadata"]["uid"] and not is_same(now, after):
            return message("fix.undo.changed", what=str(entry.ref), fields="uid")
        options = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": now["metadata"]["uid"]}}
        send_change(self._tools.connection, "DELETE", entry.ref.path, options)
        return None

    def undo_delete(self, entry: ObjectIntended) -> Message | None:
        """Made anew as it was, unless its controller does that."""
        before, _, now = self._read(entry)
        head = (before or {}).get("metadata", {})
        if head.get("ownerReferences") or before is None:
            return None
        if now is not None:
            same = now["metadata"]["uid"] == head.get("uid") or is_same(now, before)
            return None if same else message("fix.undo.anew", what=str(entry.ref))
        send_change(self._tools.connection, "POST", entry.ref.folder, keep_content(before))
        return None

    def undo_nothing(self, entry: ObjectIntended) -> Message | None:
        """A pod that was moved off its node runs elsewhere."""
        return None if entry.verb in TRANSIENT else message("fix.undo.gone", what=str(entry.ref))

    def _undo_host(self, entry: HostSaved) -> Message | None:
        """The printed undo, for what is no file; then every file and setting as it was."""
        later = [one for one in self._journal.find(HostSaved) if one.change > entry.change and one.node == entry.node]
        if any(self._is_open(one.change) and not self._is_for_good(one) for one in later):
            return message("fix.undo.later", what=entry.node)
        if self._is_for_good(entry):  # what the step has saved of it stays where it is
            return message("fix.undo.none", what=entry.node)
        kept = self._open_snapshot(entry)
        seconds = self._tools.seconds
        if changed := [] if later else self._find_changed(entry, kept):
            return message("fix.undo.changed", what=entry.node, fields=", ".join(changed[:4]))
        if self._needs_printed(entry) and (entry.step, entry.node) not in self._run:
            self._run.add((entry.step, entry.node))
            self._run_printed(entry)
        if left := restore_snapshot(self._tools.hosts, entry.node, kept, seconds):
            return message("fix.undo.left", what=entry.node, fields=", ".join(left[:4]))
        return None

    def _is_for_good(self, entry: HostSaved) -> bool:
        """It ran, nothing that it names could be saved, and no command takes it back."""
        ran = next((one.run for one in self._journal.find(HostIntended) if one.change == entry.change), "")
        worked = any(one.change == entry.change and not one.code for one in self._journal.find(HostDone))
        named = [place for place in (*entry.files, *entry.absent) if not place.startswith(OWN)]
        if not worked or only_interrupts(ran) or named or entry.settings:
            return False
        step = self._read_step(entry)
        return step is not None and not step.undo

    def _needs_printed(self, entry: HostSaved) -> bool:
        """What failed is not undone by its opposite, and rules are put back in their places without it."""
        began = any(one.change == entry.change for one in self._journal.find(HostIntended))
        failed = any(one.change == entry.change and one.code for one in self._journal.find(HostDone))
        return began and not failed and not any(name.startswith(RULE) for name in entry.settings)

    def _open_snapshot(self, entry: HostSaved) -> Snapshot:
        archive = (self._journal.folder / f"{entry.change}-host.tar").read_bytes()
        return Snapshot(entry.files, entry.absent, entry.settings, entry.too_large, archive)

    def _find_changed(self, entry: HostSaved, kept: Snapshot) -> list[str]:
        """Files that are neither as the command left them nor as they were: somebody else has written them."""
        done = next((one for one in self._journal.find(HostDone) if one.change == entry.change), None)
        if done is None or not done.prints:
            return []
        places = [*kept.files, *kept.absent, *kept.settings]
        now = take_snapshot(self._tools.hosts, entry.node, places, self._tools.seconds).fingerprint()
        before = kept.fingerprint()
        return [place for place, seen in now.items() if seen not in (done.prints.get(place), before.get(place))]

    def _read_step(self, entry: HostSaved) -> KeptStep | None:
        import msgspec

        kept = self._journal.folder / name_step(entry.step, entry.node)
        return msgspec.json.decode(kept.read_bytes(), type=KeptStep) if kept.is_file() else None

    def _run_printed(self, entry: HostSaved) -> None:
        """How it ends is of no matter: what it does not put back, is put back after it."""
        step = self._read_step(entry)
        if step and step.undo and runs_on_nodes(step.undo):
            shell = Shell(self._tools.interrupted, self._tools.seconds)
            shell.run(step.undo, Path(self._journal.folder), Undoer(self._tools).handle)


_UNDO: dict[str, Callable[[Undo, ObjectIntended], Message | None]] = {
    "patch": Undo.undo_patch,
    "create": Undo.undo_create,
    "delete": Undo.undo_delete,
    "evict": Undo.undo_nothing,
}


def describe_state(journal: Journal) -> str:
    """How it stands, told from the journal alone."""
    settled = {entry.change for entry in journal.find(Restored, Failed)}
    known = {entry.change for entry in journal.find(ObjectDone, HostDone)}
    changes = [entry.change for entry in journal.find(ObjectIntended, HostSaved)]
    if all(change in settled for change in changes):
        return AS_BEFORE
    if any(change not in settled | known for change in changes):
        return IN_BETWEEN
    last = next((entry.state for entry in reversed(journal.entries) if isinstance(entry, Ended)), CHANGED)
    return CURED if last == CURED else CHANGED


def explain_failure(error: Exception) -> Message:
    """What stopped it: in its own words, or as the bug that it is."""
    if isinstance(error, MessageError):
        return error.message
    if isinstance(error, OSError):
        return make_verbatim(str(error))
    return message("general.bug", error=f"{type(error).__name__}: {error}")


def explain_not_restored(journal: Journal) -> list[Message]:
    """Why something was not put back."""
    return [make_verbatim(entry.why) for entry in journal.find(NotRestored)]
