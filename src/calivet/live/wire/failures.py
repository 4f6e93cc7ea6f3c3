"""Requests that got no whole answer: what the libraries below raise, in words for the operator."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, field

from calivet.live.trouble import Trouble, one_line
from calivet.live.wire import tls_failures
from calivet.live.wire.route import Route


class Attempt(Struct):
    """One try of one request: since when, and whether the answer has begun."""

    route: Route
    since: float = field(default_factory=time.monotonic)
    answered: bool = False


Words = Callable[[Any, Attempt], Trouble]


def failure(error: BaseException, attempt: Attempt) -> Trouble:
    """The trouble behind an exception of urllib3 or of what lies below it."""
    chain = list(_chain(error))
    for kind, words in _table(chain):
        for cause in chain:
            if isinstance(cause, kind):
                return words(cause, attempt)
    return _unreachable(error, attempt)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and those it was made from; urllib3 keeps them in several places."""
    seen: set[int] = set()
    waiting: list[Any] = [error]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]


def _table(chain: list[BaseException]) -> list[tuple[type[BaseException] | tuple[type[BaseException], ...], Words]]:
    """The kinds of errors, the telling ones first."""
    import socket
    import ssl
    from http.client import BadStatusLine

    from urllib3 import exceptions

    at_proxy = any(isinstance(one, exceptions.ProxyError) for one in chain)
    unverified = tls_failures.with_proxy if at_proxy else tls_failures.unverified
    not_agreed = tls_failures.with_proxy if at_proxy else tls_failures.not_agreed
    return [
        (ssl.SSLCertVerificationError, lambda error, attempt: unverified(error, attempt.route)),
        (ssl.SSLEOFError, _cut),
        (ssl.SSLError, lambda error, attempt: not_agreed(error, attempt.route)),
        (socket.gaierror, _unknown_host),
        (ConnectionRefusedError, _refused),
        (ConnectionError, _cut),
        # To urllib3 a connection that was never made is a kind of timeout.
        (exceptions.NewConnectionError, _unreachable),
        ((TimeoutError, exceptions.TimeoutError), _late),
        (BadStatusLine, _strange),
        (exceptions.DecodeError, _strange),
        (exceptions.IncompleteRead, _cut),
        (OSError, _unreachable),
        (exceptions.ProtocolError, _cut),
    ]


def _late(_: BaseException, attempt: Attempt) -> Trouble:
    what = "did not finish its answer" if attempt.answered else "did not answer"
    return Trouble("timeout", f"{attempt.route.way} {what} within {time.monotonic() - attempt.since:.2g} s")


def _cut(_: BaseException, attempt: Attempt) -> Trouble:
    when = "in the middle of its answer" if attempt.answered else "before it answered"
    return Trouble("cut", f"{attempt.route.way} closed the connection {when}", again=0)


def _strange(_: BaseException, attempt: Attempt) -> Trouble:
    return Trouble("broken", f"{attempt.route.way} sent something that is not a valid HTTP answer", again=0)


def _unknown_host(error: OSError, attempt: Attempt) -> Trouble:
    return Trouble("unreachable", f"cannot reach {attempt.route.way}: host name not found ({error.strerror})")


def _refused(_: BaseException, attempt: Attempt) -> Trouble:
    return Trouble("unreachable", f"cannot reach {attempt.route.way}: connection refused", again=0)


def _unreachable(error: BaseException, attempt: Attempt) -> Trouble:
    cause = error.__cause__ or error
    words = one_line(getattr(cause, "strerror", None) or str(cause))
    return Trouble("unreachable", f"cannot reach {attempt.route.way}: {words}")
