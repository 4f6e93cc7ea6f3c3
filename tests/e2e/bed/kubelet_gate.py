"""The way from the API server to every kubelet: a CONNECT proxy on a unix socket that answers as the node that was meant.

Nodes keep the addresses a cluster would have; nothing is ever sent to them.
"""

from __future__ import annotations

import select
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.e2e.bed.kubelet import Kubelet

CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"
# The API server repeats these words, so that its error reads as if it had dialled the node itself.
NOT_CONNECTED = "HTTP/1.1 502 dial tcp {address}: connect: {why}\r\nContent-Length: 0\r\n\r\n"
WHY = {"refused": "connection refused", "no route": "no route to host"}


class KubeletGate(socketserver.ThreadingUnixStreamServer):
    """Serves from a thread of its own until it is closed."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, path: Path, certificate: tuple[Path, Path]) -> None:
        super().__init__(str(path), _Tunnel)
        self.path = path
        self.kubelets: dict[str, Kubelet] = {}
        """By the address of the node."""
        self.asked: list[tuple[str, str]] = []
        """Node and path of every request, in order."""
        self.on_request: Callable[[str, str], None] | None = None
        """Called with node and path before a request is answered."""
        self.closing = threading.Event()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*map(str, certificate))
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        """No more requests; those that hang are let go."""
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A peer that went away is no news."""


class _Tunnel(socketserver.BaseRequestHandler):
    """One CONNECT, and what is spoken through it."""

    server: KubeletGate

    def handle(self) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            if not (received := self.request.recv(4096)):
                return
            head += received
        address = head.split()[1].decode()
        kubelet = self.server.kubelets.get(address.rpartition(":")[0])
        if kubelet is None or kubelet.reach in WHY:
            why = WHY[kubelet.reach if kubelet else "no route"]
            self.request.sendall(NOT_CONNECTED.format(address=address, why=why).encode())
        elif kubelet.reach == "silent":
            self._keep_silent()
        else:
            self.request.sendall(CONNECTED)
            # Whoever is killed, or hangs up, in the middle of it leaves an error that means nothing.
            with suppress(OSError), self.server.context.wrap_socket(self.request, server_side=True) as secured:
                _Requests(secured, self.server, kubelet)

    def _keep_silent(self) -> None:
        """As packets do that are dropped: no answer until the other side gives up."""
        while not self.server.closing.is_set():
            if select.select([self.request], [], [], 0.05)[0] and not self.request.recv(4096):
                return


class _Requests(BaseHTTPRequestHandler):
    """Requests to one kubelet."""

    protocol_version = "HTTP/1.1"
    server: KubeletGate

    def __init__(self, request: socket.socket, gate: KubeletGate, kubelet: Kubelet) -> None:
        self.kubelet = kubelet
        super().__init__(request, ("", 0), gate)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.asked.append((self.kubelet.node, self.path))
        if self.server.on_request:
            self.server.on_request(self.kubelet.node, self.path)
        status, content, text = self.kubelet.answer(parts.path, dict(parse_qsl(parts.query)))
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", content)
        self.send_header("Content-Length", str(len(body)))
        # The next request comes through the gate again, where it is seen which cluster is in the bed by then.
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name that is overridden
        """Says nothing; tests look at `asked`."""
