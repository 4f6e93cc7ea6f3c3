"""Exec plugins, with real little programs in their place."""

from __future__ import annotations

import os
import threading
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from calivet.live.login import credentials
from calivet.live.trouble import ConfigError, Trouble
from tests.live.api_server import Reply, authority_pem, client_certificate, serving
from tests.live.kubeconfigs import connected, script

V1 = "client.authentication.k8s.io/v1"
UNAUTHORIZED = Reply(401, b'{"kind":"Status","message":"Unauthorized"}')


def credential(version: str = V1, **status: Any) -> str:
    return msgspec.json.encode({"apiVersion": version, "kind": "ExecCredential", "status": status}).decode()


def plugin(folder: Path, text: str, **more: Any) -> dict:
    """A user with a plugin that counts its runs and then does what the text says."""
    path = script(folder, "login", f"echo run >> {folder}/runs\n{text}")
    return {"exec": {"apiVersion": V1, "command": str(path), "interactiveMode": "Never"} | more}


def printing(folder: Path, text: str) -> str:
    """A line for the plugin that prints this text; the file can be changed between runs."""
    (folder / "printed").write_text(text)
    return f"cat {folder}/printed"


def runs(folder: Path) -> int:
    return len((folder / "runs").read_text().splitlines())


def refused(folder: Path, user: dict) -> str:
    """What is said by a request whose plugin gives nothing."""
    connection = connected(folder, "https://127.0.0.1:1", user)
    with pytest.raises(Trouble) as trouble:
        connection.get("/version")
    assert trouble.value.kind == "unauthorized"
    return str(trouble.value.message)


@pytest.mark.parametrize("version", [V1, "client.authentication.k8s.io/v1beta1"])
def test_one_run_serves_many_threads_and_many_requests(version, tmp_path):
    user = plugin(tmp_path, printing(tmp_path, credential(version, token="abc")), apiVersion=version)
    with serving() as server:
        connection = connected(tmp_path, server.url, user)
        threads = [threading.Thread(target=connection.get, args=("/version",)) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        connection.close()
        assert [one.headers["Authorization"] for one in server.asked] == ["Bearer abc"] * 12
    assert runs(tmp_path) == 1


def test_connecting_does_not_run_the_plugin(tmp_path):
    connected(tmp_path, "https://x.example", plugin(tmp_path, "false"))
    assert not (tmp_path / "runs").exists()


def test_a_token_is_renewed_before_it_ends_and_not_earlier(tmp_path):
    now = datetime.now(UTC)
    soon, later = now + timedelta(seconds=credentials.EARLY / 2), now + timedelta(hours=1)
    user = plugin(tmp_path, printing(tmp_path, credential(token="first", expirationTimestamp=soon)))
    with serving() as server:
        connection = connected(tmp_path, server.url, user)
        connection.get("/version")
        printing(tmp_path, credential(token="second", expirationTimestamp=later))
        connection.get("/version")
        printing(tmp_path, credential(token="third"))
        connection.get("/version")
        connection.close()
        assert [one.headers["Authorization"][7:] for one in server.asked] == ["first", "second", "second"]
    assert runs(tmp_path) == 2


def test_a_token_that_is_not_accepted_is_renewed_once(tmp_path):
    user = plugin(tmp_path, printing(tmp_path, credential(token="first")))
    with serving() as server:
        server.replies["/version"] = [Reply(), UNAUTHORIZED, Reply()]
        connection = connected(tmp_path, server.url, user)
        connection.get("/version")
        printing(tmp_path, credential(token="second"))
        connection.get("/version")
        assert [one.headers["Authorization"][7:] for one in server.asked] == ["first", "first", "second"]
        assert runs(tmp_path) == 2

        # The same token again: neither the server nor the plugin is bothered once more.
        server.replies["/version"] = [UNAUTHORIZED]
        for _ in range(3):
            with pytest.raises(Trouble, match="does not accept the credentials"):
                connection.get("/version")
        connection.close()
        assert len(server.asked) == 6
    assert runs(tmp_path) == 3


def test_client_certificates_from_a_plugin_change_with_it(tmp_path):
    def issued(name: str) -> str:
        certificate, key = client_certificate(name)
        return credential(clientCertificateData=certificate.decode(), clientKeyData=key.decode())

    user = plugin(tmp_path, printing(tmp_path, issued("ada")))
    with serving() as server:
        server.replies["/version"] = [Reply(), UNAUTHORIZED, Reply()]
        connection = connected(tmp_path, server.url, user)
        connection.get("/version")
        printing(tmp_path, issued("bob"))
        connection.get("/version")
        connection.close()
        assert [one.client for one in server.asked] == ["ada", "ada", "bob"]


def test_the_plugin_is_given_arguments_environment_and_the_cluster(tmp_path):
    told = f'echo "$1 $2 $REGION" > {tmp_path}/told; echo "$KUBERNETES_EXEC_INFO" > {tmp_path}/info\n'
    user = plugin(
        tmp_path,
        told + printing(tmp_path, credential(token="abc")),
        args=["get-token", "--x"],
        env=[{"name": "REGION", "value": "north"}],
        provideClusterInfo=True,
    )
    cluster = {
        "tls_server_name": "kube.example",
        "extensions": [{"name": "client.authentication.k8s.io/exec", "extension": {"audience": "abc"}}],
    }
    with serving() as server:
        connection = connected(tmp_path, server.url, user, **cluster)
        connection.get("/version")
        connection.close()
    assert (tmp_path / "told").read_text() == "get-token --x north\n"
    info = msgspec.json.decode((tmp_path / "info").read_bytes())
    assert info["apiVersion"] == V1
    assert info["kind"] == "ExecCredential"
    assert info["spec"]["interactive"] is False
    assert b64decode(info["spec"]["cluster"].pop("certificate-authority-data")) == authority_pem()
    assert info["spec"]["cluster"] == {
        "server": server.url,
        "tls-server-name": "kube.example",
        "config": {"audience": "abc"},
    }


def test_the_cluster_is_told_only_to_a_plugin_that_wants_it(tmp_path):
    text = f'echo "$KUBERNETES_EXEC_INFO" > {tmp_path}/info; exit 1'
    refused(tmp_path, plugin(tmp_path, text))
    assert msgspec.json.decode((tmp_path / "info").read_bytes())["spec"] == {"interactive": False}


def test_a_failing_plugin_is_told_in_one_bounded_line_and_not_run_for_each_request(tmp_path):
    text = "printf 'no\\033[31m session\\nsign in again\\n' >&2; exit 255"
    user = plugin(tmp_path, text)
    message = f"exec plugin {tmp_path}/login failed with exit code 255: no session sign in again"
    connection = connected(tmp_path, "https://127.0.0.1:1", user)
    for _ in range(3):
        with pytest.raises(Trouble) as trouble:
            connection.get("/version")
        assert str(trouble.value.message) == message
    assert runs(tmp_path) == 1
    assert len(refused(tmp_path, plugin(tmp_path, "yes long | head -1000 >&2; exit 1"))) < 600
    assert refused(tmp_path, plugin(tmp_path, "exit 3")).endswith("/login failed with exit code 3")


def test_secrets_given_to_a_plugin_are_not_repeated(tmp_path):
    user = plugin(
        tmp_path,
        'echo "bad secret: $1 $CLIENT_PASSWORD for $CLIENT" >&2; exit 1',
        args=["--oidc-client-secret=s3cr3t"],
        env=[{"name": "CLIENT_PASSWORD", "value": "hunter2"}, {"name": "CLIENT", "value": "lab"}],
    )
    assert refused(tmp_path, user).endswith(": bad secret: --oidc-client-secret=*** *** for lab")


def test_a_plugin_that_hangs_is_ended_with_its_children(tmp_path, monkeypatch):
    monkeypatch.setattr(credentials, "SECONDS", 0.3)
    os.mkfifo(tmp_path / "held")
    reading = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    user = plugin(tmp_path, f"exec 3> {tmp_path}/held; sleep 600 & wait")
    assert refused(tmp_path, user) == f"exec plugin {tmp_path}/login did not finish within 0.3 s"

    os.set_blocking(reading, True)
    assert os.read(reading, 1) == b"", "comes only when nobody holds the other end any more"
    os.close(reading)


def test_with_a_person_at_the_terminal_the_plugin_may_ask(tmp_path, monkeypatch):
    monkeypatch.setattr(credentials, "_is_person_present", lambda: True)
    text = f'echo "$KUBERNETES_EXEC_INFO" > {tmp_path}/info\n'
    user = plugin(tmp_path, text + printing(tmp_path, credential(token="abc")), interactiveMode="Always")
    with serving() as server:
        connection = connected(tmp_path, server.url, user)
        connection.get("/version")
        connection.close()
    assert msgspec.json.decode((tmp_path / "info").read_bytes())["spec"]["interactive"] is True


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("hello", "did not print an ExecCredential"),
        ("", "did not print an ExecCredential"),
        (
            credential("client.authentication.k8s.io/v1beta1", token="a"),
            f"printed client.authentication.k8s.io/v1beta1 where {V1} was asked for",
        ),
        ('{"kind":"ExecCredential","status":{"token":"a"}}', f"printed no apiVersion where {V1} was asked for"),
        (credential(), "gave neither a token nor a client certificate"),
        (f'{{"apiVersion":"{V1}"}}', "gave neither a token nor a client certificate"),
        (credential(clientCertificateData="x"), "has a client certificate without the client key"),
        (credential(token="s3cr3t\nx"), "contains characters that a token cannot have"),
        (credential(token="a", expirationTimestamp="soon"), "did not print an ExecCredential"),
    ],
)
def test_a_plugin_that_prints_nothing_useful(output, words, tmp_path):
    message = refused(tmp_path, plugin(tmp_path, printing(tmp_path, output)))
    assert f"exec plugin {tmp_path}/login" in message
    assert message.endswith(words)
    assert "s3cr3t" not in message


def test_what_can_be_said_before_anything_runs(tmp_path):
    place = f'user "ada" in {tmp_path}/config'
    user = plugin(tmp_path, "false")
    for change, message in (
        ({"command": ""}, f"{place}: exec has no command"),
        (
            {"command": "aws-nowhere", "installHint": "Install it from\n  https://x.example"},
            f"{place}: exec plugin aws-nowhere is not installed; Install it from https://x.example",
        ),
        ({"command": "./nowhere"}, f"{place}: exec plugin {tmp_path}/nowhere is not installed"),
        (
            {"interactiveMode": "Always"},
            f"{place}: exec plugin {tmp_path}/login needs input, but there is no terminal",
        ),
        (
            {"apiVersion": "client.authentication.k8s.io/v1alpha1"},
            f'{place}: exec has apiVersion "client.authentication.k8s.io/v1alpha1"; known are {V1} and {V1}beta1',
        ),
    ):
        with pytest.raises(ConfigError) as error:
            connected(tmp_path, "https://127.0.0.1:1", {"exec": user["exec"] | change})
        assert str(error.value) == message


def test_a_plugin_that_went_away_is_told(tmp_path):
    connection = connected(tmp_path, "https://127.0.0.1:1", plugin(tmp_path, "true"))
    (tmp_path / "login").unlink()
    with pytest.raises(Trouble, match="cannot be run: No such file or directory"):
        connection.get("/version")


def test_a_token_in_the_kubeconfig_goes_before_the_plugin(tmp_path):
    with serving() as server:
        connection = connected(tmp_path, server.url, plugin(tmp_path, "false") | {"token": "abc"})
        connection.get("/version")
        connection.close()
        assert server.asked[0].headers["Authorization"] == "Bearer abc"
