"""One fix at a time: a Lease in the cluster that says who is at work, and runs out where he is not any more.

Who was killed may take up his own lease at once. That he is not at work twice is for a lock on his own machine to see
to, which dies with him.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

from calivet.fix.journal import make_folder
from calivet.fix.objects import Ref, Tree, read_object
from calivet.live.changing import send_change
from calivet.live.connection import Connection
from calivet.live.trouble import Trouble
from calivet.messages.message import MessageError, message

SECONDS = 60
LONGEST = 3600
"""Seconds for which a lease is believed, whatever it says."""
LEASE = Ref("coordination.k8s.io/v1", "Lease", "leases", "calivet-fix", "kube-system")


class LockedError(MessageError):
    """Somebody else is at work on this cluster."""


@contextmanager
def hold_lock(connection: Connection, holder: str) -> Iterator[None]:
    """Within this block nobody else's `calivet fix` changes this cluster."""
    with _hold_here(make_folder() / "lock", holder):
        yield from _hold_there(connection, holder)


@contextmanager
def _hold_here(file: Path, holder: str) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # on Windows the lease alone has to do
        yield
        return
    with file.open("a") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LockedError(message("fix.locked", holder=holder, seconds=str(SECONDS))) from None
        yield


def _hold_there(connection: Connection, holder: str) -> Iterator[None]:
    _take(connection, holder)
    done = Event()
    thread = Thread(target=_renew, args=(connection, holder, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(SECONDS)
        with suppress(Exception):  # it runs out by itself
            _release(connection, holder)


def _take(connection: Connection, holder: str) -> None:
    found = read_object(connection, LEASE)
    spec = {"holderIdentity": holder, "leaseDurationSeconds": SECONDS, "renewTime": _write_time()}
    try:
        if found is None:
            head = {"name": LEASE.name, "namespace": LEASE.namespace}
            tree = {"apiVersion": LEASE.api, "kind": LEASE.kind, "metadata": head, "spec": spec}
            send_change(connection, "POST", LEASE.folder, tree)
            return
        other = str((found.get("spec") or {}).get("holderIdentity") or "")
        if other not in ("", holder) and not _is_over(found):
            raise LockedError(message("fix.locked", holder=other, seconds=str(SECONDS)))
        patch = {"metadata": {"resourceVersion": found["metadata"]["resourceVersion"]}, "spec": spec}
        send_change(connection, "PATCH", LEASE.path, patch)
    except Trouble as trouble:
        if trouble.status == 409:
            raise LockedError(message("fix.locked", holder="?", seconds=str(SECONDS))) from None
        raise


def _renew(connection: Connection, holder: str, done: Event) -> None:
    while not done.wait(SECONDS / 3):
        with suppress(Exception):  # whatever the server answers, the next time it is asked again
            _take(connection, holder)


def _release(connection: Connection, holder: str) -> None:
    found = read_object(connection, LEASE)
    if found and found["spec"].get("holderIdentity") == holder:
        options = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": found["metadata"]["uid"]}}
        send_change(connection, "DELETE", LEASE.path, options)


def _is_over(lease: Tree) -> bool:
    """By its own clock: the time is written by who holds it, so a clock that is wrong by less than a minute does."""
    try:
        spec = lease["spec"]
        lasts = timedelta(seconds=2 * min(int(spec.get("leaseDurationSeconds") or SECONDS), LONGEST))
        return datetime.now(UTC) > datetime.fromisoformat(str(spec["renewTime"])) + lasts
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):  # no lease that any of us would write
        return True


def _write_time() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
