"""TLS that did not come about: what OpenSSL says, in words for the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calivet.live.trouble import Trouble, one_line
from calivet.live.wire.route import Route

if TYPE_CHECKING:
    import ssl

# Codes of OpenSSL's verification.
NOT_YET_VALID = 9
EXPIRED = 10
WRONG_NAME = (62, 64)
# Parts of its reasons: bytes that are no TLS; a server that wants another client certificate.
NOT_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "RECORD_LAYER_FAILURE", "PACKET_LENGTH")
NOT_ACCEPTED = ("ALERT_CERTIFICATE", "ALERT_BAD_CERTIFICATE", "ALERT_UNKNOWN_CA", "ALERT_UNSUPPORTED_CERTIFICATE")


def unverified(error: ssl.SSLCertVerificationError, route: Route) -> Trouble:
    """The server showed a certificate that does not prove who it is."""
    whose = f"the certificate of {route.server}"
    if error.verify_code == EXPIRED:
        words = f"{whose}, or of the CA that signed it, has expired"
    elif error.verify_code == NOT_YET_VALID:
        words = f"{whose} is not valid yet: compare the clocks"
    elif error.verify_code in WRONG_NAME:
        words = f"{whose} is for another name: {one_line(error.verify_message).rstrip('.')}"
    else:
        words = f"{whose} is not signed by {route.authority} ({one_line(error.verify_message)})"
    return Trouble("tls", words)


def not_agreed(error: ssl.SSLError, route: Route) -> Trouble:
    """The two sides did not come to terms."""
    reason = error.reason or str(error)
    if any(part in reason for part in NOT_TLS):
        return Trouble("tls", f"{route.server} does not speak TLS; does the server listen on plain HTTP there?")
    if any(part in reason for part in NOT_ACCEPTED):
        words = reason.partition("ALERT_")[2].replace("_", " ").lower()
        return Trouble("tls", f"{route.server} does not accept the client certificate: {words}")
    return Trouble("tls", f"no TLS connection to {route.way}: {one_line(reason.replace('_', ' ').lower())}")


def with_proxy(error: ssl.SSLError, route: Route) -> Trouble:
    """A proxy that is itself reached by TLS must be known to the system; the cluster's CA does not count for it."""
    words = getattr(error, "verify_message", "") or error.reason or str(error)
    return Trouble("tls", f"no TLS connection to proxy {route.proxy}: {one_line(words)}")
