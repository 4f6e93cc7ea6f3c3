"""The nodes that a fix has closed for new pods, and that are closed still: a cure is no reason to leave them so."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.fix.journal import Journal, ObjectDone, ObjectIntended, Restored
from calivet.fix.kubectl import Wanted
from calivet.fix.objects import Reads, Tree, apply_patch, read_object


def find_closed_nodes(connection: Reads, journal: Journal) -> Iterator[Wanted]:
    """What would open each of them again; one that was closed before the fix stays as it was."""
    done = {entry.change for entry in journal.find(ObjectDone)} - {entry.change for entry in journal.find(Restored)}
    seen = set()
    for entry in journal.find(ObjectIntended):
        if entry.change not in done or entry.ref.kind != "Node" or entry.ref in seen:
            continue
        seen.add(entry.ref)
        now = read_object(connection, entry.ref)
        if now and _is_closed(now) and not _is_closed(journal.read_tree(f"{entry.change}-before.json")):
            yield Wanted("write", entry.ref, apply_patch(now, {"spec": {"unschedulable": None}}))


def _is_closed(node: Tree | None) -> bool:
    return bool((node or {}).get("spec", {}).get("unschedulable"))
