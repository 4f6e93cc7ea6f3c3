"""One request for one answer: what can go wrong on the way, in words for the operator, and when to try again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from threading import Event
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from calivet.live.login.kubeconfig import Discreet
from calivet.live.trouble import Kind, Trouble, join_to_one_line
from calivet.live.wire.deadline import Deadline
from calivet.live.wire.pools import Route
from calivet.messages.message import Message, make_verbatim, message

if TYPE_CHECKING:
    import ssl

    from urllib3 import BaseHTTPResponse, PoolManager

# Codes of OpenSSL's verification.
NOT_YET_VALID = 9
EXPIRED = 10
WRONG_NAME = (62, 64)
# Parts of its reasons: bytes that are no TLS; a server that wants another client certificate.
NOT_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "RECORD_LAYER_FAILURE", "PACKET_LENGTH")
NOT_ACCEPTED = ("ALERT_CERTIFICATE", "ALERT_BAD_CERTIFICATE", "ALERT_UNKNOWN_CA", "ALERT_UNSUPPORTED_CERTIFICATE")


def describe_unverified(error: ssl.SSLCertVerificationError, route: Route) -> Trouble:
    """The server showed a certificate that does not prove who it is."""
    said = join_to_one_line(error.verify_message)
    if error.verify_code == EXPIRED:
        why = message("connection.server.expired", server=route.server)
    elif error.verify_code == NOT_YET_VALID:
        why = message("connection.server.early", server=route.server)
    elif error.verify_code in WRONG_NAME:
        why = message("connection.server.name", server=route.server, why=said.rstrip("."))
    elif route.authority:
        why = message("connection.server.ca", server=route.server, place=route.authority, why=said)
    else:
        why = message("connection.server.any_ca", server=route.server, why=said)
    return Trouble("tls", why)


def describe_not_agreed(error: ssl.SSLError, route: Route) -> Trouble:
    """The two sides did not come to terms."""
    reason = error.reason or str(error)
    if any(part in reason for part in NOT_TLS):
        return Trouble("tls", message("connection.no_tls", server=route.server))
    if any(part in reason for part in NOT_ACCEPTED):
        words = reason.partition("ALERT_")[2].replace("_", " ").lower()
        return Trouble("tls", message("connection.client.refused", server=route.server, why=words))
    why = join_to_one_line(reason.replace("_", " ").lower())
    return Trouble("tls", message("connection.tls", way=route.way, why=why))


def describe_with_proxy(error: ssl.SSLError, route: Route) -> Trouble:
    """A proxy that is itself reached by TLS must be known to the system; the cluster's CA does not count for it."""
    words = getattr(error, "verify_message", "") or error.reason or str(error)
    return Trouble("tls", message("connection.tls.proxy", proxy=route.proxy, why=join_to_one_line(words)))


class Attempt(Struct):
    """One try of one request: since when, and whether the answer has begun."""

    route: Route
    since: float = field(default_factory=time.monotonic)
    answered: bool = False


Words = Callable[[Any, Attempt], Trouble]


def describe_failure(error: BaseException, attempt: Attempt) -> Trouble:
    """The trouble behind an exception of urllib3 or of what lies below it."""
    chain = list(_walk_chain(error))
    for kind, words in _list_kinds(chain):
        for cause in chain:
            if isinstance(cause, kind):
                return words(cause, attempt)
    return _describe_unreachable(error, attempt)


def _walk_chain(error: BaseException) -> Iterator[BaseException]:
    """The error and those it was made from; urllib3 keeps them in several places."""
    seen: set[int] = set()
    waiting: list[Any] = [error]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]


def _list_kinds(
    chain: list[BaseException],
) -> list[tuple[type[BaseException] | tuple[type[BaseException], ...], Words]]:
    """The kinds of errors, the telling ones first."""
    import socket
    import ssl
    from http.client import BadStatusLine

    from urllib3 import exceptions

    at_proxy = any(isinstance(one, exceptions.ProxyError) for one in chain)
    of_certificate = describe_with_proxy if at_proxy else describe_unverified
    of_handshake = describe_with_proxy if at_proxy else describe_not_agreed
    return [
        (ssl.SSLCertVerificationError, lambda error, attempt: of_certificate(error, attempt.route)),
        (ssl.SSLEOFError, _cut),
        (ssl.SSLError, lambda error, attempt: of_handshake(error, attempt.route)),
        (socket.gaierror, _describe_unknown_host),
        (ConnectionRefusedError, _describe_refused),
        (ConnectionError, _cut),
        # To urllib3 a connection that was never made is a kind of timeout.
        (exceptions.NewConnectionError, _describe_unreachable),
        ((TimeoutError, exceptions.TimeoutError), _describe_late),
        (BadStatusLine, _describe_strange),
        (exceptions.DecodeError, _describe_strange),
        (exceptions.IncompleteRead, _cut),
        (OSError, _describe_unreachable),
        (exceptions.ProtocolError, _cut),
    ]


def _describe_late(_: BaseException, attempt: Attempt) -> Trouble:
    key = "connection.late.finish" if attempt.answered else "connection.late"
    return Trouble("timeout", message(key, way=attempt.route.way, seconds=f"{time.monotonic() - attempt.since:.2g}"))


def _cut(_: BaseException, attempt: Attempt) -> Trouble:
    key = "connection.cut.middle" if attempt.answered else "connection.cut"
    return Trouble("cut", message(key, way=attempt.route.way), again=0)


def _describe_strange(_: BaseException, attempt: Attempt) -> Trouble:
    return Trouble("broken", message("connection.strange", way=attempt.route.way), again=0)


def _describe_unknown_host(error: OSError, attempt: Attempt) -> Trouble:
    return Trouble("unreachable", message("connection.unknown_host", way=attempt.route.way, why=error.strerror))


def _describe_refused(_: BaseException, attempt: Attempt) -> Trouble:
    return Trouble("unreachable", message("connection.refused", way=attempt.route.way), again=0)


def _describe_unreachable(error: BaseException, attempt: Attempt) -> Trouble:
    cause = error.__cause__ or error
    words = join_to_one_line(getattr(cause, "strerror", None) or str(cause))
    return Trouble("unreachable", message("connection.unreachable", way=attempt.route.way, why=words))


BODY = 64 * 1024
"""Bytes of a failing answer that are kept."""
KINDS: dict[int, Kind] = {
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    408: "timeout",
    410: "gone",
    429: "busy",
    503: "busy",
    504: "timeout",
}
SELF_EXPLAINING = (403, 404, 410)
"""Where Kubernetes' own words need nothing before them."""
HTTPS_WANTED = b"Client sent an HTTP request to an HTTPS server"
# The API server works and speaks of somebody else, a kubelet say, whom it cannot reach: no use in asking again.
OF_OTHERS = (b"dial tcp", b"rror trying to reach service", b"No agent available")
HEALTH_REPORT = b"["
"""How the body of a health check begins: whatever its status, it is the answer."""
FAILED_CHECK = "[-]"


class _Head(Struct):
    token: str = field(default="", name="continue")


class _Details(Struct):
    wait: float = field(default=0, name="retryAfterSeconds")


class Status(Struct):
    """Kubernetes' way of saying what is wrong."""

    kind: str = ""
    message: str = ""
    metadata: _Head = field(default_factory=_Head)
    details: _Details | None = None


# Made here, by one thread: what msgspec finds out about a type must not be met half made by another.
_STATUS = msgspec.json.Decoder(Status)


def describe_refusal(response: BaseHTTPResponse, body: bytes, route: Route) -> Trouble:
    """The trouble that an answer other than 2xx means."""
    code = response.status
    if HTTPS_WANTED in body:
        return Trouble("tls", message("connection.https", server=route.server), status=code, body=body)
    status = _decode_status(body)
    trouble = Trouble(
        KINDS.get(code, "refused" if 400 <= code < 500 else "broken"),
        _build_message(response, status, body, route),
        status=code,
        body=body,
        again=_read_retry_delay(response, status, body),
    )
    trouble.token = status.metadata.token or None
    return trouble


def describe_web_page(route: Route) -> Trouble:
    """A success that is none: a login page or a proxy's own words."""
    return Trouble("broken", message("connection.web_page", way=route.way))


def _decode_status(body: bytes) -> Status:
    try:
        status = _STATUS.decode(body)
    except ValueError:  # no JSON, no UTF-8, another shape
        return Status()
    return status if status.kind == "Status" else Status()


def _build_message(response: BaseHTTPResponse, status: Status, body: bytes, route: Route) -> Message:
    if status.message and response.status in SELF_EXPLAINING:
        return make_verbatim(join_to_one_line(status.message))
    told = join_to_one_line(f"{response.status} {response.reason or ''}")
    if said := join_to_one_line(status.message if status.kind else _read_words(body)):
        return message("connection.answered.saying", server=route.server, status=told, said=said)
    return message("connection.answered", server=route.server, status=told)


def _read_words(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    if body.startswith(HEALTH_REPORT):
        text = "; ".join(line for line in text.splitlines() if line.startswith(FAILED_CHECK))
    return "a web page" if text.lstrip().startswith("<") else text


def _read_retry_delay(response: BaseHTTPResponse, status: Status, body: bytes) -> float | None:
    """Seconds to wait before another try; None where it would not help."""
    passing = response.status == 429 or response.status >= 500
    if not passing or body.startswith(HEALTH_REPORT) or any(words in body for words in OF_OTHERS):
        return None
    return _parse_retry_after(response.headers.get("Retry-After")) or (status.details.wait if status.details else 0)


def _parse_retry_after(header: str | None) -> float:
    from urllib3 import Retry
    from urllib3.exceptions import InvalidHeader

    try:
        return Retry().parse_retry_after(header) if header else 0
    except InvalidHeader:
        return 0


CONNECT_SECONDS = 10.0
PIECE = 64 * 1024
"""Bytes read at once: on a chunked answer faster than all of it, and with half the memory."""

MOST_BYTES = 128 << 20
"""Bytes of one answer, unpacked; the list of a hundred thousand pods, in one piece, has 40 MB."""
ENCODINGS = frozenset(("", "identity", "gzip"))
"""What was asked for; of an encoding within another a few kilobytes become gigabytes."""
SWOLLEN, WORTH_A_LOOK = 200, 8 << 20
"""Times that an answer is longer than what came over the wire, once it has so many bytes: lists pack to a thirtieth."""


class Request(Discreet, Struct):
    """What is asked, and how much of the answer is wanted."""

    method: str
    url: str
    headers: list[tuple[str, str]]
    body: bytes | None = None
    limit: int | None = None

    @property
    def wants_json(self) -> bool:
        """Whether nothing but JSON will do."""
        return any(name == "Accept" and "json" in value for name, value in self.headers)


def send_request(pool: PoolManager, request: Request, authorization: str, route: Route, end: float) -> bytes:
    """The body of the answer, read until this moment at the latest."""
    from http.client import HTTPException

    from urllib3.exceptions import HTTPError

    attempt = Attempt(route)
    if end <= time.monotonic():
        raise Trouble("timeout", message("connection.no_time", server=route.server))
    with Deadline(end) as deadline:
        try:
            response = _send_request(pool, request, authorization, end)
            attempt.answered = True
            try:
                return _answer(response, request, route, deadline)
            finally:
                # A connection that was read to its end is in the pool again and stays open.
                response.close()
        except (HTTPError, HTTPException, OSError) as error:
            # What an answer that was shut at the deadline looks like says nothing.
            raise describe_failure(TimeoutError() if deadline.passed else error, attempt) from None


def _send_request(pool: PoolManager, request: Request, authorization: str, end: float) -> BaseHTTPResponse:
    from urllib3 import HTTPHeaderDict, Timeout

    headers = HTTPHeaderDict(request.headers)
    if authorization:
        headers["Authorization"] = authorization
    seconds = end - time.monotonic()
    return pool.request(
        request.method,
        request.url,
        body=request.body,
        headers=headers,
        timeout=Timeout(connect=min(CONNECT_SECONDS, seconds), read=None if math.isinf(seconds) else seconds),
        retries=False,
        redirect=False,
        preload_content=False,
    )


def _answer(response: BaseHTTPResponse, request: Request, route: Route, deadline: Deadline) -> bytes:
    if not 200 <= response.status < 300:
        raise describe_refusal(response, _read_body(response, BODY, deadline), route)
    if request.wants_json and response.headers.get("Content-Type", "").startswith("text/html"):
        raise describe_web_page(route)
    if response.headers.get("Content-Encoding", "").strip().lower() not in ENCODINGS:
        raise Trouble("broken", message("connection.packed", server=route.way))
    body = _read_body(response, request.limit or MOST_BYTES + 1, deadline)
    if len(body) > WORTH_A_LOOK and len(body) > SWOLLEN * response.tell():
        raise Trouble("broken", message("connection.swollen", server=route.way, times=SWOLLEN))
    if not request.limit and len(body) > MOST_BYTES:
        raise Trouble("broken", message("connection.large", server=route.way, limit=MOST_BYTES))
    return body


def _read_body(response: BaseHTTPResponse, limit: int, deadline: Deadline) -> bytes:
    buffer = BytesIO()
    missing = limit
    while missing > 0 and (piece := response.read(min(PIECE, missing))):
        buffer.write(piece)
        missing -= len(piece)
        if limit - missing > WORTH_A_LOOK and limit - missing > SWOLLEN * response.tell():
            break
        if deadline.passed:
            raise TimeoutError
    if deadline.passed:  # the end of what was shut is not the end of the answer
        raise TimeoutError
    return buffer.getvalue()


WAITS = (0.2, 0.5, 1.0)
"""Seconds between the tries, unless the server asks for more."""
TRIES = 1 + len(WAITS)


def retry_until(attempt: Callable[[], bytes], deadline: float, closed: Event) -> bytes:
    """What the attempt gives, tried again while that makes sense; the last trouble where it never does."""
    for wait in WAITS:
        try:
            return attempt()
        except Trouble as trouble:
            if trouble.again is None:
                raise
            pause = max(wait, trouble.again)
            if time.monotonic() + pause >= deadline:
                if trouble.again:
                    trouble.message = message("connection.wait", answer=trouble.message, seconds=f"{trouble.again:.0f}")
                raise
            if closed.wait(pause):
                raise
    return attempt()
