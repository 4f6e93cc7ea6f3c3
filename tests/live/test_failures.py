"""Everything that can go wrong before there is an answer, each with its own words."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from calivet.live.connection import Access, connect
from calivet.live.trouble import Trouble
from calivet.live.wire import exchange
from calivet.live.wire.exchange import Attempt, describe_failure
from calivet.live.wire.pools import Route
from tests.live.api_server import good_certificate
from tests.live.kubeconfigs import connected, written


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(exchange, "WAITS", (0, 0, 0))


@contextmanager
def listening(behave: Callable[[socket.socket], None], *, tls: bool = True) -> Iterator[int]:
    """A port behind which each connection is treated in this way."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    good_certificate().configure_cert(context)

    def serve() -> None:
        while True:
            try:
                accepted, _ = listener.accept()
            except OSError:
                return
            with suppress(OSError), accepted:
                if not tls:
                    behave(accepted)
                    continue
                with context.wrap_socket(accepted, server_side=True) as secured:
                    behave(secured)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


def head(connection: socket.socket) -> bytes:
    """Reads the whole head of a request."""
    read = b""
    while b"\r\n\r\n" not in read:
        read += connection.recv(4096)
    return read


def say(connection: socket.socket, text: bytes) -> None:
    head(connection)
    connection.sendall(text)
    connection.close()


def reset(connection: socket.socket) -> None:
    head(connection)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def hang(connection: socket.socket) -> None:
    """Takes whatever comes and never says a word, until the other side gives up."""
    while connection.recv(4096):
        pass


def hang_later(connection: socket.socket) -> None:
    head(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
    hang(connection)


def trouble(folder, server: str, timeout: float = 20, **cluster) -> Trouble:
    connection = connect(Access(kubeconfig=written(folder, server, {"token": "s3cr3t"}, **cluster), timeout=timeout))
    with pytest.raises(Trouble) as raised:
        connection.get("/version")
    connection.close()
    assert "s3cr3t" not in str(raised.value)
    assert "\n" not in str(raised.value.message)
    return raised.value


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_nobody_listens(tmp_path):
    server = f"https://127.0.0.1:{closed_port()}"
    found = trouble(tmp_path, server)
    assert (found.kind, str(found.message)) == ("unreachable", f"cannot reach {server}: connection refused")
    assert found.status is None


def test_a_user_or_password_in_the_address_is_not_shown(tmp_path):
    port = closed_port()
    found = trouble(tmp_path, f"https://ada:s3cr3t@127.0.0.1:{port}")
    assert str(found.message) == f"cannot reach https://127.0.0.1:{port}: connection refused"


def test_a_host_name_that_does_not_resolve(tmp_path, monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    found = trouble(tmp_path, "https://kube.invalid:6443")
    message = "cannot reach https://kube.invalid:6443: host name not found (Name or service not known)"
    assert (found.kind, str(found.message)) == ("unreachable", message)


def test_no_route(tmp_path, monkeypatch):
    def unreachable(*_, **__):
        raise OSError(113, "No route to host")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    found = trouble(tmp_path, "https://127.0.0.1:6443")
    assert (found.kind, str(found.message)) == ("unreachable", "cannot reach https://127.0.0.1:6443: No route to host")


@pytest.mark.parametrize(
    ("behave", "tls", "kind", "words"),
    [
        (lambda one: one.close(), False, "cut", "closed the connection before it answered"),
        (lambda one: say(one, b""), True, "cut", "closed the connection before it answered"),
        (reset, True, "cut", "closed the connection before it answered"),
        (
            lambda one: say(one, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nhe"),
            True,
            "cut",
            "closed the connection in the middle of its answer",
        ),
        (
            lambda one: say(one, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
            True,
            "cut",
            "closed the connection in the middle of its answer",
        ),
        (
            lambda one: say(one, b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
            True,
            "broken",
            "sent something that is not a valid HTTP answer",
        ),
        (lambda one: say(one, b"SSH-2.0-x\r\n"), True, "broken", "sent something that is not a valid HTTP answer"),
    ],
)
def test_connections_that_end_too_early(behave, tls, kind, words, tmp_path):
    with listening(behave, tls=tls) as port:
        found = trouble(tmp_path, f"https://127.0.0.1:{port}")
    assert (found.kind, str(found.message)) == (kind, f"https://127.0.0.1:{port} {words}")


@pytest.mark.parametrize(("behave", "tls"), [(hang, False), (hang, True), (hang_later, True)])
def test_each_silence_ends(behave, tls, tmp_path, monkeypatch):
    monkeypatch.setattr(exchange, "CONNECT_SECONDS", 0.2)
    with listening(behave, tls=tls) as port:
        found = trouble(tmp_path, f"https://127.0.0.1:{port}", timeout=0.3)
    assert found.kind == "timeout"
    assert str(found.message).startswith(f"https://127.0.0.1:{port} did not ")


def test_an_answer_without_end_is_left_at_the_deadline(tmp_path):
    def talk(connection: socket.socket) -> None:
        head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            time.sleep(0.001)  # so that no machine is fast enough to reach the limit of bytes first

    with listening(talk) as port:
        found = trouble(tmp_path, f"https://127.0.0.1:{port}", timeout=0.3)
    assert (found.kind, found.status) == ("timeout", None)


@pytest.mark.parametrize(("answered", "words"), [(False, "did not answer"), (True, "did not finish its answer")])
def test_a_timeout_says_how_far_it_came(answered, words):
    attempt = Attempt(Route("https://x.example", "", "http://proxy.example"), time.monotonic() - 20, answered)
    found = describe_failure(TimeoutError(), attempt)
    assert str(found.message) == f"https://x.example through proxy http://proxy.example {words} within 20 s"
    assert found.again is None


def test_plain_http_where_https_is_expected_and_the_other_way_round(tmp_path):
    go = b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"

    def answer_at_once(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(go)
        connection.shutdown(socket.SHUT_WR)
        hang(connection)

    with listening(answer_at_once, tls=False) as port:
        found = trouble(tmp_path, f"https://127.0.0.1:{port}")
        message = f"https://127.0.0.1:{port} does not speak TLS; does the server listen on plain HTTP there?"
        assert (found.kind, str(found.message)) == ("tls", message)
        found = trouble(tmp_path, f"http://127.0.0.1:{port}")
        message = f"http://127.0.0.1:{port} wants HTTPS, but the kubeconfig says http://"
        assert (found.kind, str(found.message)) == ("tls", message)


def test_a_connection_that_the_server_let_go_is_replaced(tmp_path):
    answers = iter([b"one", b"two"])

    def once(connection: socket.socket) -> None:
        body = next(answers)
        head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + body)
        connection.close()

    with listening(once) as port:
        connection = connected(tmp_path, f"https://127.0.0.1:{port}")
        assert connection.get("/version") == b"one"
        assert connection.get("/version") == b"two"
        connection.close()
