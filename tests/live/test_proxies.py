from __future__ import annotations

import importlib.util

import pytest

from calivet.live.trouble import ConfigError, Trouble
from calivet.live.wire import exchange
from calivet.live.wire.pools import is_excepted
from tests.live.api_server import authority, authority_pem, serving, stranger
from tests.live.kubeconfigs import b64, connected
from tests.live.proxy_server import Socks, proxying

SERVER = "https://kube.example:6443"


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setattr(exchange, "WAITS", (0, 0, 0))


@pytest.fixture
def port():
    with serving() as server:
        yield server.server_port


def answer(folder, server: str = SERVER, **cluster) -> bytes:
    connection = connected(folder, server, **cluster)
    try:
        return connection.get("/version")
    finally:
        connection.close()


def test_the_proxy_of_the_kubeconfig_is_used_with_its_password(tmp_path, port):
    with proxying(port) as proxy:
        assert answer(tmp_path, proxy_url=f"http://ada:p%40ss@127.0.0.1:{proxy.server_address[1]}") == b"{}"
    assert proxy.asked == [("kube.example:6443", f"Basic {b64(b'ada:p@ss')}")]


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy"])
@pytest.mark.parametrize("scheme", ["http://", ""])
def test_the_proxy_of_the_environment_is_used(name, scheme, tmp_path, port, monkeypatch):
    with proxying(port) as proxy:
        monkeypatch.setenv(name, f"{scheme}127.0.0.1:{proxy.server_address[1]}")
        assert answer(tmp_path) == b"{}"
    assert proxy.asked == [("kube.example:6443", "")]


def test_no_proxy_counts_for_the_environment_but_not_for_the_kubeconfig(tmp_path, monkeypatch):
    def proxy(**cluster) -> str:
        return connected(tmp_path, SERVER, **cluster)._pools.route.proxy

    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example")
    assert proxy() == "http://proxy.example"
    monkeypatch.setenv("NO_PROXY", "example")
    assert proxy() == ""
    assert proxy(proxy_url="http://other.example:3128") == "http://other.example:3128"


def test_this_machine_is_never_reached_through_a_proxy_of_the_environment(tmp_path, port, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    assert answer(tmp_path, f"https://127.0.0.1:{port}") == b"{}"
    assert answer(tmp_path, f"https://localhost:{port}") == b"{}"


@pytest.mark.parametrize(
    ("host", "entries", "covered"),
    [
        ("kube.example.org", "example.org", True),
        ("example.org", "example.org", True),
        ("notexample.org", "example.org", False),
        ("KUBE.example.org", "EXAMPLE.org", True),
        ("example.org", ".example.org", False),
        ("kube.example.org", ".example.org", True),
        ("kube.example.org", "*.example.org", True),
        ("kube.example.org", "*example.org", False),
        ("kube.example.org", "*", True),
        ("kube.example.org", "x, ,example.org", True),
        ("kube.example.org", "example.org:6443", True),
        ("kube.example.org", "example.org:443", False),
        ("10.1.2.3", "10.1.0.0/16", True),
        ("10.2.2.3", "10.1.0.0/16", False),
        ("10.1.2.3", "10.1.2.3", True),
        ("10.1.2.3", "10.1.2.3:443", False),
        ("10.1.2.3", "10.1", False),
        ("10.1.2.3", "10.1.2.3/99", False),
        ("kube.example.org", "10.0.0.0/8", False),
        ("fd00::1", "fd00::/64", True),
        ("fd00::1", "fd00::1", True),
        ("fd00::1", "[fd00::1]:6443", True),
        ("fd00::1", "[fd00::1]:443", False),
        ("kube.example.org", "", False),
    ],
)
def test_the_entries_of_no_proxy(host, entries, covered):
    assert is_excepted(host, 6443, entries) is covered


def test_a_proxy_that_is_reached_by_tls(tmp_path, port, monkeypatch):
    (tmp_path / "system.pem").write_bytes(authority_pem())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "system.pem"))
    with proxying(port, certificate=authority().issue_cert("127.0.0.1")) as proxy:
        assert answer(tmp_path, proxy_url=f"https://127.0.0.1:{proxy.server_address[1]}") == b"{}"
    with proxying(port, certificate=stranger().issue_cert("127.0.0.1")) as proxy:
        url = f"https://127.0.0.1:{proxy.server_address[1]}"
        with pytest.raises(Trouble) as trouble:
            answer(tmp_path, proxy_url=url)
    message = f"no TLS connection to proxy {url}: unable to get local issuer certificate"
    assert (trouble.value.kind, str(trouble.value.message)) == ("tls", message)


def test_a_socks_proxy_resolves_the_name(tmp_path, port):
    with proxying(port, handler=Socks) as proxy:
        assert answer(tmp_path, proxy_url=f"socks5://ada:pass@127.0.0.1:{proxy.server_address[1]}") == b"{}"
    assert proxy.asked == [("kube.example:6443", "ada:pass")]


def test_a_socks_proxy_without_its_package(tmp_path, monkeypatch):
    known = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "socks" else known(name))
    with pytest.raises(
        ConfigError, match=r"a socks5 proxy needs the Python package PySocks; install it together with calivet$"
    ):
        answer(tmp_path, proxy_url="socks5://127.0.0.1:1080")


def test_proxies_that_do_not_let_us_through(tmp_path):
    with proxying(0, refusal=b"407 Proxy Authentication Required") as proxy:
        url = f"http://127.0.0.1:{proxy.server_address[1]}"
        with pytest.raises(Trouble) as trouble:
            answer(tmp_path, proxy_url=url.replace("//", "//ada:s3cr3t@"))
    message = f"cannot reach {SERVER} through proxy {url}: Tunnel connection failed: 407 Proxy Authentication Required"
    assert (trouble.value.kind, str(trouble.value.message)) == ("unreachable", message)

    with pytest.raises(Trouble) as trouble:
        answer(tmp_path, proxy_url=url)
    message = f"cannot reach {SERVER} through proxy {url}: connection refused"
    assert (trouble.value.kind, str(trouble.value.message)) == ("unreachable", message)


@pytest.mark.parametrize("url", ["ftp://x:1", "x:1", "http://", "http://[x", "http://x:port"])
def test_an_address_that_is_no_proxy(url, tmp_path, monkeypatch):
    with pytest.raises(
        ConfigError, match=r'^proxy-url of cluster "lab-cluster" in .*: not the address of an http, https'
    ):
        answer(tmp_path, proxy_url=url)


def test_a_bad_proxy_in_the_environment_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "ftp://ada:s3cr3t@x")
    with pytest.raises(ConfigError, match=r"^HTTPS_PROXY: not the address of an http, https or socks5 proxy$"):
        answer(tmp_path)
