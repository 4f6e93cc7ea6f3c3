"""Ways in which an answer of the API server can be spoiled."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping

from msgspec import Struct, field

LOCK = threading.Lock()


class Fault(Struct):
    """What befalls the requests in whose path, with its query, the expression is found."""

    path: str
    times: int | None = None
    """How many of them; those after them pass. None: all."""
    skip: int = 0
    """How many of them pass before the first that is struck."""
    status: int | None = None
    """Answered in place of the API server."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    cut_after: int | None = None
    """The connection is reset after so many bytes of the real answer's body."""
    hang: bool = False
    """No answer until the client gives up."""
    before: Callable[[], None] | None = None
    """Done before the request is passed on."""
    smaller: int | None = None
    """The page that is asked for is made so small."""
    hits: int = 0
    """How many requests it was found in."""

    def strikes(self, path: str) -> bool:
        """Whether it befalls this request; counts."""
        if not re.search(self.path, path):
            return False
        with LOCK:
            self.hits += 1
            return self.skip < self.hits and (self.times is None or self.hits <= self.skip + self.times)


def busy(path: str, times: int | None = None, *, retry_after: int = 1) -> Fault:
    """429, as the API server's own flow control says it."""
    return Fault(
        path,
        times,
        status=429,
        headers={"Retry-After": str(retry_after), "Content-Type": "text/plain; charset=utf-8"},
        body="Too many requests, please try again later.\n",
    )


def broken(path: str, times: int | None = None) -> Fault:
    """500, as it comes when etcd does not answer in time."""
    message = "etcdserver: request timed out"
    status = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "code": 500,
    }
    return Fault(path, times, status=500, headers={"Content-Type": "application/json"}, body=json.dumps(status))


def cut(path: str, after: int, times: int | None = None) -> Fault:
    """The connection breaks in the middle of an answer."""
    return Fault(path, times, cut_after=after)


def silent(path: str, times: int | None = None) -> Fault:
    """No answer comes."""
    return Fault(path, times, hang=True)


def small_pages(path: str, size: int) -> Fault:
    """Lists come in many pages, as those of a large cluster do."""
    return Fault(path, smaller=size)


def outlived(path: str, compact: Callable[[], None], times: int = 1) -> Fault:
    """A list of several pages takes so long that the API server no longer has its snapshot: a real 410."""
    return Fault(rf"{path}.*continue=", times, before=compact)
