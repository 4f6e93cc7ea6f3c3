"""The API server's address, and pools of connections to it, direct or by a proxy, trusting by the rules of Go."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import unquote, urlencode, urlsplit

from msgspec import Struct

from calivet.live.login.identity import KeyPair, Material, read_material
from calivet.live.login.kubeconfig import Discreet, Target
from calivet.live.trouble import ConfigError
from calivet.live.wire.deadline import watch
from calivet.messages.message import Message, message


class Route(Struct, frozen=True):
    """Which server, signed by whom, through which proxy."""

    server: str
    authority: str | None
    proxy: str = ""

    @property
    def way(self) -> str:
        """The server, and the proxy in front of it."""
        return f"{self.server} through proxy {self.proxy}" if self.proxy else self.server


PORTS = {"http": 80, "https": 443}


class Address(Struct, frozen=True):
    """Scheme, host and port apart, because proxies and certificates ask for them."""

    scheme: str
    host: str
    port: int
    url: str
    """Without user, password and query: fit for messages."""

    @property
    def loopback(self) -> bool:
        """Whether the server is on this machine."""
        from ipaddress import ip_address

        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def to(self, path: str, query: Mapping[str, str]) -> str:
        """The whole URL of a request."""
        return f"{self.url}{path}?{urlencode(query)}" if query else f"{self.url}{path}"


def parse_server_address(target: Target) -> Address:
    """Where the cluster's server is; without a scheme it is HTTPS if anything speaks of TLS, as in kubectl."""
    cluster, user = target.cluster, target.user
    server = cluster.server.strip()
    if not server:
        raise ConfigError(message("kubeconfig.server.missing", place=target.cluster_place))
    if "://" not in server:
        secure = (
            cluster.certificate_authority
            or cluster.certificate_authority_data
            or cluster.insecure_skip_tls_verify
            or user.client_certificate
            or user.client_certificate_data
        )
        server = f"{'https' if secure else 'http'}://{server}"
    try:
        parts = urlsplit(server)
        host, port = parts.hostname, parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        host, port = None, 0
    if not host:
        raise ConfigError(message("kubeconfig.server.address", place=target.cluster_place))
    shown = f"[{host}]" if ":" in host else host
    named_port = f":{port}" if parts.port else ""
    return Address(parts.scheme, host, port, f"{parts.scheme}://{shown}{named_port}{parts.path.rstrip('/')}")


if TYPE_CHECKING:
    import ssl

    from urllib3 import PoolManager


def find_authority(target: Target) -> Material | None:
    """The CA that the kubeconfig names for the server."""
    cluster = target.cluster
    found = read_material(
        "certificate-authority",
        cluster.certificate_authority_data,
        cluster.certificate_authority,
        target.cluster_place,
    )
    if found and cluster.insecure_skip_tls_verify:
        raise ConfigError(message("kubeconfig.ca.both", place=target.cluster_place))
    return found


def build_context(trusted: Material | None, insecure: bool, pair: KeyPair | None) -> ssl.SSLContext:
    """A context that trusts this CA (the system's where there is none) and shows this client certificate."""
    import ssl

    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if insecure:
        made.check_hostname = False
        made.verify_mode = ssl.CERT_NONE
    else:
        # Go trusts whatever it is given, an intermediate too, and does not look at the common name.
        made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        made.hostname_checks_common_name = False
        _load_trust(made, trusted)
    if pair:
        _show(made, pair)
    return made


def _load_trust(made: ssl.SSLContext, trusted: Material | None) -> None:
    import ssl

    if trusted is None:
        made.load_default_certs()
        return
    try:
        made.load_verify_locations(cadata=trusted.content.decode("ascii", "ignore"))
    except (ssl.SSLError, ValueError):
        raise ConfigError(message("kubeconfig.ca.empty", place=trusted.place)) from None


def _show(made: ssl.SSLContext, pair: KeyPair) -> None:
    """Python takes keys from files only; this one is private and gone at once."""
    import ssl
    import tempfile

    def encrypted() -> NoReturn:
        raise ConfigError(message("kubeconfig.key.encrypted", place=pair.key.place))

    try:
        with tempfile.NamedTemporaryFile(prefix="calivet-") as file:
            file.write(pair.certificate.content + b"\n" + pair.key.content + b"\n")
            file.flush()
            made.load_cert_chain(file.name, password=encrypted)
    except ssl.SSLError as error:
        raise ConfigError(_explain_unfit(pair, error.reason)) from None
    except OSError as error:
        raise ConfigError(message("kubeconfig.key.file", place=pair.key.place, why=error.strerror)) from None


def _explain_unfit(pair: KeyPair, reason: str | None) -> Message:
    if reason == "KEY_VALUES_MISMATCH":
        return message("kubeconfig.key.other", place=pair.key.place, certificate=pair.certificate.place)
    if b"-----BEGIN CERTIFICATE" not in pair.certificate.content:
        return message("kubeconfig.certificate.empty", place=pair.certificate.place)
    return message("kubeconfig.key.empty", place=pair.key.place)


SCHEMES = ("http", "https", "socks5", "socks5h")


class Proxy(Discreet, Struct, frozen=True):
    """A proxy, its address without the password."""

    scheme: str
    url: str
    username: str = ""
    password: str = ""


def find_proxy(target: Target, server: Address) -> Proxy | None:
    """The proxy for this server; what the kubeconfig says holds even against NO_PROXY."""
    if written := target.cluster.proxy_url:
        return _parse_proxy(written, f"proxy-url of {target.cluster_place}")
    name = f"{server.scheme.upper()}_PROXY"
    written = _read_variable(name)
    if not written or server.loopback or is_excepted(server.host, server.port, _read_variable("NO_PROXY")):
        return None
    return _parse_proxy(written if "://" in written else f"http://{written}", name)


def is_excepted(host: str, port: int, exceptions: str) -> bool:
    """Whether NO_PROXY covers this server."""
    return any(
        _does_cover(entry.strip().lower(), host.lower(), port) for entry in exceptions.split(",") if entry.strip()
    )


def _does_cover(entry: str, host: str, port: int) -> bool:
    """One entry: `*`, a range, an address or a name; the latter two with or without a port."""
    if entry == "*":
        return True
    if "/" in entry:
        return _is_within(host, entry)
    name, wanted_port = _split(entry)
    if wanted_port and wanted_port != str(port):
        return False
    if _is_address(name) or _is_address(host):
        return _is_within(host, name)
    # `example.org` covers itself and what is below it, `.example.org` and `*.example.org` only the latter.
    name = name[1:] if name.startswith("*.") else name
    return host.endswith(name) if name.startswith(".") else host == name or host.endswith(f".{name}")


def _split(entry: str) -> tuple[str, str]:
    if entry.startswith("["):
        inside, _, rest = entry[1:].partition("]")
        return inside, rest.removeprefix(":")
    # Two colons or more: an IPv6 address without a port.
    name, _, port = entry.partition(":") if entry.count(":") == 1 else (entry, "", "")
    return name, port


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_within(host: str, addresses: str) -> bool:
    from ipaddress import ip_address, ip_network

    try:
        return ip_address(host) in ip_network(addresses, strict=False)
    except (ValueError, TypeError):
        return False


def _read_variable(name: str) -> str:
    return os.environ.get(name) or os.environ.get(name.lower(), "")


def _parse_proxy(written: str, place: str) -> Proxy:
    try:
        parts = urlsplit(written)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        parts, port = urlsplit(""), ""
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise ConfigError(message("kubeconfig.proxy.address", place=place))
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if parts.scheme.startswith("socks5"):
        _require_socks(place)
    return Proxy(
        parts.scheme, f"{parts.scheme}://{host}{port}", unquote(parts.username or ""), unquote(parts.password or "")
    )


def _require_socks(place: str) -> None:
    from importlib.util import find_spec

    if find_spec("socks") is None:
        raise ConfigError(message("kubeconfig.proxy.socks", place=place))


CONNECTIONS = 32
"""Kept open at most; more may be open at one time."""


class Pools:
    """The pool for the client certificate that is current: an exec plugin may change it."""

    def __init__(self, target: Target, address: Address) -> None:
        self._authority = find_authority(target)
        self._cluster = target.cluster
        self._proxy = find_proxy(target, address)
        self.route = Route(
            address.url, self._authority.place if self._authority else None, self._proxy.url if self._proxy else ""
        )
        self._lock = threading.Lock()
        self._made: tuple[KeyPair | None, PoolManager] | None = None

    def pool(self, pair: KeyPair | None) -> PoolManager:
        """The pool whose connections show this certificate; ConfigError where TLS cannot be set up so."""
        with self._lock:
            if self._made is None or self._made[0] != pair:
                self._made = pair, self._make(pair)
            return self._made[1]

    def close(self) -> None:
        """Closes the connections that nobody uses at the moment."""
        with self._lock:
            if self._made:
                self._made[1].clear()

    def _make(self, pair: KeyPair | None) -> PoolManager:
        from urllib3 import PoolManager, disable_warnings
        from urllib3.exceptions import InsecureRequestWarning

        if self._cluster.insecure_skip_tls_verify:
            # The kubeconfig asks for it in so many words; kubectl does not warn either.
            disable_warnings(InsecureRequestWarning)
        settings: dict[str, Any] = {
            "maxsize": CONNECTIONS,
            "ssl_context": build_context(self._authority, self._cluster.insecure_skip_tls_verify, pair),
            "server_hostname": self._cluster.tls_server_name or None,
        }
        return watch(_build_proxy_pool(self._proxy, settings) if self._proxy else PoolManager(**settings))


def _build_proxy_pool(way: Proxy, settings: dict[str, Any]) -> PoolManager:
    import ssl

    from urllib3 import ProxyManager, make_headers

    if way.scheme.startswith("socks5"):
        from urllib3.contrib.socks import SOCKSProxyManager

        # With the h the proxy resolves the host name, as Go has it.
        url = way.url.replace("socks5:", "socks5h:", 1)
        return SOCKSProxyManager(url, way.username or None, way.password or None, **settings)
    login = make_headers(proxy_basic_auth=f"{way.username}:{way.password}") if way.username else None
    # The cluster's CA says nothing about a proxy.
    trusting = ssl.create_default_context() if way.scheme == "https" else None
    return ProxyManager(way.url, proxy_headers=login, proxy_ssl_context=trusting, **settings)
