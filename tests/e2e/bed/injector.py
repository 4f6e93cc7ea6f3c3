"""Stands between a client and the API server and spoils chosen answers; all others it passes on as they are.

It ends TLS with a certificate of the bed's authority, so whoever comes through it must use a token.
"""

from __future__ import annotations

import http.client
import re
import select
import socket
import ssl
import struct
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.bed.certificates import Certificates
from tests.e2e.bed.fault import Fault

NOT_PASSED_ON = {"connection", "transfer-encoding", "content-length", "keep-alive", "host"}
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Injector(ThreadingHTTPServer):
    """Serves from a thread of its own until it is closed; `faults` may change between requests."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, certificates: Certificates, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.url = f"https://127.0.0.1:{self.server_port}"
        self.faults: list[Fault] = []
        self.asked: list[str] = []
        """Method, path and query of every request, in order."""
        self.closing = threading.Event()
        parts = urlsplit(upstream)
        self._upstream = parts.hostname or "", parts.port
        self._trust = ssl.create_default_context(cafile=str(certificates.ca))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*map(str, certificates.issue("injector", "127.0.0.1", "localhost")))
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def upstream(self) -> http.client.HTTPSConnection:
        """A new connection to the API server."""
        return http.client.HTTPSConnection(*self._upstream, context=self._trust, timeout=60)

    def reset(self) -> None:
        """Passes everything on again."""
        self.faults, self.asked = [], []

    def finish_request(self, request: Any, client_address: Any) -> None:
        """The handshake happens in the thread of the connection; a client that does not trust us is no news."""
        with suppress(OSError), self.context.wrap_socket(request, server_side=True) as secured:
            _Exchange(secured, client_address, self)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A peer that went away is no news."""

    def close(self) -> None:
        """No more requests; those that hang are let go."""
        self.closing.set()
        self.shutdown()
        self.server_close()


class _Exchange(BaseHTTPRequestHandler):
    """The requests of one connection."""

    protocol_version = "HTTP/1.1"
    server: Injector

    def setup(self) -> None:
        super().setup()
        self.upstream = self.server.upstream()

    def finish(self) -> None:
        self.upstream.close()
        super().finish()

    def handle_method(self) -> None:
        """One request: spoiled by the first fault that answers itself, changed by those before it, or passed on as it is."""
        self.server.asked.append(f"{self.command} {self.path}")
        payload = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
        striking = []
        for fault in self.server.faults:
            if fault.strikes(self.path):
                if fault.hang:
                    return self._keep_silent()
                if fault.status:
                    return self._answer(fault.status, dict(fault.headers), fault.body.encode())
                striking.append(fault)
        return self._pass_on(payload, striking)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_method  # noqa: N815 - names that the base class asks for

    def _pass_on(self, payload: bytes | None, striking: list[Fault]) -> None:
        path = self.path
        for fault in striking:
            if fault.before:
                fault.before()
            if fault.smaller:
                path = re.sub(r"\blimit=\d+", f"limit={fault.smaller}", path)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in NOT_PASSED_ON}
        self.upstream.request(self.command, path, payload, headers)
        answer = self.upstream.getresponse()
        kept = {name: value for name, value in answer.getheaders() if name.lower() not in NOT_PASSED_ON}
        cuts = [fault.cut_after for fault in striking if fault.cut_after is not None]
        self._answer(answer.status, kept, answer.read(), cut_after=min(cuts, default=None))

    def _answer(self, status: int, headers: dict[str, str], body: bytes, cut_after: int | None = None) -> None:
        self.send_response_only(status)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[:cut_after])
        if cut_after is not None:
            # No polite end of TLS: the other side sees a reset, as when a load balancer loses its server.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            self.close_connection = True

    def _keep_silent(self) -> None:
        self.close_connection = True
        while not self.server.closing.is_set():
            if select.select([self.connection], [], [], 0.05)[0] and not self.connection.recv(4096):
                return

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name that is overridden
        """Says nothing; tests look at `asked`."""
