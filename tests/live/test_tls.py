"""Certificates: whose are trusted, and what is said of those that are not."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta

import pytest
import trustme

from calivet.live.trouble import ConfigError, Trouble
from tests.live.api_server import PAST, authority, authority_pem, client_certificate, serving, stranger
from tests.live.kubeconfigs import b64, connected


def trouble(folder, certificate: trustme.LeafCert, **cluster) -> tuple[str, str]:
    """What is said of a server with this certificate, its address left out."""
    with serving(certificate) as server:
        connection = connected(folder, server.url, **cluster)
        with pytest.raises(Trouble) as raised:
            connection.get("/version")
        connection.close()
    assert raised.value.kind == "tls"
    return str(raised.value.message).replace(server.url, "SERVER"), server.url


def test_a_wrong_ca_is_named(tmp_path):
    (tmp_path / "ca.crt").write_bytes(authority_pem())
    leaf = stranger().issue_cert("127.0.0.1")
    message, _ = trouble(tmp_path, leaf)
    data = f'certificate-authority-data of cluster "lab-cluster" in {tmp_path}/config'
    assert (
        message
        == f"the certificate of SERVER is not signed by the CA in {data} (unable to get local issuer certificate)"
    )
    message, _ = trouble(tmp_path, leaf, certificate_authority="ca.crt", certificate_authority_data="")
    assert message.startswith(f"the certificate of SERVER is not signed by the CA in {tmp_path}/ca.crt (")
    message, _ = trouble(tmp_path, leaf, certificate_authority_data="")
    assert message.startswith("the certificate of SERVER is not signed by any CA that this system trusts (")


def test_a_certificate_that_ran_out_or_is_not_yet_valid(tmp_path):
    leaf = authority().issue_cert("127.0.0.1", not_before=PAST, not_after=PAST + timedelta(days=1))
    assert trouble(tmp_path, leaf)[0] == "the certificate of SERVER, or of the CA that signed it, has expired"
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    leaf = authority().issue_cert("127.0.0.1", not_before=tomorrow, not_after=tomorrow + timedelta(days=1))
    assert trouble(tmp_path, leaf)[0] == "the certificate of SERVER is not valid yet: compare the clocks"


def test_a_certificate_for_another_name(tmp_path):
    message, _ = trouble(tmp_path, authority().issue_cert("kube.example"))
    assert message == (
        "the certificate of SERVER is for another name: IP address mismatch, certificate is not valid for '127.0.0.1'"
    )
    message, _ = trouble(tmp_path, authority().issue_cert("kube.example"), tls_server_name="other.example")
    assert message.endswith("Hostname mismatch, certificate is not valid for 'other.example'")
    # Like Go, the common name does not count.
    message, _ = trouble(tmp_path, authority().issue_cert("kube.example", common_name="127.0.0.1"))
    assert "is for another name" in message


def test_the_name_in_the_kubeconfig_replaces_the_host_name(tmp_path):
    with serving(authority().issue_cert("kube.example")) as server:
        connection = connected(tmp_path, server.url, tls_server_name="kube.example")
        assert connection.get("/version") == b"{}"
        connection.close()


def test_without_verification_any_certificate_will_do(tmp_path):
    with serving(stranger().issue_cert("other.example")) as server:
        connection = connected(tmp_path, server.url, certificate_authority_data="", insecure_skip_tls_verify=True)
        assert connection.get("/version") == b"{}"
        connection.close()


def test_an_intermediate_may_be_all_that_is_trusted(tmp_path):
    between = authority().create_child_ca()
    with serving(between.issue_cert("127.0.0.1")) as server:
        connection = connected(tmp_path, server.url, certificate_authority_data=b64(between.cert_pem.bytes()))
        assert connection.get("/version") == b"{}"
        connection.close()


def test_a_server_that_wants_another_client_certificate(tmp_path, monkeypatch):
    certificate, key = (one.bytes() for one in _strange_client())
    with serving() as server:
        user = {"client-certificate-data": b64(certificate), "client-key-data": b64(key)}
        connection = connected(tmp_path, server.url, user)
        with pytest.raises(Trouble) as raised:
            connection.get("/version")
        connection.close()
    assert raised.value.kind in {"tls", "cut"}, "the alert may come after the connection is gone"
    if raised.value.kind == "tls":
        assert str(raised.value.message) == f"{server.url} does not accept the client certificate: unknown ca"


def _strange_client() -> tuple[trustme.Blob, trustme.Blob]:
    leaf = stranger().issue_cert("eve@example.org")
    return leaf.cert_chain_pems[0], leaf.private_key_pem


@pytest.mark.parametrize(
    ("cluster", "words"),
    [
        ({"certificate_authority_data": "%%"}, "certificate-authority-data of {place} is not base64"),
        (
            {"certificate_authority_data": b64(b"no certificate")},
            "certificate-authority: certificate-authority-data of {place} contains no PEM certificate",
        ),
        (
            {"certificate_authority_data": b64(client_certificate("ada")[1])},
            "certificate-authority: certificate-authority-data of {place} contains no PEM certificate",
        ),
        (
            {"certificate_authority_data": "", "certificate_authority": "no.crt"},
            "certificate-authority of {place}: file {folder}/no.crt does not exist",
        ),
        (
            {"certificate_authority_data": "", "certificate_authority": "."},
            "certificate-authority of {place}: file {folder} cannot be read: Is a directory",
        ),
        (
            {"insecure_skip_tls_verify": True},
            "{place} has both a certificate-authority and insecure-skip-tls-verify",
        ),
        ({"server": ""}, "{place} has no server"),
        ({"server": "ftp://x"}, "{place}: server is not an http or https address"),
        ({"server": "https://[x"}, "{place}: server is not an http or https address"),
        ({"server": "https://x:port"}, "{place}: server is not an http or https address"),
        ({"server": "https://"}, "{place}: server is not an http or https address"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_told_before_anything_is_asked(cluster, words, tmp_path):
    with pytest.raises(ConfigError) as error:
        connected(tmp_path, **({"server": "https://x.example"} | cluster))
    place = f'cluster "lab-cluster" in {tmp_path}/config'
    assert str(error.value) == words.format(place=place, folder=tmp_path)


def test_comments_around_a_certificate_do_no_harm(tmp_path):
    with serving() as server:
        noted = "# Zürich\n".encode() + authority_pem()
        connection = connected(tmp_path, server.url, certificate_authority_data=b64(noted))
        assert connection.get("/version") == b"{}"
        connection.close()


def test_an_address_without_a_scheme_is_https_where_anything_speaks_of_tls(tmp_path):
    with serving() as server:
        connection = connected(tmp_path, server.url.removeprefix("https://"))
        assert connection.server == server.url
        connection.close()
    plain = connected(tmp_path, "10.0.0.1:8080", certificate_authority_data="")
    assert plain.server == "http://10.0.0.1:8080"


def test_newer_defaults_of_python_do_not_refuse_old_cas(tmp_path):
    """Strict verification refuses CAs without a key identifier, which many clusters have."""
    from calivet.live.wire import pools

    assert not pools.build_context(None, insecure=False, pair=None).verify_flags & ssl.VERIFY_X509_STRICT
