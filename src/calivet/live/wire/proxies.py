"""Which proxy stands between here and the API server: the kubeconfig's, or the environment's by the rules of Go."""

from __future__ import annotations

import os
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from calivet.live.login.kubeconfig_shape import Discreet
from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError
from calivet.live.wire.address import Address

SCHEMES = ("http", "https", "socks5", "socks5h")


class Proxy(Discreet, Struct, frozen=True):
    """A proxy, its address without the password."""

    scheme: str
    url: str
    username: str = ""
    password: str = ""


def proxy(target: Target, server: Address) -> Proxy | None:
    """The proxy for this server; what the kubeconfig says holds even against NO_PROXY."""
    if written := target.cluster.proxy_url:
        return _parsed(written, f"proxy-url of {target.cluster_place}")
    name = f"{server.scheme.upper()}_PROXY"
    written = _variable(name)
    if not written or server.loopback or excepted(server.host, server.port, _variable("NO_PROXY")):
        return None
    return _parsed(written if "://" in written else f"http://{written}", name)


def excepted(host: str, port: int, exceptions: str) -> bool:
    """Whether NO_PROXY covers this server."""
    return any(_covers(entry.strip().lower(), host.lower(), port) for entry in exceptions.split(",") if entry.strip())


def _covers(entry: str, host: str, port: int) -> bool:
    """One entry: `*`, a range, an address or a name; the latter two with or without a port."""
    if entry == "*":
        return True
    if "/" in entry:
        return _within(host, entry)
    name, wanted_port = _split(entry)
    if wanted_port and wanted_port != str(port):
        return False
    if _is_address(name) or _is_address(host):
        return _within(host, name)
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


def _within(host: str, addresses: str) -> bool:
    from ipaddress import ip_address, ip_network

    try:
        return ip_address(host) in ip_network(addresses, strict=False)
    except (ValueError, TypeError):
        return False


def _variable(name: str) -> str:
    return os.environ.get(name) or os.environ.get(name.lower(), "")


def _parsed(written: str, place: str) -> Proxy:
    try:
        parts = urlsplit(written)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        parts, port = urlsplit(""), ""
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise ConfigError(f"{place}: not the address of an http, https or socks5 proxy")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if parts.scheme.startswith("socks5"):
        _require_socks(place)
    return Proxy(
        parts.scheme, f"{parts.scheme}://{host}{port}", unquote(parts.username or ""), unquote(parts.password or "")
    )


def _require_socks(place: str) -> None:
    from importlib.util import find_spec

    if find_spec("socks") is None:
        raise ConfigError(f"{place}: a socks5 proxy needs the Python package PySocks; install it beside calivet")
