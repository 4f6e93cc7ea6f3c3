"""A hostile or sick API server on loopback: whatever it sends, the run ends in its time, with what came until then."""

from __future__ import annotations

import gzip
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

import pytest

from calivet.cli.main import main
from calivet.live import connection as connections
from calivet.live import objects
from calivet.live.connection import Access, connect
from calivet.live.objects import Meta, Table
from calivet.live.trouble import Trouble
from calivet.live.wire import exchange
from tests.live.kubeconfigs import written

Behave = Callable[[socket.socket, bytes], None]
SECONDS = 0.6
"""What one request may take."""
ENOUGH = 4.0
"""Seconds in which a request of that patience must be over, on a busy machine."""
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "WAITS", ())
    monkeypatch.setattr(connections, "TRIES", 1)


@contextmanager
def hostile(behave: Behave) -> Iterator[str]:
    """The address of a server that treats every request in this way, each connection in a thread of its own."""

    def serve(accepted: socket.socket) -> None:
        with suppress(OSError), accepted:
            while asked := _head(accepted):
                behave(accepted, asked)

    def accept() -> None:
        while True:
            try:
                accepted, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(accepted,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


def _head(connection: socket.socket) -> bytes:
    read = b""
    while b"\r\n\r\n" not in read:
        if not (some := connection.recv(4096)):
            return b""
        read += some
    return read


def kubeconfig(tmp_path, url: str) -> str:
    return written(tmp_path, server=url)


def trickle(connection: socket.socket, start: bytes, drop: bytes) -> None:
    """A drop every now and then, each well within a socket's own patience."""
    connection.sendall(start)
    while True:
        connection.sendall(drop)
        time.sleep(SECONDS / 6)


def flood(connection: socket.socket, start: bytes, wave: bytes) -> None:
    connection.sendall(start)
    while True:
        connection.sendall(wave)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


TRICKLES: dict[str, Behave] = {
    "status": lambda connection, _: trickle(connection, b"", b"H"),
    "headers": lambda connection, _: trickle(connection, OK, b"X: y\r\n"),
    "one header": lambda connection, _: trickle(connection, OK + b"X-Long: ", b"y"),
    "interim answers": lambda connection, _: trickle(connection, b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": lambda connection, _: trickle(connection, OK + b"Content-Length: 99999\r\n\r\n", b" "),
    "endless body": lambda connection, _: trickle(connection, OK + b"\r\n", b" "),
    "chunks": lambda connection, _: trickle(connection, OK + b"Transfer-Encoding: chunked\r\n\r\n", chunk(b" ")),
    "length of a chunk": lambda connection, _: trickle(connection, OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
    "error": lambda connection, _: trickle(connection, b"HTTP/1.1 500 No\r\n\r\n", b" "),
}


@pytest.mark.parametrize("behave", TRICKLES.values(), ids=TRICKLES)
def test_what_trickles_in_is_shut_at_the_deadline(tmp_path, behave: Behave) -> None:
    closed = threading.Event()

    def watched(connection: socket.socket, asked: bytes) -> None:
        try:
            behave(connection, asked)
        except OSError:
            closed.set()
            raise

    with hostile(watched) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=SECONDS))
        start = time.monotonic()
        with pytest.raises(Trouble) as raised:
            connection.get("/version")
        assert time.monotonic() - start < ENOUGH
        assert raised.value.kind == "timeout"
        assert closed.wait(ENOUGH), "the server can still write to the connection"


def test_a_connection_that_was_good_before_is_shut_as_well(tmp_path) -> None:
    numbers = count()

    def behave(connection: socket.socket, _: bytes) -> None:
        if next(numbers):
            trickle(connection, OK, b"X: y\r\n")
        connection.sendall(OK + b"Content-Length: 2\r\n\r\n{}")

    with hostile(behave) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=SECONDS))
        assert connection.get("/version") == b"{}"
        start = time.monotonic()
        with pytest.raises(Trouble, match="did not"):
            connection.get("/version")
        assert time.monotonic() - start < ENOUGH


def zeros(packed: bool) -> bytes:
    return gzip.compress(bytes(8 << 20)) if packed else bytes(1 << 20)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_body_without_end_is_cut(tmp_path, monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    monkeypatch.setattr(exchange, "MOST_BYTES", 16 << 20)
    encoding = b"Content-Encoding: gzip\r\n" if packed else b""
    with hostile(lambda connection, _: flood(connection, OK + encoding + b"\r\n", zeros(packed))) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=30))
        why = "unpacks to more than 200 times its size" if packed else "sent more than 16,777,216 bytes in one answer"
        with pytest.raises(Trouble, match=why):
            connection.get("/version")


@pytest.mark.parametrize("encoding", [b"zstd", b"deflate", b"br", b"gzip, gzip", b"gzip,gzip,gzip,gzip,gzip"])
def test_what_is_packed_otherwise_than_asked_is_not_unpacked(tmp_path, encoding: bytes) -> None:
    """Of a bomb in a bomb 19 kilobytes took a gigabyte and a half."""
    body = gzip.compress(gzip.compress(bytes(64 << 20)))
    answer = OK + b"Content-Encoding: " + encoding + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    with hostile(lambda connection, _: connection.sendall(answer)) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=30))
        start = time.process_time()
        with pytest.raises(Trouble, match="packs its answers in a way that was not asked for"):
            connection.get("/version")
        assert time.process_time() - start < 1


def test_all_answers_together_are_bounded(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_BYTES", 1000)
    answer = OK + b"Content-Length: 600\r\n\r\n" + b" " * 600
    with hostile(lambda connection, _: connection.sendall(answer)) as url:
        connection = connect(Access(kubeconfig(tmp_path, url)))
        connection.get("/version")
        connection.get("/version")
        with pytest.raises(Trouble, match=r"not asked: .* has already sent more than 1,000 bytes"):
            connection.get("/version")


@pytest.mark.parametrize("header", [b"X: " + b"y" * 200_000 + b"\r\n", b"X: y\r\n" * 5_000], ids=["long", "many"])
def test_huge_headers_are_no_answer(tmp_path, header: bytes) -> None:
    with hostile(lambda connection, _: connection.sendall(OK + header + b"\r\n{}")) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=SECONDS))
        with pytest.raises(Trouble):
            connection.get("/version")


def test_redirects_are_not_followed(tmp_path) -> None:
    asked = []

    def behave(connection: socket.socket, head: bytes) -> None:
        asked.append(head)
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: /version?again\r\nContent-Length: 0\r\n\r\n")

    with hostile(behave) as url, pytest.raises(Trouble):
        connect(Access(kubeconfig(tmp_path, url), timeout=SECONDS)).get("/version")
    assert len(asked) == 1


def page(token: str) -> bytes:
    body = b'{"metadata":{"continue":"%s"},"rows":[],"columnDefinitions":[]}' % token.encode()
    return OK + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def gone(token: str) -> bytes:
    body = b'{"kind":"Status","message":"gone","metadata":{"continue":"%s"}}' % token.encode()
    return b"HTTP/1.1 410 Gone\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.parametrize("answer", [page, gone])
@pytest.mark.parametrize("repeats", [1, 2, 3], ids=["same", "two in turn", "three in turn"])
def test_tokens_that_come_again_end_the_list(tmp_path, answer: Callable[[str], bytes], repeats: int) -> None:
    numbers = count()
    with hostile(lambda one, _: one.sendall(answer(f"t{next(numbers) % repeats}"))) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=30))
        with pytest.raises(Trouble):
            list(objects.fetch_pages(connection, "/api/v1/pods", Table[Meta]))
    assert next(numbers) <= repeats + 2


@pytest.mark.parametrize("answer", [page, gone])
def test_tokens_without_end_end_the_list(tmp_path, monkeypatch, answer: Callable[[str], bytes]) -> None:
    monkeypatch.setattr(objects, "MOST_PAGES", 20)
    numbers = count()
    with hostile(lambda one, _: one.sendall(answer(f"t{next(numbers)}"))) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=30))
        with pytest.raises(Trouble, match="has more than 20 pages; what came before that is kept"):
            list(objects.fetch_pages(connection, "/api/v1/pods", Table[Meta]))
    assert next(numbers) == 20


def nodes_then_trickle(connection: socket.socket, asked: bytes) -> None:
    """One good list, and nothing else that ever ends."""
    if not asked.startswith(b"GET /api/v1/nodes?"):
        trickle(connection, OK + b"Content-Length: 99999\r\n\r\n", b" ")
    row = b'{"cells":["alder","NotReady","<none>","1d","v1.28.0"],"object":{"metadata":{"name":"alder"}}}'
    columns = b",".join(b'{"name":"%s"}' % name for name in (b"Name", b"Status", b"Roles", b"Age", b"Version"))
    body = b'{"metadata":{},"columnDefinitions":[%s],"rows":[%s]}' % (columns, row)
    connection.sendall(OK + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))


def test_after_the_time_for_all_the_answer_is_from_what_came(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    with hostile(nodes_then_trickle) as url:
        start = time.monotonic()
        code = main(
            ["diagnose", "--kubeconfig", kubeconfig(tmp_path, url), "--timeout", "4s", "--request-timeout", "1s"]
        )
        took = time.monotonic() - start
    written_out, said = capsys.readouterr()
    assert took < 15
    assert code == 2
    assert "alder" in written_out
    assert "had not arrived before the timeout" in written_out or "did not finish its answer" in written_out
    assert "--timeout reached" in said


def test_files_are_read_for_no_longer_than_that(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text("kubelet: node not ready\n", encoding="utf-8")
    main(["diagnose", str(tmp_path / "a.log"), str(tmp_path / "b.log"), "--timeout", "0.000001s"])
    said = capsys.readouterr().err
    assert "a.log: was not read to the end before the timeout" in said


def test_without_a_deadline_nothing_is_shut(tmp_path) -> None:
    with hostile(lambda connection, _: connection.sendall(OK + b"Content-Length: 2\r\n\r\n{}")) as url:
        connection = connect(Access(kubeconfig(tmp_path, url), timeout=0))
        assert connection.get("/version", deadline=math.inf) == b"{}"
