"""A real HTTP or HTTPS server in a thread that answers as it is told and remembers what it was asked."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import Message
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import trustme

PAST = datetime(2020, 1, 1, tzinfo=UTC)


class Reply(NamedTuple):
    """One answer; `promised` is a length larger than the body, so that the connection ends too early."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = {}
    promised: int | None = None


class Asked(NamedTuple):
    """One request that came in."""

    method: str
    path: str
    headers: Message
    body: bytes
    client: str
    port: int


@cache
def authority() -> trustme.CA:
    """The CA of all well configured servers."""
    return trustme.CA()


@cache
def stranger() -> trustme.CA:
    """A CA that nobody trusts."""
    return trustme.CA()


def authority_pem() -> bytes:
    """The CA as a kubeconfig holds it."""
    return authority().cert_pem.bytes()


class ApiServer(ThreadingHTTPServer):
    """Answers each path with its replies in turn; the last one stays."""

    daemon_threads = True

    def __init__(self, certificate: trustme.LeafCert | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies: dict[str, list[Reply]] = {}
        self.asked: list[Asked] = []
        self.lock = threading.Lock()
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.server_port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            certificate.configure_cert(context)
            authority().configure_trust(context)
            context.verify_mode = ssl.CERT_OPTIONAL
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def reply(self, asked: Asked) -> Reply:
        with self.lock:
            self.asked.append(asked)
            waiting = self.replies.get(asked.path.partition("?")[0], [Reply()])
            return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away, or does not trust this server, is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ApiServer

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        asked = Asked(
            self.command, self.path, self.headers, self.rfile.read(length), self._client(), self.client_address[1]
        )
        reply = self.server.reply(asked)
        self.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(reply.promised or len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)
        self.close_connection = reply.promised is not None

    def do_POST(self) -> None:
        self.do_GET()

    def _client(self) -> str:
        """The common name in the client's certificate."""
        shown = self.connection.getpeercert() if isinstance(self.connection, ssl.SSLSocket) else None
        subject: Any = (shown or {}).get("subject", ())
        return next((value for part in subject for name, value in part if name == "commonName"), "")

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving(certificate: trustme.LeafCert | None = None, *, plain: bool = False) -> Iterator[ApiServer]:
    """A server for the length of a block; by default with a good certificate."""
    if not plain and certificate is None:
        certificate = good_certificate()
    server = ApiServer(certificate)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@cache
def good_certificate() -> trustme.LeafCert:
    return authority().issue_cert("127.0.0.1", "localhost", "kube.example")


@cache
def client_certificate(name: str, *, expired: bool = False) -> tuple[bytes, bytes]:
    """Certificate and key of a user, in PEM."""
    identity = f"{name}@example.org"
    if expired:
        leaf = authority().issue_cert(identity, not_before=PAST, not_after=PAST + timedelta(days=1))
    else:
        leaf = authority().issue_cert(identity, common_name=name)
    return leaf.cert_chain_pems[0].bytes(), leaf.private_key_pem.bytes()
