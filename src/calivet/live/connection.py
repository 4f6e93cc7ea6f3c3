"""The connection to the API server, set up as kubectl does it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from threading import Event

from msgspec import Struct

from calivet import __version__
from calivet.live.login import impersonation, kubeconfig
from calivet.live.login.credentials import Credentials, credentials
from calivet.live.login.identity import Identity
from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError, Trouble
from calivet.live.wire.address import Address, address
from calivet.live.wire.exchange import Request, exchange
from calivet.live.wire.pools import Pools
from calivet.live.wire.retrying import TRIES, persist

JSON = "application/json"


class Access(Struct, frozen=True):
    """What the user chose on the command line."""

    kubeconfig: str | None = None
    context: str | None = None
    timeout: float = 30.0
    """Seconds for one request; 0 for no limit, as in kubectl."""
    impersonate: str | None = None
    groups: tuple[str, ...] = ()


def connect(access: Access) -> Connection:
    """Sets everything up without asking the server anything; ConfigError where that fails."""
    _require_library()
    target = kubeconfig.target(access.kubeconfig, access.context)
    where = address(target)
    source = credentials(target)
    pools = Pools(target, where)
    # What is wrong with certificates is said now; a plugin is not run before it is needed.
    pools.pool(None if target.user.exec else source.current().pair)
    return Connection(access, target, where, source, pools)


def _require_library() -> None:
    from importlib.util import find_spec

    if find_spec("urllib3") is None:
        raise ConfigError("to ask a cluster the package urllib3 is missing: install calivet[live]")


class Connection:
    """Many threads may ask at once."""

    def __init__(self, access: Access, target: Target, where: Address, source: Credentials, pools: Pools) -> None:
        self.server = where.url
        self.context = target.context
        self._user_place = target.user_place
        self._address = where
        self._source = source
        self._pools = pools
        self._seconds = access.timeout or math.inf
        self._closed = Event()
        # On one machine packing costs more time than it saves.
        packed = not where.loopback and not target.cluster.disable_compression
        self._headers = [
            ("User-Agent", f"calivet/{__version__}"),
            ("Accept-Encoding", "gzip" if packed else "identity"),
            *impersonation.headers(target.user, access.impersonate, access.groups),
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

    def close(self) -> None:
        """Lets go of idle connections and ends all waiting for another try."""
        self._closed.set()
        self._pools.close()

    def _ask(self, request: Request, deadline: float | None) -> bytes:
        end = time.monotonic() + TRIES * self._seconds if deadline is None else deadline
        try:
            return persist(lambda: self._attempt(request, end), end, self._closed)
        except ConfigError as error:
            raise Trouble("unauthorized", str(error)) from None

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
            return exchange(pool, request, identity.authorization, self._pools.route, end)
        except Trouble as trouble:
            if trouble.kind == "unauthorized":
                trouble.message = f"{self.server} does not accept {self._shown(identity)}"
            raise

    def _shown(self, identity: Identity) -> str:
        if not (identity.authorization or identity.pair):
            return f"requests without credentials, and {self._user_place} has none"
        expired = identity.expired()
        return f"the credentials of {self._user_place}" + (f": {expired}" if expired else "")
