from __future__ import annotations

import pytest

from calivet.redaction.secrets.values import find_kind, is_innocent, looks_random


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"),
        ("DB_PASSWORD_2", "password"),
        ("adminPassword", "password"),
        ("ansible_become_pass", "password"),
        ("spring.datasource.password", "password"),
        ("x-auth-token", "token"),
        ("refreshToken", "token"),
        ("AWS_SECRET_ACCESS_KEY", "key"),
        ("aws_access_key_id", "key"),
        ("client-key-data", "key"),
        ("clientSecret", "secret"),
        ("REGISTRY_CREDENTIALS", "credential"),
        ("口令", "password"),
    ],
)
def test_names_that_say_secret(name, kind):
    assert find_kind(name) == kind


@pytest.mark.parametrize(
    "name",
    "bypass compass passwordFile secretName token-id tokenExpirationSeconds key pubkey ETCD_KEY_FILE initial-cluster-token"
    " pageToken certificate-authority".split(),
)
def test_names_that_do_not(name):
    assert find_kind(name) is None


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("", "password"),
        ("null", "password"),
        ("true", "automountServiceAccountToken"),
        ("/etc/token", "token"),
        ("${PW}", "password"),
        ("{{ .Values.pw }}", "password"),
        ("******", "password"),
        ("<set to the key 'a' in secret 'b'>", "password"),
        ("16 bytes", "password"),
        ("bgp-secrets", "tokenSecret"),
        ("kube-system/regcred", "secret"),
        ("1", "ALLOW_EMPTY_PASSWORD"),
        ("3607", "token"),
        ("<redacted-password-1>", "password"),
    ],
)
def test_values_that_are_no_secret_in_spite_of_their_name(value, name):
    assert is_innocent(value, name, find_kind(name) or "")


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("letmein", "password"),
        ("471100", "password"),
        ("my-client-secret", "client_secret"),
        ("0123456789abcdef", "token-secret"),
    ],
)
def test_values_that_are_one(value, name):
    assert not is_innocent(value, name, find_kind(name) or "")


@pytest.mark.parametrize("value", ["Tulip-9-Rain", "a1B2c3D4", "hunter22", "p@ssw0rd!", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg="])
def test_what_no_sentence_goes_on_with(value):
    assert looks_random(value)


@pytest.mark.parametrize(
    "value",
    [
        "expired",
        "Unauthorized",
        "FailedMount",
        "x509",
        "10.96.0.1:443",
        "v1.28.2",
        "calico-node-x7k2p",
        "code=401",
        "30s",
    ],
)
def test_what_one_does(value):
    assert not looks_random(value)
