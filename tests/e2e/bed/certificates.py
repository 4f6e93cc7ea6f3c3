"""Certificates and tokens of the bed: its authority, a stranger's authority, users, and what has expired."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

YEAR = timedelta(days=365)


class Certificates:
    """Files in one folder, named after what they are for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = trustme.CA(organization_name="kubernetes")
        self.ca = folder / "ca.crt"
        self.authority.cert_pem.write_to_path(self.ca)
        self.stranger = folder / "stranger-ca.crt"
        trustme.CA(organization_name="another cluster").cert_pem.write_to_path(self.stranger)
        self.service_account_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.service_accounts = folder / "service-accounts.key"
        self.service_accounts.write_bytes(
            self.service_account_key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
            )
        )

    def issue(self, name: str, *hosts: str, groups: str = "calivet", until: timedelta = YEAR) -> tuple[Path, Path]:
        """A certificate and its key; `until` before now makes it expired."""
        now = datetime.now(UTC)
        issued = self.authority.issue_cert(
            *(hosts or (f"{name}.users.test",)),
            common_name=name,
            organization_name=groups,
            not_before=min(now, now + until) - timedelta(days=30),
            not_after=now + until,
        )
        certificate, key = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        certificate.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
        issued.private_key_pem.write_to_path(key)
        return certificate, key

    def service_account_token(self, issuer: str, subject: str, until: timedelta) -> str:
        """A token as the API server itself would sign it for a service account."""
        now = datetime.now(UTC)
        namespace, name = subject.split("/")
        claims = {
            "iss": issuer,
            "aud": [issuer],
            "sub": f"system:serviceaccount:{namespace}:{name}",
            "iat": int((now + until - YEAR).timestamp()),
            "nbf": int((now + until - YEAR).timestamp()),
            "exp": int((now + until).timestamp()),
            "kubernetes.io": {"namespace": namespace, "serviceaccount": {"name": name, "uid": "7c1b5d40"}},
        }
        signed = f"{_encoded({'alg': 'RS256'})}.{_encoded(claims)}"
        signature = self.service_account_key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_text(signature)}"


def _encoded(value: object) -> str:
    return _text(json.dumps(value).encode())


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
