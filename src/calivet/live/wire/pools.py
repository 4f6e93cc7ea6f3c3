"""Pools of connections to one API server, directly or through a proxy."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from calivet.live.login.material import KeyPair, Material
from calivet.live.login.target import Target
from calivet.live.wire import tls
from calivet.live.wire.address import Address
from calivet.live.wire.proxies import Proxy, proxy
from calivet.live.wire.route import Route

if TYPE_CHECKING:
    from urllib3 import PoolManager

CONNECTIONS = 32
"""Kept open at most; more may be open at one time."""


class Pools:
    """The pool for the client certificate that is current: an exec plugin may change it."""

    def __init__(self, target: Target, address: Address) -> None:
        self._authority = tls.authority(target)
        self._cluster = target.cluster
        self._proxy = proxy(target, address)
        self.route = Route(address.url, _signer(self._authority), self._proxy.url if self._proxy else "")
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
            "ssl_context": tls.context(self._authority, self._cluster.insecure_skip_tls_verify, pair),
            "server_hostname": self._cluster.tls_server_name or None,
        }
        return _through(self._proxy, settings) if self._proxy else PoolManager(**settings)


def _signer(authority: Material | None) -> str:
    return f"the CA in {authority.place}" if authority else "any CA that this system trusts"


def _through(way: Proxy, settings: dict[str, Any]) -> PoolManager:
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
