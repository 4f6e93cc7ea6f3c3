"""Certificates and keys: a kubeconfig holds them as base64 or names a file."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from calivet.live.login.kubeconfig_shape import Discreet
from calivet.live.trouble import ConfigError


class Material(Discreet, Struct, frozen=True):
    """Something in PEM, and words that say where it is written."""

    content: bytes
    place: str


class KeyPair(Discreet, Struct, frozen=True):
    """A client certificate and its key."""

    certificate: Material
    key: Material


def material(field: str, data: str, file: str, owner: str) -> Material | None:
    """What this field of a cluster or user holds; base64 goes before a file, as in kubectl."""
    if data:
        return Material(_decoded(data, f"{field}-data of {owner}"), f"{field}-data of {owner}")
    if not file:
        return None
    try:
        return Material(Path(file).read_bytes(), file)
    except FileNotFoundError:
        raise ConfigError(f"{field} of {owner}: file {file} does not exist") from None
    except OSError as error:
        raise ConfigError(f"{field} of {owner}: file {file} cannot be read: {error.strerror}") from None


def key_pair(certificate: Material | None, key: Material | None, owner: str) -> KeyPair | None:
    """Both or none: one without the other is of no use."""
    if certificate and key:
        return KeyPair(certificate, key)
    if certificate or key:
        present, missing = ("certificate", "key") if certificate else ("key", "certificate")
        raise ConfigError(f"{owner} has a client {present} without the client {missing}")
    return None


def _decoded(data: str, place: str) -> bytes:
    from base64 import b64decode

    try:
        return b64decode("".join(data.split()), validate=True)
    except ValueError:
        raise ConfigError(f"{place} is not base64") from None
