from __future__ import annotations

import os
from pathlib import Path

import pytest

from calivet.live.login import kubeconfig
from calivet.live.trouble import ConfigError

FIRST = """
current-context: ""
contexts:
- {name: lab, context: {cluster: lab, user: ada}}
clusters:
- {name: lab, cluster: {server: "https://first.example:6443", certificate-authority: pki/ca.crt}}
users:
"""
SECOND = """
apiVersion: v1
kind: Config
preferences: {}
current-context: lab
contexts:
- {name: lab, context: {cluster: other, user: other}}
- {name: far, context: {cluster: far, user: ada, namespace: x}}
clusters:
- {name: lab, cluster: {server: "https://second.example:6443"}}
- {name: far, cluster: {server: "https://far.example"}}
users:
- name: ada
  user: {client-certificate: ada.crt, client-key: /keys/ada.key, tokenFile: t/token}
- name: plugin
  user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: bin/login, args: null, env: null}}
"""


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KUBECONFIG")
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)


def put(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def refused(text: str, tmp_path: Path, context: str | None = None) -> str:
    path = put(tmp_path / "config", text)
    with pytest.raises(ConfigError) as error:
        kubeconfig.find_target(path, context)
    assert path in str(error.value)
    return str(error.value).removeprefix(path)


def test_several_files_are_merged_and_the_first_to_name_something_wins(monkeypatch, tmp_path):
    first, second = put(tmp_path / "a" / "one", FIRST), put(tmp_path / "b" / "two", SECOND)
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join(["", first, str(tmp_path / "missing"), second, first]))

    chosen = kubeconfig.find_target(None, None)

    assert chosen.context == "lab"
    assert chosen.cluster.server == "https://first.example:6443"
    assert chosen.cluster_place == f'cluster "lab" in {first}'
    assert chosen.user_place == f'user "ada" in {second}'


def test_relative_paths_start_at_the_file_they_stand_in(monkeypatch, tmp_path):
    first, second = put(tmp_path / "a" / "one", FIRST), put(tmp_path / "b" / "two", SECOND)
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join([first, second]))

    chosen = kubeconfig.find_target(None, "lab")

    assert chosen.cluster.certificate_authority == str(tmp_path / "a" / "pki" / "ca.crt")
    assert chosen.user.client_certificate == str(tmp_path / "b" / "ada.crt")
    assert chosen.user.client_key == "/keys/ada.key"
    assert chosen.user.token_file == str(tmp_path / "b" / "t" / "token")
    merged = kubeconfig.merge_files([Path(second)])
    plugin = merged.users["plugin"][1].exec
    assert plugin is not None
    assert plugin.command == str(tmp_path / "b" / "bin" / "login")


def test_the_command_line_goes_before_the_environment_and_that_before_the_home_directory(monkeypatch, tmp_path):
    named = SECOND.replace("far.example", "named.example")
    put(tmp_path / "home" / ".kube" / "config", SECOND)
    assert kubeconfig.find_target(None, "far").cluster.server == "https://far.example"

    monkeypatch.setenv("KUBECONFIG", put(tmp_path / "one", named))
    assert kubeconfig.find_target(None, "far").cluster.server == "https://named.example"

    assert kubeconfig.find_target(put(tmp_path / "two", SECOND), "far").cluster.server == "https://far.example"


def test_what_looks_like_a_number_stays_as_it_is_written(tmp_path):
    text = """
current-context: 1.10
contexts: [{name: 1.10, context: {cluster: 007, user: 2024-01-01}}]
clusters: [{name: 007, cluster: {server: "https://x.example", insecure-skip-tls-verify: true, extensions: null}}]
users: [{name: 2024-01-01, user: {username: 0x10, password: 012345, auth-provider: null}}]
"""
    chosen = kubeconfig.find_target(put(tmp_path / "config", text), None)

    assert chosen.context == "1.10"
    assert chosen.cluster.insecure_skip_tls_verify
    assert (chosen.user.username, chosen.user.password) == ("0x10", "012345")


def test_a_context_may_go_without_a_user(tmp_path):
    text = (
        "current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: x}}]"
    )
    chosen = kubeconfig.find_target(put(tmp_path / "config", text), None)
    assert (chosen.user.token, chosen.user_place) == ("", f'context "a" in {tmp_path}/config')


def test_nothing_of_a_user_shows_in_its_representation(tmp_path):
    text = SECOND.replace("client-certificate: ada.crt", "token: s3cr3t, client-key-data: c2VjcmV0")
    merged = kubeconfig.merge_files([Path(put(tmp_path / "config", text))])
    assert "s3cr3t" not in repr(merged)
    assert "c2VjcmV0" not in repr(merged)


@pytest.mark.parametrize(
    ("text", "context", "words"),
    [
        ("users: [\n  {name: a}\n  b: c: d\n", None, ", line 3: not valid YAML: "),
        ("a: b\n\tc: d\n", None, ", line 2: not valid YAML: "),
        ("\x00\x01", None, ": not valid YAML"),
        ("[" * 5000 + "]" * 5000, None, ", line 1: not valid YAML: nested more than 100 levels deep"),
        ("contexts: {lab: 1}\n", None, ": not a kubeconfig: "),
        ("just words\n", None, ": not a kubeconfig: "),
        ("", None, ": current-context is not set; it has no contexts at all"),
        (
            SECOND.replace("current-context: lab", ""),
            None,
            ": current-context is not set; choose with --context: far, lab",
        ),
        (SECOND, "lap", ': no context "lap"; choose with --context: lab'),
        (SECOND, "prod", ': no context "prod"; choose with --context: far, lab'),
        (SECOND.replace("context: lab", "context: old"), None, ': no context "old"; choose with --context: far, lab'),
        (SECOND, "lab", ': context "lab" names cluster "other", which does not exist'),
        (SECOND.replace("user: ada", "user: bob"), "far", ': context "far" names user "bob", which does not exist'),
    ],
)
def test_a_kubeconfig_that_cannot_be_used_is_told_in_one_line(text, context, words, tmp_path):
    message = refused(text, tmp_path, context)
    assert message.startswith(words)
    assert "\n" not in message


def test_of_many_contexts_only_some_are_listed(tmp_path):
    contexts = ", ".join(f"{{name: c{number}, context: {{cluster: x}}}}" for number in range(9))
    message = refused(f"contexts: [{contexts}]", tmp_path)
    assert message.endswith("choose with --context: c0, c1, c2 and 6 more")


def test_files_that_are_missing_or_unreadable_are_named(monkeypatch, tmp_path):
    with pytest.raises(ConfigError, match=r"^kubeconfig /no/such does not exist$"):
        kubeconfig.find_target("/no/such", None)
    with pytest.raises(ConfigError, match=f"^kubeconfig {tmp_path} cannot be read: Is a directory$"):
        kubeconfig.find_target(str(tmp_path), None)
    with pytest.raises(
        ConfigError, match=rf"^no kubeconfig: {tmp_path}/home/.kube/config does not exist; use --kubeconfig"
    ):
        kubeconfig.find_target(None, None)
    monkeypatch.setenv("KUBECONFIG", "/no/a:/no/b")
    with pytest.raises(ConfigError, match=r"^no kubeconfig: /no/a:/no/b does not exist"):
        kubeconfig.find_target(None, None)


@pytest.fixture
def pod(monkeypatch, tmp_path):
    """The inside of a pod."""
    monkeypatch.setattr(kubeconfig, "FOLDER", tmp_path / "serviceaccount")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    put(tmp_path / "serviceaccount" / "token", "t")
    put(tmp_path / "serviceaccount" / "ca.crt", "c")
    return tmp_path


def test_inside_a_pod_the_service_account_is_used(pod, monkeypatch):
    chosen = kubeconfig.find_target(None, None)
    assert chosen.context is None
    assert chosen.cluster.server == "https://10.96.0.1:443"
    assert chosen.cluster.certificate_authority == str(pod / "serviceaccount" / "ca.crt")
    assert chosen.user.token_file == str(pod / "serviceaccount" / "token")

    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "fd00::1")
    assert kubeconfig.find_target(None, None).cluster.server == "https://[fd00::1]:443"


def test_a_kubeconfig_goes_before_the_service_account(pod):
    put(pod / "home" / ".kube" / "config", SECOND)
    assert kubeconfig.find_target(None, "far").cluster.server == "https://far.example"


def test_a_context_that_was_asked_for_is_never_replaced_by_the_service_account(pod):
    with pytest.raises(ConfigError, match="no kubeconfig"):
        kubeconfig.find_target(None, "lab")


def test_without_a_token_this_is_no_pod(pod):
    (pod / "serviceaccount" / "token").unlink()
    with pytest.raises(ConfigError, match="no kubeconfig"):
        kubeconfig.find_target(None, None)
