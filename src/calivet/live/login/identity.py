"""What a request shows of its sender: headers, and the certificates and keys that a kubeconfig holds or names."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct

from calivet.live.login.kubeconfig import Discreet, User
from calivet.live.trouble import ConfigError
from calivet.messages.message import Message, message


class Material(Discreet, Struct, frozen=True):
    """Something in PEM, and words that say where it is written."""

    content: bytes
    place: str


class KeyPair(Discreet, Struct, frozen=True):
    """A client certificate and its key."""

    certificate: Material
    key: Material


def read_material(field: str, data: str, file: str, owner: str) -> Material | None:
    """What this field of a cluster or user holds; base64 goes before a file, as in kubectl."""
    if data:
        return Material(_decode_material(data, f"{field}-data of {owner}"), f"{field}-data of {owner}")
    if not file:
        return None
    try:
        return Material(Path(file).read_bytes(), file)
    except FileNotFoundError:
        raise ConfigError(message("kubeconfig.file.missing", field=field, owner=owner, path=file)) from None
    except OSError as error:
        why = error.strerror
        raise ConfigError(message("kubeconfig.file.unreadable", field=field, owner=owner, path=file, why=why)) from None


def read_key_pair(certificate: Material | None, key: Material | None, owner: str) -> KeyPair | None:
    """Both or none: one without the other is of no use."""
    if certificate and key:
        return KeyPair(certificate, key)
    if certificate or key:
        present, missing = ("certificate", "key") if certificate else ("key", "certificate")
        raise ConfigError(message("kubeconfig.half_pair", owner=owner, present=present, missing=missing))
    return None


def _decode_material(data: str, place: str) -> bytes:
    from base64 import b64decode

    try:
        return b64decode("".join(data.split()), validate=True)
    except ValueError:
        raise ConfigError(message("kubeconfig.base64", place=place)) from None


class Identity(Discreet, Struct, frozen=True):
    """The Authorization header and the client certificate, as far as there are any."""

    authorization: str = ""
    pair: KeyPair | None = None

    def expired(self) -> Message | None:
        """Says which part has run out and when; the server itself never tells."""
        kind, _, token = self.authorization.partition(" ")
        ends = {
            "connection.expired.token": _read_token_end(token) if kind == "Bearer" else None,
            "connection.expired.certificate": _read_certificate_end(self.pair.certificate.content)
            if self.pair
            else None,
        }
        now = datetime.now(UTC)
        over = [
            message(key, day=f"{end:%Y-%m-%d}", time=f"{end:%H:%M}") for key, end in ends.items() if end and end < now
        ]
        return reduce(lambda one, other: message("connection.both", one=one, other=other), over) if over else None


class _Claims(Struct):
    """The one claim of a web token that matters here."""

    exp: float = 0


def build_bearer(token: str, place: str) -> str:
    """The header for a token; one that cannot stand in a header must not show up in Python's own complaint."""
    if not token.isascii() or not token.isprintable():
        raise ConfigError(message("kubeconfig.token", place=place))
    return f"Bearer {token}"


def _read_token_end(token: str) -> datetime | None:
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


def _read_certificate_end(certificate: bytes) -> datetime | None:
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


HEADER_CHARACTERS = "!#$&'*+-.^_`|~"


def build_headers(user: User, name: str | None, groups: tuple[str, ...]) -> list[tuple[str, str]]:
    """The headers, one for each group; a name on the command line replaces the kubeconfig's whole."""
    if name or groups:
        user = User(impersonate=name or user.impersonate, impersonate_groups=list(groups))
    wanted = [
        ("Impersonate-User", user.impersonate),
        ("Impersonate-Uid", user.impersonate_uid),
        *(("Impersonate-Group", group) for group in user.impersonate_groups),
        *(
            (f"Impersonate-Extra-{quote(key, safe=HEADER_CHARACTERS)}", value)
            for key, values in user.impersonate_extra.items()
            for value in values
        ),
    ]
    wanted = [(header, value) for header, value in wanted if value]
    if wanted and not user.impersonate:
        raise ConfigError(message("kubeconfig.as.group"))
    for header, value in wanted:
        if not value.isprintable():
            raise ConfigError(message("kubeconfig.as.control", header=header))
    # Python writes headers in Latin-1; the server reads UTF-8.
    return [(header, value.encode().decode("latin-1")) for header, value in wanted]
