"""Real proxies in a thread: one that is asked by CONNECT, one that speaks SOCKS 5."""

from __future__ import annotations

import socket
import socketserver
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import trustme


class ProxyServer(socketserver.ThreadingTCPServer):
    """Remembers whereto and with which password it was asked, and leads everybody to one port of this machine."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, handler: type[socketserver.StreamRequestHandler], port: int, refusal: bytes) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.port = port
        self.refusal = refusal
        self.asked: list[tuple[str, str]] = []

    def lead(self, client: socket.socket) -> None:
        """Carries bytes both ways until either side has enough."""
        with socket.create_connection(("127.0.0.1", self.port)) as server:
            back = threading.Thread(target=_carry, args=(server, client))
            back.start()
            _carry(client, server)
            back.join()


def _carry(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            sink.sendall(piece)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


class Connect(socketserver.StreamRequestHandler):
    """CONNECT host:port HTTP/1.1."""

    server: ProxyServer

    def handle(self) -> None:
        # Unbuffered, so that nothing of what follows the head is swallowed.
        head = b""
        while b"\r\n\r\n" not in head:
            if not (byte := self.request.recv(1)):
                return
            head += byte
        lines = head.decode().split("\r\n")
        login = next((line.partition(": ")[2] for line in lines if line.lower().startswith("proxy-authorization:")), "")
        self.server.asked.append((lines[0].split()[1], login))
        if self.server.refusal:
            self.request.sendall(b"HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n" % self.server.refusal)
            return
        self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        self.server.lead(self.request)


class Socks(socketserver.StreamRequestHandler):
    """SOCKS 5 with a password, host names resolved by the proxy."""

    server: ProxyServer

    def handle(self) -> None:
        take = self.request.recv
        take(take(2)[1])
        self.request.sendall(b"\x05\x02")
        user = take(take(2)[1]).decode()
        password = take(take(1)[0]).decode()
        self.request.sendall(b"\x01\x00")
        assert take(4)[3] == 3, "a host name, not an address"
        host = take(take(1)[0]).decode()
        (port,) = struct.unpack(">H", take(2))
        self.server.asked.append((f"{host}:{port}", f"{user}:{password}"))
        self.request.sendall(b"\x05\x00\x00\x01" + bytes(6))
        self.server.lead(self.request)


@contextmanager
def proxying(
    port: int,
    *,
    handler: type[socketserver.StreamRequestHandler] = Connect,
    refusal: bytes = b"",
    certificate: trustme.LeafCert | None = None,
) -> Iterator[ProxyServer]:
    """A proxy for the length of a block; with a certificate it is itself reached by TLS."""
    with ProxyServer(handler, port, refusal) as server:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            certificate.configure_cert(context)
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
            server.handle_error = lambda *_: None  # type: ignore[method-assign]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
