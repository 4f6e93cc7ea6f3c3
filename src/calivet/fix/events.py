"""An Event on each object that was changed: whoever looks at it next knows of it, and how to take it back."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from calivet.fix.broker import Tools
from calivet.fix.journal import Began, Journal, ObjectDone, ObjectIntended
from calivet.fix.objects import Ref, Tree
from calivet.live.changing import MANAGER, send_change
from calivet.live.trouble import Trouble


def record_events(tools: Tools, journal: Journal, state: str) -> None:
    """Where events may be made; a cluster that does not allow it loses nothing but them."""
    done = {entry.change for entry in journal.find(ObjectDone)}
    cause = next((entry.cause for entry in journal.find(Began)), "")
    refs = dict.fromkeys(entry.ref for entry in journal.find(ObjectIntended) if entry.change in done)
    for ref in refs:
        said = f"calivet fix changed this object because of {cause} ({state}); calivet fix --undo {journal.id}"
        with suppress(Trouble):
            send_change(tools.connection, "POST", _find_folder(ref), _build_event(ref, said))


def _find_folder(ref: Ref) -> str:
    return f"/api/v1/namespaces/{ref.namespace or 'default'}/events"


def _build_event(ref: Ref, said: str) -> Tree:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"generateName": f"{ref.name[:40]}.", "namespace": ref.namespace or "default"},
        "involvedObject": {"apiVersion": ref.api, "kind": ref.kind, "name": ref.name, "namespace": ref.namespace},
        "reason": "CalivetFix",
        "message": said,
        "type": "Normal",
        "source": {"component": MANAGER},
        "reportingComponent": MANAGER,
        "firstTimestamp": now,
        "lastTimestamp": now,
        "count": 1,
    }
