"""Tests of the signs in authorities that were shown side by side."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.signs.api.credentials import SIGNS
from tests.signs.made_pictures import output, picture

CLIENT = "awk '/authority-data/{print $2}' /etc/cni/net.d/calico-kubeconfig | base64 -d | openssl x509 -noout "
CLUSTER = "openssl x509 -in /etc/kubernetes/pki/ca.crt -noout "
ONE, OTHER = ":".join(["5E"] * 20), ":".join(["B7"] * 20)


def fires(*artifacts: Artifact, sign: str = "authorities-differ") -> bool:
    return bool(list(SIGNS[sign](picture(artifacts=list(artifacts)))))


@pytest.mark.parametrize(
    ("client", "cluster", "expected"),
    [
        (f"SHA1 Fingerprint={ONE}", f"SHA1 Fingerprint={OTHER}", True),
        (f"sha1 Fingerprint={ONE}", f"SHA1 Fingerprint={ONE}", False),
        (f"sha256 Fingerprint={ONE}", f"SHA1 Fingerprint={OTHER}", False),
        ("notBefore=Mar 19 01:57:34 2022 GMT", "notBefore=Jun  8 13:19:06 2022 GMT", True),
        ("serial=4A0C", "serial=00", True),
        ("serial=00", "serial=00", False),
        (f"X509v3 Subject Key Identifier:\n    {ONE}", f"X509v3 Subject Key Identifier:\n    {OTHER}", True),
        # Issued anew with the same key, it is trusted all the same.
        (
            f"notBefore=Mar 19 01:57:34 2022 GMT\nX509v3 Subject Key Identifier:\n    {ONE}",
            f"notBefore=Jun  8 13:19:06 2022 GMT\nX509v3 Subject Key Identifier:\n    {ONE}",
            False,
        ),
    ],
)
def test_values_are_compared_with_their_like(client: str, cluster: str, expected: bool) -> None:
    assert fires(output(CLIENT, client, "fig-2"), output(CLUSTER, cluster, "fig-2")) is expected


def test_both_in_one_command_and_under_heads() -> None:
    values = f"SHA1 Fingerprint={ONE}\nSHA1 Fingerprint={OTHER}"
    assert fires(output(f"{CLIENT}-fingerprint; {CLUSTER}-fingerprint", values))
    headed = (
        f"/etc/cni/net.d/calico-kubeconfig\nSHA1 Fingerprint={ONE}\nserver/tls/server-ca.crt:\nSHA1 Fingerprint={OTHER}"
    )
    assert fires(output("sh compare.sh  # openssl x509 -fingerprint", headed))


def test_what_is_no_authority_is_not_compared() -> None:
    cluster = output(CLUSTER, f"SHA1 Fingerprint={OTHER}")
    served = "echo | openssl s_client -connect 10.99.0.1:443 | openssl x509 -fingerprint # calico-kubeconfig"
    assert not fires(output(served, f"SHA1 Fingerprint={ONE}"), cluster)
    two = f"{CLIENT}; openssl x509 -in /etc/kubernetes/pki/front-proxy-ca.crt -fingerprint"
    assert not fires(output(two, f"SHA1 Fingerprint={OTHER}\nSHA1 Fingerprint={ONE}"), cluster)
    assert not fires(output(CLIENT, f"SHA1 Fingerprint={ONE}"))


def test_sums_are_weaker() -> None:
    client = output("base64 -d < /etc/cni/net.d/calico-kubeconfig.ca | md5sum", f"{'5e' * 16}  -")
    cluster = output("md5sum /etc/kubernetes/pki/ca.crt", f"{'b7' * 16}  /etc/kubernetes/pki/ca.crt")
    assert fires(client, cluster, sign="authority-sums-differ")
    assert not fires(client, cluster)
