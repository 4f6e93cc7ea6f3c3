"""The connection to the API server, set up as kubectl does it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event

from msgspec import Struct

from calivet import __version__
from calivet.live.login import identity, kubeconfig
from calivet.live.login.credentials import Credentials, find_credentials
from calivet.live.login.identity import Identity
from calivet.live.login.kubeconfig import Target
from calivet.live.trouble import ConfigError, Trouble
from calivet.live.wire.exchange import TRIES, Request, retry_until, send_request
from calivet.live.wire.pools import Address, Pools, parse_server_address
from calivet.messages.message import Message, message

JSON = "application/json"
MOST_BYTES = 2 << 30
"""Bytes of all answers of one run."""


class Access(Struct, frozen=True):
    """What the user chose on the command line."""

    kubeconfig: str | None = None
    context: str | None = None
    timeout: float = 30.0
    """Seconds for one request; 0 for no limit, as in kubectl."""
    until: float = math.inf
    """The moment, of time.monotonic(), after which nothing more is asked and no answer is waited for."""
    impersonate: str | None = None
    groups: tuple[str, ...] = ()


def connect(access: Access) -> Connection:
    """Sets everything up without asking the server anything; ConfigError where that fails."""
    target = kubeconfig.find_target(access.kubeconfig, access.context)
    where = parse_server_address(target)
    source = find_credentials(target)
    pools = Pools(target, where)
    # What is wrong with certificates is said now; a plugin is not run before it is needed.
    pools.pool(None if target.user.exec else source.current().pair)
    return Connection(access, target, where, source, pools)


class Connection:
    """Many threads may ask at once."""

    def __init__(self, access: Access, target: Target, where: Address, source: Credentials, pools: Pools) -> None:
        self.server = where.url
        self.context = target.context
        self.found = target.found
        self._user_place = target.user_place
        self._address = where
        self._source = source
        self._pools = pools
        self._seconds = access.timeout or math.inf
        self._until = access.until
        self._bytes = 0
        self._closed = Event()
        # On one machine packing costs more time than it saves.
        packed = not where.loopback and not target.cluster.disable_compression
        self._headers = [
            ("User-Agent", f"calivet/{__version__}"),
            ("Accept-Encoding", "gzip" if packed else "identity"),
            *identity.build_headers(target.user, access.impersonate, access.groups),
        ]

    def get(
        self,
        path: str,
        query: Mapping[str, str] | None = None,
        accept: str = JSON,
        deadline: float | None = None,
        limit: int | None = None,
    ) -> bytes:
        """The body of the answer, or its first `limit` bytes; raises Trouble.

        Tries again where that makes sense, but not past the deadline, a moment of time.monotonic().
        """
        headers = [*self._headers, ("Accept", accept)]
        return self._ask(Request("GET", self._address.to(path, query or {}), headers, limit=limit), deadline)

    def post(self, path: str, body: bytes) -> bytes:
        """For the reviews that answer what the user may do: they are asked by POST and change nothing."""
        headers = [*self._headers, ("Accept", JSON), ("Content-Type", JSON)]
        return self._ask(Request("POST", self._address.to(path, {}), headers, body), None)

    @contextmanager
    def hurry(self, seconds: float) -> Iterator[None]:
        """The same for what is asked within the block; after it as before, unless it was hastened there."""
        usual = self._seconds
        self._seconds = hurried = min(usual, seconds)
        try:
            yield
        finally:
            if self._seconds == hurried:
                self._seconds = usual

    def hasten(self, seconds: float) -> None:
        """Wait no longer than this for one answer from now on: who is ill answers from memory at once or not at all."""
        self._seconds = min(self._seconds, seconds)

    def ask_once(self, method: str, path: str, query: Mapping[str, str], body: bytes | None, content: str) -> bytes:
        """For `live/changing.py` alone: what changes something is not sent again where its fate is not known."""
        headers = [*self._headers, ("Accept", JSON), *([("Content-Type", content)] if body else [])]
        request = Request(method, self._address.to(path, query), headers, body)
        try:
            return self._attempt(request, min(time.monotonic() + self._seconds, self._until))
        except ConfigError as error:
            raise Trouble("unauthorized", error.message) from None

    def close(self) -> None:
        """Lets go of idle connections and ends all waiting for another try."""
        self._closed.set()
        self._pools.close()

    def _ask(self, request: Request, deadline: float | None) -> bytes:
        end = time.monotonic() + TRIES * self._seconds if deadline is None else deadline
        end = min(end, self._until)
        if self._bytes > MOST_BYTES:
            raise Trouble("broken", message("connection.sent_enough", server=self.server, limit=MOST_BYTES))
        try:
            body = retry_until(lambda: self._attempt(request, end), end, self._closed)
        except ConfigError as error:
            raise Trouble("unauthorized", error.message) from None
        self._bytes += len(body)  # several threads may lose a count to one another; it need not be exact
        return body

    def _attempt(self, request: Request, end: float) -> bytes:
        """One try, and another at once where there is a newer identity than the one that was not accepted."""
        identity = self._source.current()
        try:
            return self._exchange(request, identity, end)
        except Trouble as trouble:
            if trouble.kind != "unauthorized" or not self._source.renewed(identity):
                raise
        return self._exchange(request, self._source.current(), end)

    def _exchange(self, request: Request, identity: Identity, end: float) -> bytes:
        pool = self._pools.pool(identity.pair)
        end = min(end, time.monotonic() + self._seconds)
        try:
            return send_request(pool, request, identity.authorization, self._pools.route, end)
        except Trouble as trouble:
            if trouble.kind == "unauthorized":
                trouble.message = self._not_accepted(identity)
            raise

    def _not_accepted(self, identity: Identity) -> Message:
        owner = self._user_place
        if not (identity.authorization or identity.pair):
            return message("connection.anonymous", server=self.server, owner=owner)
        if expired := identity.expired():
            return message("connection.credentials.expired", server=self.server, owner=owner, expired=expired)
        return message("connection.credentials", server=self.server, owner=owner)
