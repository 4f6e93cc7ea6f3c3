"""Events: on each object that was changed, how to take it back; on the pod of a Job, what it found, where asked to."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from calivet.fix.broker import Tools
from calivet.fix.journal import Began, Journal, ObjectDone, ObjectIntended
from calivet.fix.objects import Ref, Tree
from calivet.live.changing import MANAGER, send_change
from calivet.live.trouble import Trouble

if TYPE_CHECKING:
    from calivet.live.connection import Connection

LONGEST = 1024
"""Characters of an Event's message that a server takes."""
REASONS = {"fault": "CalivetFault", "healthy": "CalivetHealthy", "insufficient": "CalivetCannotTell"}
"""By verdict."""


def record_events(tools: Tools, journal: Journal, state: str) -> None:
    """Where events may be made; a cluster that does not allow it loses nothing but them."""
    done = {entry.change for entry in journal.find(ObjectDone)}
    cause = next((entry.cause for entry in journal.find(Began)), "")
    refs = dict.fromkeys(entry.ref for entry in journal.find(ObjectIntended) if entry.change in done)
    for ref in refs:
        said = f"calivet fix changed this object because of {cause} ({state}); calivet fix --undo {journal.id}"
        with suppress(Trouble):
            send_change(tools.connection, "POST", _find_folder(ref), _build_event(ref, said, "CalivetFix"))


def record_verdict(connection: Connection, namespace: str, pod: str, verdict: str, said: str) -> None:
    """On the pod that calivet runs in; raises Trouble."""
    read = msgspec.json.decode(connection.get(f"/api/v1/namespaces/{namespace}/pods/{pod}"))
    ref = Ref("v1", "Pod", "pods", pod, namespace)
    event = _build_event(ref, said[:LONGEST], REASONS[verdict])
    # `kubectl describe` shows the Events of an object by its uid.
    event["involvedObject"]["uid"] = read["metadata"]["uid"]
    event["type"] = "Normal" if verdict == "healthy" else "Warning"
    send_change(connection, "POST", _find_folder(ref), event)


def _find_folder(ref: Ref) -> str:
    return f"/api/v1/namespaces/{ref.namespace or 'default'}/events"


def _build_event(ref: Ref, said: str, reason: str) -> Tree:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"generateName": f"{ref.name[:40]}.", "namespace": ref.namespace or "default"},
        "involvedObject": {"apiVersion": ref.api, "kind": ref.kind, "name": ref.name, "namespace": ref.namespace},
        "reason": reason,
        "message": said,
        "type": "Normal",
        "source": {"component": MANAGER},
        "reportingComponent": MANAGER,
        "firstTimestamp": now,
        "lastTimestamp": now,
        "count": 1,
    }
