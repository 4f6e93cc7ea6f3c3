"""A deadline that holds against a server that trickles: at its end the connection is shut, whoever waits for it.

A socket's own timeout begins anew with each byte, so headers, bodies and handshakes that come drop by drop never
reach it.
"""

from __future__ import annotations

import math
import socket
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from urllib3 import PoolManager

_current = threading.local()


class _Watch:
    """One thread that ends whatever is over: to start one for each request costs more than many an answer."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: set[Deadline] = set()
        self._wakes = math.inf
        self._is_started = False

    def add(self, deadline: Deadline) -> None:
        """Look after it; the thread is woken only where it would sleep past its end."""
        with self._changed:
            self._running.add(deadline)
            if not self._is_started:
                self._is_started = True
                threading.Thread(target=self._run, daemon=True).start()
            elif deadline.end < self._wakes:
                self._changed.notify()

    def remove(self, deadline: Deadline) -> None:
        """It need not be looked after any more; the thread finds that out when it wakes."""
        with self._changed:
            self._running.discard(deadline)

    def _run(self) -> None:
        while True:
            with self._changed:
                over = {one for one in self._running if one.passed}
                self._running -= over
                self._wakes = min((one.end for one in self._running), default=math.inf)
                if not over:
                    wait = self._wakes - time.monotonic()
                    self._changed.wait(None if math.isinf(wait) else max(0.0, wait))
            for one in over:
                one.shut()


_watch = _Watch()


class Deadline:
    """For the requests of this thread within the block."""

    def __init__(self, end: float) -> None:
        """A moment of time.monotonic(); infinity for none."""
        self.end = end
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        _current.deadline = self
        if not math.isinf(self.end):
            _watch.add(self)
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        _current.deadline = None
        _watch.remove(self)
        with self._lock:
            while self._sockets:
                self._sockets.pop().close()

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return time.monotonic() >= self.end

    def hold(self, connection: socket.socket) -> None:
        """This connection ends with it, also one that is closed already while the last of its answer is read."""
        with self._lock:
            self._sockets.append(connection.dup())
        if self.passed:
            self.shut()

    def shut(self) -> None:
        """End what waits for an answer."""
        with self._lock:
            for connection in self._sockets:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class Watched:
    """Mixed into urllib3's connections: each request is under the deadline of the thread that makes it."""

    _handle: socket.socket | None = None
    """The same connection by another number, which stays good when TLS takes the first one over."""

    def _new_conn(self) -> socket.socket:
        made: socket.socket = super()._new_conn()  # type: ignore[misc]
        self._release()
        self._handle = made.dup()
        self._hold()
        return made

    def request(self, *details: Any, **more: Any) -> None:
        """As it was, under the deadline."""
        self._hold()
        super().request(*details, **more)  # type: ignore[misc]

    def close(self) -> None:
        """Both numbers."""
        self._release()
        super().close()  # type: ignore[misc]

    def _hold(self) -> None:
        deadline: Deadline | None = getattr(_current, "deadline", None)
        if deadline and self._handle:
            deadline.hold(self._handle)

    def _release(self) -> None:
        if self._handle:
            self._handle.close()
            self._handle = None


def watch(manager: PoolManager) -> PoolManager:
    """All connections that this manager makes."""
    manager.pool_classes_by_scheme = {
        scheme: _build_watched_class(pool) for scheme, pool in manager.pool_classes_by_scheme.items()
    }
    return manager


def _build_watched_class(pool: Any) -> type[Any]:
    connection = type(pool.ConnectionCls.__name__, (Watched, pool.ConnectionCls), {})
    return type(pool.__name__, (pool,), {"ConnectionCls": connection})
