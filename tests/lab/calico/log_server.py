"""The port of a kubelet that the API server asks for logs and settings: real, so that what befalls the way befalls it."""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.e2e.bed.kubelet import Kubelet


class LogServer(ThreadingHTTPServer):
    """Serves from a thread of its own until it is shut down."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, context: ssl.SSLContext, answers: Kubelet) -> None:
        super().__init__(("127.0.0.1", 0), _Requests, bind_and_activate=False)
        self.socket.close()
        self.socket, self.context, self.answers = listener, context, answers

    def finish_request(self, request: Any, client_address: Any) -> None:
        """TLS is spoken in the thread of the request: whoever is slow holds up nobody else."""
        with suppress(OSError), self.context.wrap_socket(request, server_side=True) as secured:
            _Requests(secured, client_address, self)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A peer that went away is no news."""


class _Requests(BaseHTTPRequestHandler):
    server: LogServer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        status, content, text = self.server.answers.answer(parts.path, dict(parse_qsl(parts.query)))
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", content)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name that is overridden
        """Says nothing."""


def serve(listener: socket.socket, context: ssl.SSLContext, answers: Kubelet) -> LogServer:
    """Begins to serve."""
    server = LogServer(listener, context, answers)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()
    return server
