from __future__ import annotations

import gzip
import re
import threading
import time

import pytest

from calivet import __version__
from calivet.live.connection import Access, connect
from calivet.live.trouble import ConfigError, Trouble
from calivet.live.wire import exchange
from tests.live.api_server import Reply, serving
from tests.live.kubeconfigs import connected, written

SHED = b'{"kind":"Status","message":"the server has received too many requests","code":429}'


@pytest.fixture
def server():
    with serving() as running:
        yield running


@pytest.fixture
def connection(server, tmp_path):
    made = connected(tmp_path, server.url, {"token": "t"})
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(exchange, "WAITS", (0, 0, 0))


def test_a_request_is_what_kubectl_would_send(server, connection):
    server.replies["/api/v1/pods"] = [Reply(body=b'{"items":[]}')]
    assert (
        connection.get("/api/v1/pods", {"limit": "5", "fieldSelector": "spec.nodeName=a b"}, "a/b;as=Table")
        == b'{"items":[]}'
    )
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("GET", "/api/v1/pods?limit=5&fieldSelector=spec.nodeName%3Da+b")
    assert asked.headers["User-Agent"] == f"calivet/{__version__}"
    assert asked.headers["Accept"] == "a/b;as=Table"
    assert (connection.server, connection.context) == (server.url, "lab")


def test_reviews_are_posted(server, connection):
    server.replies["/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"] = [Reply(201, b'{"status":{}}')]
    assert connection.post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", b'{"spec":{}}') == b'{"status":{}}'
    (asked,) = server.asked
    assert (asked.method, asked.body, asked.headers["Content-Type"]) == ("POST", b'{"spec":{}}', "application/json")


def test_a_server_may_live_below_a_path(server, tmp_path):
    connection = connected(tmp_path, f"{server.url}/k8s/clusters/c-abc/")
    connection.get("/version")
    connection.close()
    assert server.asked[0].path == "/k8s/clusters/c-abc/version"


def test_only_the_wanted_part_of_an_answer_is_read(server, connection):
    server.replies["/log"] = [Reply(body=b"x" * 500_000)]
    assert connection.get("/log", accept="*/*", limit=100_000) == b"x" * 100_000
    assert len(connection.get("/log", accept="*/*", limit=900_000)) == 500_000
    assert len(connection.get("/log", accept="*/*")) == 500_000


def test_a_connection_is_used_again(server, connection):
    server.replies["/missing"] = [Reply(404, b"x" * 1000)]
    connection.get("/version")
    with pytest.raises(Trouble):
        connection.get("/missing")
    connection.get("/version", limit=1_000_000)
    assert len({one.port for one in server.asked}) == 1


def test_many_threads_use_one_connection(server, connection):
    for number in range(24):
        server.replies[f"/{number}"] = [Reply(body=str(number).encode() * 50_000)]
    answers: dict[int, bytes] = {}

    def ask(number: int) -> None:
        answers[number] = connection.get(f"/{number}")

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: str(number).encode() * 50_000 for number in range(24)}


@pytest.mark.parametrize(
    ("host", "cluster", "wanted"),
    [
        ("kube.example", {}, "gzip"),
        ("kube.example", {"disable_compression": True}, "identity"),
        ("127.0.0.1", {}, "identity"),
        ("localhost", {}, "identity"),
    ],
)
def test_answers_are_packed_only_where_that_pays(host, cluster, wanted, server, tmp_path, monkeypatch):
    monkeypatch.setattr("socket.getaddrinfo", _local(server.server_port))
    server.replies["/version"] = [Reply(body=gzip.compress(b"packed"), headers={"Content-Encoding": "gzip"})]
    connection = connected(tmp_path, f"https://{host}:{server.server_port}", **cluster)
    assert connection.get("/version") == b"packed"
    connection.close()
    assert server.asked[0].headers["Accept-Encoding"] == wanted


def _local(port: int):
    import socket

    return lambda *_, **__: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]


@pytest.mark.parametrize(
    "passing",
    [
        Reply(429, SHED, {"Retry-After": "0"}),
        Reply(503, b"apiserver is shutting down"),
        Reply(500, b'{"kind":"Status","message":"etcdserver: leader changed"}'),
        Reply(200, b"half", promised=100),
        Reply(502, b"<html>Bad Gateway</html>"),
    ],
)
def test_what_passes_is_tried_again(passing, server, connection):
    server.replies["/version"] = [passing, passing, Reply(body=b"well")]
    assert connection.get("/version") == b"well"
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "kind", "message", "tries"),
    [
        (Reply(429, SHED), "busy", "answered 429 Too Many Requests: the server has received too many requests", 4),
        (Reply(503, b"", {}), "busy", "answered 503 Service Unavailable", 4),
        (Reply(500, b"<html>"), "broken", "answered 500 Internal Server Error: a web page", 4),
        (Reply(504, b"late"), "timeout", "answered 504 Gateway Timeout: late", 4),
        (Reply(200, b"half", promised=100), "cut", "closed the connection in the middle of its answer", 4),
        (Reply(599, b"x"), "broken", "answered 599: x", 4),
        (
            Reply(400, b'{"kind":"Status","message":"previous terminated container not found"}'),
            "refused",
            "answered 400 Bad Request: previous terminated container not found",
            1,
        ),
        (Reply(404, b"404 page not found\n"), "not-found", "answered 404 Not Found: 404 page not found", 1),
        (Reply(302, b"", {"Location": "https://login.example/?s3cr3t"}), "broken", "answered 302 Found", 1),
        (
            Reply(200, b"<html>", {"Content-Type": "text/html"}),
            "broken",
            "sent a web page; is something other than Kubernetes answering there?",
            1,
        ),
        # The API server speaks of a kubelet that it cannot reach.
        (
            Reply(
                503,
                b'{"kind":"Status","message":"error trying to reach service: dial tcp 10.0.0.7:10250: connect: connection refused"}',
            ),
            "busy",
            "answered 503 Service Unavailable: error trying to reach service: dial tcp 10.0.0.7:10250: connect: connection refused",
            1,
        ),
        (
            Reply(500, b"[+]ping ok\n[-]etcd failed: reason withheld\n"),
            "broken",
            "answered 500 Internal Server Error: [-]etcd failed: reason withheld",
            1,
        ),
    ],
)
def test_what_does_not_pass_is_told(reply, kind, message, tries, server, connection):
    server.replies["/x"] = [reply]
    with pytest.raises(Trouble) as trouble:
        connection.get("/x")
    assert str(trouble.value.message) == f"{server.url} {message}"
    assert trouble.value.kind == kind
    assert trouble.value.status == (None if reply.status == 200 else reply.status)
    assert len(server.asked) == tries


def test_the_words_of_the_server_are_kept(server, connection):
    forbidden = 'nodes is forbidden: User "ada" cannot list resource "nodes" in API group "" at the cluster scope'
    server.replies["/nodes"] = [
        Reply(403, b'{"kind":"Status","message":"%s"}' % forbidden.replace('"', '\\"').encode())
    ]
    server.replies["/pod"] = [Reply(404, b'{"kind":"Status","message":"pods \\"a\\" not found"}')]
    server.replies["/readyz"] = [Reply(500, b"[+]ping ok\n[-]etcd failed\n")]
    with pytest.raises(Trouble) as trouble:
        connection.get("/nodes")
    assert (trouble.value.kind, str(trouble.value.message), trouble.value.status) == ("forbidden", forbidden, 403)
    with pytest.raises(Trouble) as trouble:
        connection.get("/pod")
    assert (trouble.value.kind, str(trouble.value)) == ("not-found", 'pods "a" not found')
    with pytest.raises(Trouble) as trouble:
        connection.get("/readyz")
    assert trouble.value.body == b"[+]ping ok\n[-]etcd failed\n"


def test_a_list_that_outlived_its_snapshot_brings_a_fresh_token(server, connection):
    body = b'{"kind":"Status","metadata":{"continue":"fresh"},"message":"The provided continue parameter is too old"}'
    server.replies["/api/v1/pods"] = [Reply(410, body), Reply(410, b'{"kind":"Status","metadata":{}}')]
    with pytest.raises(Trouble) as trouble:
        connection.get("/api/v1/pods")
    assert (trouble.value.kind, trouble.value.token) == ("gone", "fresh")
    with pytest.raises(Trouble) as trouble:
        connection.get("/api/v1/pods")
    assert trouble.value.token is None


@pytest.mark.parametrize(
    "reply",
    [
        Reply(429, b"{}", {"Retry-After": "3600"}),
        Reply(503, b"{}", {"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"}),
        Reply(429, b'{"kind":"Status","details":{"retryAfterSeconds":3600}}'),
    ],
)
def test_a_wait_beyond_the_deadline_is_not_begun(reply, server, connection):
    server.replies["/version"] = [reply]
    with pytest.raises(Trouble) as trouble:
        connection.get("/version", deadline=time.monotonic() + 600)
    assert trouble.value.kind == "busy"
    assert re.search(r" answered .*; it asks to wait \d{4,} s, which is too long$", str(trouble.value.message))
    assert len(server.asked) == 1


def test_a_wait_that_makes_no_sense_is_none(server, connection):
    server.replies["/version"] = [Reply(429, b"{}", {"Retry-After": "soon"}), Reply(body=b"well")]
    assert connection.get("/version") == b"well"


def test_after_the_deadline_nothing_is_asked(server, connection):
    with pytest.raises(Trouble, match=f"^no time was left to ask {server.url}$") as trouble:
        connection.get("/version", deadline=time.monotonic() - 1)
    assert trouble.value.kind == "timeout"
    assert server.asked == []


def test_closing_ends_all_waiting(server, connection):
    server.replies["/version"] = [Reply(429, b"{}", {"Retry-After": "5"})]
    closing = threading.Timer(0, connection.close)
    closing.start()
    with pytest.raises(Trouble, match="answered 429"):
        connection.get("/version", deadline=time.monotonic() + 600)
    closing.join()


def test_zero_seconds_mean_no_limit(server, tmp_path):
    connection = connect(Access(kubeconfig=written(tmp_path, server.url), timeout=0))
    assert connection.get("/version") == b"{}"
    connection.close()


def test_the_tests_reach_no_cluster_by_themselves():
    with pytest.raises(ConfigError, match="current-context is not set"):
        connect(Access())
