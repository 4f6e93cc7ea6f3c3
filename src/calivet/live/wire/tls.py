"""Whom to trust and how to show oneself: the TLS side of a kubeconfig, by the rules of Go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from calivet.live.login.material import KeyPair, Material, material
from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError

if TYPE_CHECKING:
    import ssl


def authority(target: Target) -> Material | None:
    """The CA that the kubeconfig names for the server."""
    cluster = target.cluster
    found = material(
        "certificate-authority",
        cluster.certificate_authority_data,
        cluster.certificate_authority,
        target.cluster_place,
    )
    if found and cluster.insecure_skip_tls_verify:
        raise ConfigError(f"{target.cluster_place} has both a certificate-authority and insecure-skip-tls-verify")
    return found


def context(trusted: Material | None, insecure: bool, pair: KeyPair | None) -> ssl.SSLContext:
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
        _trust(made, trusted)
    if pair:
        _show(made, pair)
    return made


def _trust(made: ssl.SSLContext, trusted: Material | None) -> None:
    import ssl

    if trusted is None:
        made.load_default_certs()
        return
    try:
        made.load_verify_locations(cadata=trusted.content.decode("ascii", "ignore"))
    except (ssl.SSLError, ValueError):
        raise ConfigError(f"certificate-authority: {trusted.place} holds no certificate in PEM") from None


def _show(made: ssl.SSLContext, pair: KeyPair) -> None:
    """Python takes keys from files only; this one is private and gone at once."""
    import ssl
    import tempfile

    def encrypted() -> NoReturn:
        raise ConfigError(f"client key: {pair.key.place} is encrypted; kubectl cannot use it either, decrypt it first")

    try:
        with tempfile.NamedTemporaryFile(prefix="calivet-") as file:
            file.write(pair.certificate.content + b"\n" + pair.key.content + b"\n")
            file.flush()
            made.load_cert_chain(file.name, password=encrypted)
    except ssl.SSLError as error:
        raise ConfigError(_unfit(pair, error.reason)) from None
    except OSError as error:
        raise ConfigError(
            f"client key: {pair.key.place} needs a temporary file to be loaded: {error.strerror}"
        ) from None


def _unfit(pair: KeyPair, reason: str | None) -> str:
    if reason == "KEY_VALUES_MISMATCH":
        return f"client key: {pair.key.place} does not belong to the certificate in {pair.certificate.place}"
    if b"-----BEGIN CERTIFICATE" not in pair.certificate.content:
        return f"client certificate: {pair.certificate.place} holds no certificate in PEM"
    return f"client key: {pair.key.place} holds no key in PEM"
