"""One request for one answer."""

from __future__ import annotations

import math
import time
from io import BytesIO
from typing import TYPE_CHECKING

from msgspec import Struct

from calivet.live.login.kubeconfig_shape import Discreet
from calivet.live.trouble import Trouble
from calivet.live.wire.answers import BODY, refusal, web_page
from calivet.live.wire.failures import Attempt, failure
from calivet.live.wire.route import Route

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

CONNECT_SECONDS = 10.0
PIECE = 64 * 1024
"""Bytes read at once: on a chunked answer faster than all of it, and with half the memory."""


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


def exchange(pool: PoolManager, request: Request, authorization: str, route: Route, end: float) -> bytes:
    """The body of the answer, read until this moment at the latest."""
    from http.client import HTTPException

    from urllib3.exceptions import HTTPError

    attempt = Attempt(route)
    if end <= time.monotonic():
        raise Trouble("timeout", f"no time was left to ask {route.server}")
    try:
        response = _sent(pool, request, authorization, end)
        attempt.answered = True
        try:
            return _answer(response, request, route, end)
        finally:
            # A connection that was read to its end is in the pool again and stays open.
            response.close()
    except (HTTPError, HTTPException, OSError) as error:
        raise failure(error, attempt) from None


def _sent(pool: PoolManager, request: Request, authorization: str, end: float) -> BaseHTTPResponse:
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


def _answer(response: BaseHTTPResponse, request: Request, route: Route, end: float) -> bytes:
    if not 200 <= response.status < 300:
        raise refusal(response, _body(response, BODY, end), route)
    if request.wants_json and response.headers.get("Content-Type", "").startswith("text/html"):
        raise web_page(route)
    return _body(response, request.limit, end)


def _body(response: BaseHTTPResponse, limit: int | None, end: float) -> bytes:
    buffer = BytesIO()
    missing = math.inf if limit is None else limit
    while missing > 0 and (piece := response.read(int(min(PIECE, missing)))):
        buffer.write(piece)
        missing -= len(piece)
        if time.monotonic() > end:
            raise TimeoutError
    return buffer.getvalue()
