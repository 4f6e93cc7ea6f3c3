"""The address of the API server, as a kubeconfig gives it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from msgspec import Struct

from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError

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


def address(target: Target) -> Address:
    """Where the cluster's server is; without a scheme it is HTTPS if anything speaks of TLS, as in kubectl."""
    cluster, user = target.cluster, target.user
    server = cluster.server.strip()
    if not server:
        raise ConfigError(f"{target.cluster_place} has no server")
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
        raise ConfigError(f"{target.cluster_place}: server is not an http or https address")
    shown = f"[{host}]" if ":" in host else host
    named_port = f":{port}" if parts.port else ""
    return Address(parts.scheme, host, port, f"{parts.scheme}://{shown}{named_port}{parts.path.rstrip('/')}")
