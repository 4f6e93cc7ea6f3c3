from __future__ import annotations

import ssl
import tempfile
import time
from base64 import b64encode
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives import serialization

from calivet.live.connection import Access, connect
from calivet.live.trouble import ConfigError, Trouble
from tests.live.api_server import Reply, client_certificate, serving
from tests.live.kubeconfigs import b64, connected, written

UNAUTHORIZED = Reply(401, b'{"kind":"Status","code":401,"reason":"Unauthorized","message":"Unauthorized"}')


def shown(folder: Path, user: dict, **cluster) -> str:
    """The Authorization header that reaches the server."""
    with serving() as server:
        connection = connected(folder, server.url, user, **cluster)
        connection.get("/version")
        connection.close()
        return server.asked[0].headers.get("Authorization", "")


def refused(folder: Path, user: dict) -> str:
    with pytest.raises(ConfigError) as error:
        connected(folder, "https://127.0.0.1:1", user)
    return str(error.value)


def token(**claims) -> str:
    """An unsigned web token."""
    return f"e30.{b64encode(msgspec.json.encode(claims)).decode().rstrip('=')}.c2ln"


def test_each_way_of_proving_who_one_is(tmp_path):
    (tmp_path / "token").write_text("from-a-file\n")
    assert shown(tmp_path, {}) == ""
    assert shown(tmp_path, {"token": "abc"}) == "Bearer abc"
    assert shown(tmp_path, {"tokenFile": "token"}) == "Bearer from-a-file"
    assert shown(tmp_path, {"tokenFile": "token", "token": "abc"}) == "Bearer from-a-file"
    assert shown(tmp_path, {"tokenFile": "missing", "token": "abc"}) == "Bearer abc"
    assert shown(tmp_path, {"username": "ada", "password": "pä"}) == "Basic " + b64("ada:pä".encode())
    assert shown(tmp_path, {"auth-provider": {"name": "oidc", "config": {"id-token": "i.d.t"}}}) == "Bearer i.d.t"


@pytest.mark.parametrize("as_files", [True, False])
def test_a_client_certificate_reaches_the_server(as_files, tmp_path):
    certificate, key = client_certificate("ada")
    user = {"client-certificate-data": b64(certificate), "client-key-data": b64(key)}
    if as_files:
        (tmp_path / "ada.crt").write_bytes(certificate)
        (tmp_path / "ada.key").write_bytes(key)
        user = {"client-certificate": "ada.crt", "client-key": "ada.key"}
    with serving() as server:
        connection = connected(tmp_path, server.url, user)
        connection.get("/version")
        connection.close()
        assert server.asked[0].client == "ada"


def test_a_key_lies_on_disk_only_for_its_owner_and_only_while_it_is_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    modes = []

    loading = ssl.SSLContext.load_cert_chain

    def watched(self, file, *rest, **more):
        modes.append(Path(file).stat().st_mode & 0o777)
        loading(self, file, *rest, **more)

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", watched)
    certificate, key = client_certificate("ada")
    connected(tmp_path, "https://x.example", {"client-certificate-data": b64(certificate), "client-key-data": b64(key)})
    assert modes == [0o600]
    assert list((tmp_path / "scratch").iterdir()) == []


def test_without_room_for_a_temporary_file_a_client_key_cannot_be_used(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    certificate, key = client_certificate("ada")
    message = refused(tmp_path, {"client-certificate-data": b64(certificate), "client-key-data": b64(key)})
    assert message.endswith("needs a temporary file to be loaded: No such file or directory")


def test_a_rotated_token_file_is_picked_up(tmp_path):
    file = tmp_path / "token"
    file.write_text("old")
    with serving() as server:
        connection = connected(tmp_path, server.url, {"tokenFile": str(file)})
        connection.get("/version")
        file.write_text("new")
        connection.get("/version")
        connection.close()
        assert [one.headers["Authorization"] for one in server.asked] == ["Bearer old", "Bearer new"]


def test_a_token_file_that_goes_away_is_told(tmp_path):
    file = tmp_path / "token"
    file.write_text("old")
    connection = connected(tmp_path, "https://127.0.0.1:1", {"tokenFile": str(file)})
    file.unlink()
    with pytest.raises(
        Trouble, match=f'^tokenFile of user "ada" in .*: {file} cannot be read: No such file'
    ) as trouble:
        connection.get("/version")
    assert trouble.value.kind == "unauthorized"


def test_a_client_certificate_that_was_replaced_is_read_anew_after_a_refusal(tmp_path):
    for name, content in zip(("crt", "key"), client_certificate("ada"), strict=True):
        (tmp_path / name).write_bytes(content)
    with serving() as server:
        server.replies["/version"] = [Reply(), UNAUTHORIZED, Reply()]
        connection = connected(tmp_path, server.url, {"client-certificate": "crt", "client-key": "key"})
        connection.get("/version")
        for name, content in zip(("crt", "key"), client_certificate("bob"), strict=True):
            (tmp_path / name).write_bytes(content)
        connection.get("/version")
        connection.close()
        assert [one.client for one in server.asked] == ["ada", "ada", "bob"]


def test_credentials_that_are_not_accepted_are_told_without_showing_them(tmp_path):
    with serving() as server:
        server.replies["/version"] = [UNAUTHORIZED]
        connection = connected(tmp_path, server.url, {"token": "s3cr3t"})
        with pytest.raises(Trouble) as trouble:
            connection.get("/version")
        connection.close()
        assert len(server.asked) == 1
    place = f'the credentials of user "ada" in {tmp_path}/config'
    assert str(trouble.value.message) == f"{server.url} does not accept {place}"
    assert (trouble.value.kind, trouble.value.status) == ("unauthorized", 401)
    assert "s3cr3t" not in repr(trouble.value) + repr(connection)


def test_credentials_that_ran_out_say_when(tmp_path):
    certificate, key = client_certificate("old", expired=True)
    pair = {"client-certificate-data": b64(certificate), "client-key-data": b64(key)}
    with serving() as server:
        server.replies["/version"] = [UNAUTHORIZED]
        for user, words in (
            ({"token": token(exp=1700000000)}, ": the token expired on 2023-11-14 at 22:13 UTC"),
            ({"token": token(exp=time.time() + 999)}, "/config"),
            ({"token": "not.a.token"}, "/config"),
            ({"token": token(exp="soon")}, "/config"),
            ({}, f'requests without credentials, and user "ada" in {tmp_path}/config has none'),
        ):
            connection = connected(tmp_path, server.url, user)
            with pytest.raises(Trouble) as trouble:
                connection.get("/version")
            connection.close()
            assert str(trouble.value.message).endswith(words)
    with serving(plain=True) as server:
        server.replies["/version"] = [UNAUTHORIZED]
        connection = connected(tmp_path, server.url, pair)
        with pytest.raises(Trouble, match=r": the client certificate expired on 2020-01-02 at 00:00 UTC$"):
            connection.get("/version")
        connection.close()


def test_files_and_data_that_cannot_be_used_are_named(tmp_path):
    certificate, key = client_certificate("ada")
    _, other_key = client_certificate("bob")
    place = f'user "ada" in {tmp_path}/config'
    encrypted = serialization.load_pem_private_key(key, None).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"x")
    )

    def pair(certificate: bytes, key: bytes) -> dict:
        return {"client-certificate-data": b64(certificate), "client-key-data": b64(key)}

    for user, message in (
        (
            {"client-certificate": "a.crt", "client-key": "a.key"},
            f"client-certificate of {place}: file {tmp_path}/a.crt does not exist",
        ),
        (pair(certificate, key) | {"client-key-data": "%%%"}, f"client-key-data of {place} is not base64"),
        (
            {"client-certificate-data": b64(certificate)},
            f"{place} has a client certificate without the client key",
        ),
        ({"client-key-data": b64(key)}, f"{place} has a client key without the client certificate"),
        (
            pair(certificate, other_key),
            f"client key: client-key-data of {place} does not belong to the certificate in client-certificate-data of {place}",
        ),
        (
            pair(certificate, encrypted),
            f"client key: client-key-data of {place} is encrypted; kubectl cannot use it either, decrypt it first",
        ),
        (pair(b"x", key), f"client certificate: client-certificate-data of {place} contains no PEM certificate"),
        (pair(certificate, b"x"), f"client key: client-key-data of {place} contains no PEM key"),
        ({"tokenFile": "t"}, f"tokenFile of {place}: {tmp_path}/t cannot be read: No such file or directory"),
        ({"tokenFile": "config/t"}, f"tokenFile of {place}: {tmp_path}/config/t cannot be read: Not a directory"),
        ({"token": "s3cr3t\nx"}, f"the token of {place} contains characters that a token cannot have"),
        (
            {"auth-provider": {"name": "gcp", "config": {"access-token": "s3cr3t"}}},
            f"{place}: auth-provider gcp is no longer supported; use gke-gcloud-auth-plugin instead",
        ),
        (
            {"auth-provider": {"name": "openstack"}},
            f"{place}: auth-provider openstack is no longer supported; use an exec plugin instead",
        ),
    ):
        assert refused(tmp_path, user) == message
    (tmp_path / "t").write_text("\n")
    assert refused(tmp_path, {"tokenFile": "t"}) == f"tokenFile of {place}: {tmp_path}/t is empty"


def test_the_service_account_of_a_pod_opens_the_door(tmp_path, monkeypatch):
    from calivet.live.login import kubeconfig
    from tests.live.api_server import authority_pem

    monkeypatch.setattr(kubeconfig, "FOLDER", tmp_path)
    (tmp_path / "token").write_text("pod-token")
    (tmp_path / "ca.crt").write_bytes(authority_pem())
    with serving() as server:
        monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
        monkeypatch.setenv("KUBERNETES_SERVICE_PORT", str(server.server_port))
        connection = connect(Access())
        connection.get("/version")
        connection.close()
        assert server.asked[0].headers["Authorization"] == "Bearer pod-token"


def test_impersonation_is_asked_for_as_kubectl_does(tmp_path):
    user = {"token": "t", "as": "zoë", "as-groups": ["a", "b"], "as-uid": "7", "as-user-extra": {"Team/x": ["y"]}}
    with serving() as server:
        path = written(tmp_path, server.url, user)
        for access in (
            Access(kubeconfig=path),
            Access(kubeconfig=path, impersonate="eve", groups=("c",)),
        ):
            connection = connect(access)
            connection.get("/version")
            connection.close()
        first, second = (one.headers for one in server.asked)
    assert first["Impersonate-User"].encode("latin-1").decode() == "zoë"
    assert first.get_all("Impersonate-Group") == ["a", "b"]
    assert (first["Impersonate-Uid"], first["Impersonate-Extra-Team%2Fx"]) == ("7", "y")
    assert second["Impersonate-User"] == "eve"
    assert second.get_all("Impersonate-Group") == ["c"]
    assert second["Impersonate-Uid"] is None


def test_impersonation_that_makes_no_sense_is_refused(tmp_path):
    path = written(tmp_path, "https://x.example", {"token": "t"})
    with pytest.raises(ConfigError, match="add --as USER"):
        connect(Access(kubeconfig=path, groups=("a",)))
    with pytest.raises(ConfigError, match="Impersonate-User may not contain line breaks"):
        connect(Access(kubeconfig=path, impersonate="a\r\nX: y"))
