"""Answers that are refusals: HTTP's status and Kubernetes' own Status object become trouble."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from calivet.live.trouble import Kind, Trouble, one_line
from calivet.live.wire.route import Route

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse

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


def refusal(response: BaseHTTPResponse, body: bytes, route: Route) -> Trouble:
    """The trouble that an answer other than 2xx means."""
    code = response.status
    if HTTPS_WANTED in body:
        return Trouble("tls", f"{route.server} wants HTTPS, but the kubeconfig says http://", status=code, body=body)
    status = _status(body)
    trouble = Trouble(
        KINDS.get(code, "refused" if 400 <= code < 500 else "broken"),
        _message(response, status, body, route),
        status=code,
        body=body,
        again=_again(response, status, body),
    )
    trouble.token = status.metadata.token or None
    return trouble


def web_page(route: Route) -> Trouble:
    """A success that is none: a login page or a proxy's own words."""
    return Trouble("broken", f"{route.way} sent a web page; does something else than Kubernetes answer there?")


def _status(body: bytes) -> Status:
    try:
        status = msgspec.json.decode(body, type=Status)
    except ValueError:  # no JSON, no UTF-8, another shape
        return Status()
    return status if status.kind == "Status" else Status()


def _message(response: BaseHTTPResponse, status: Status, body: bytes, route: Route) -> str:
    if status.message and response.status in SELF_EXPLAINING:
        return one_line(status.message)
    answered = one_line(f"{route.server} answered {response.status} {response.reason or ''}")
    said = one_line(status.message if status.kind else _said(body))
    return f"{answered}: {said}" if said else answered


def _said(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    if body.startswith(HEALTH_REPORT):
        text = "; ".join(line for line in text.splitlines() if line.startswith(FAILED_CHECK))
    return "a web page" if text.lstrip().startswith("<") else text


def _again(response: BaseHTTPResponse, status: Status, body: bytes) -> float | None:
    """Seconds to wait before another try; None where it would not help."""
    passing = response.status == 429 or response.status >= 500
    if not passing or body.startswith(HEALTH_REPORT) or any(words in body for words in OF_OTHERS):
        return None
    return _asked_wait(response.headers.get("Retry-After")) or (status.details.wait if status.details else 0)


def _asked_wait(header: str | None) -> float:
    from urllib3 import Retry
    from urllib3.exceptions import InvalidHeader

    try:
        return Retry().parse_retry_after(header) if header else 0
    except InvalidHeader:
        return 0
