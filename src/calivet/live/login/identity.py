"""What a request shows of its sender."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from calivet.live.login.kubeconfig_shape import Discreet
from calivet.live.login.material import KeyPair
from calivet.live.trouble import ConfigError


class Identity(Discreet, Struct, frozen=True):
    """The Authorization header and the client certificate, as far as there are any."""

    authorization: str = ""
    pair: KeyPair | None = None

    def expired(self) -> str:
        """Says which part has run out and when; the server itself never tells."""
        kind, _, token = self.authorization.partition(" ")
        ends = {
            "token": _token_end(token) if kind == "Bearer" else None,
            "client certificate": _certificate_end(self.pair.certificate.content) if self.pair else None,
        }
        now = datetime.now(UTC)
        return "; ".join(
            f"the {what} expired on {end:%Y-%m-%d at %H:%M} UTC" for what, end in ends.items() if end and end < now
        )


class _Claims(Struct):
    """The one claim of a web token that matters here."""

    exp: float = 0


def bearer(token: str, place: str) -> str:
    """The header for a token; one that cannot stand in a header must not show up in Python's own complaint."""
    if not token.isascii() or not token.isprintable():
        raise ConfigError(f"the token of {place} holds characters that no token has")
    return f"Bearer {token}"


def _token_end(token: str) -> datetime | None:
    """When a JSON web token runs out; None for tokens that do not tell."""
    from base64 import urlsafe_b64decode

    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        end = msgspec.json.decode(urlsafe_b64decode(parts[1] + "=="), type=_Claims).exp
        return datetime.fromtimestamp(end, UTC) if end else None
    except (ValueError, OverflowError, OSError):
        return None


def _certificate_end(certificate: bytes) -> datetime | None:
    """When a certificate runs out, as far as this Python can tell."""
    import ssl
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(prefix="calivet-") as file:
            file.write(certificate)
            file.flush()
            # The standard library can read certificates but shows it nowhere else.
            told = ssl._ssl._test_decode_cert(file.name)  # type: ignore[attr-defined]  # noqa: SLF001
        return datetime.fromtimestamp(ssl.cert_time_to_seconds(told["notAfter"]), UTC)
    except (AttributeError, KeyError, OSError, ValueError):
        return None
