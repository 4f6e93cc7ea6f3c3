from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact, Document, Evidence, Replaced, Unreadable
from calivet.messages.command_line import Command
from calivet.messages.message import make_verbatim
from calivet.redaction.redactor import Redactor
from tests.redaction.ordinary import ORDINARY
from tests.redaction.planted import TABLE, grown

# What texts with secrets in them are made of, right and wrong, whole and torn.
CRUMBS = (
    *(
        "password",
        "token",
        "secret",
        "Cookie: ",
        "Bearer ",
        "密码",
        "是",
        "kind: Secret",
        "data:",
        "  a: b3",
        "https://a:",
    ),
    *("- name: X_TOKEN", "value: abc1def", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "$6$"),
    *("<redacted-token-1>", "<redacted-", "eyJhbGciOiJSUzI1NiJ9", "hunter2", "123456", "--", "://", "@b", "\n", "\n  "),
    *(": ", "=", '"', "'", "\\", " ", "|", "{", "}", "[", "]", "@", "#", ",", ";", "&"),
)
WHOLE = [*(grown(planted, shape) for planted in TABLE.values() for shape in planted.shapes), *ORDINARY]
TEXTS = st.lists(st.one_of(st.sampled_from(CRUMBS), st.sampled_from(WHOLE), st.text(max_size=8)), max_size=12).map(
    "".join
)


@given(TEXTS)
def test_any_text_keeps_its_lines_and_needs_no_second_time(text):
    shown = Redactor().redact_text(text)
    assert shown.count("\n") == text.count("\n")
    assert Redactor().redact_text(shown) == shown
    assert Redactor(anonymize=True, key=b"key").redact_text(text).count("\n") == text.count("\n")


def test_the_same_secret_has_the_same_mark_in_every_document_and_message():
    redactor = Redactor()
    first = redactor.redact_document(Document("a", ["password=Tulip-Rain-9", "token: Amber-Coast-5x"]))
    second = redactor.redact_document(Document("b", ["--password Tulip-Rain-9", "password=Quiet-Harbour-3"]))
    assert first.lines == ["password=<redacted-password-1>", "token: <redacted-token-1>"]
    assert second.lines == ["--password <redacted-password-1>", "password=<redacted-password-2>"]
    assert redactor.redact_text("https://ops:Tulip-Rain-9@reg.lab/") == "https://ops:<redacted-password-1>@reg.lab/"


def test_a_secret_is_known_again_where_nothing_gives_it_away():
    evidence = Evidence([Artifact("a", 1, ["tried 9Tulip-Rain-9 twice"]), Artifact("b", 1, ["password=9Tulip-Rain-9"])])
    Redactor().redact_evidence(evidence)
    assert evidence.artifacts[0].lines == ["tried <redacted-password-1> twice"]


def test_a_word_that_was_somebodys_password_stays_a_word():
    redactor = Redactor()
    assert redactor.redact_text("password=calico-node") == "password=<redacted-password-1>"
    assert redactor.redact_text("calico-node is not ready") == "calico-node is not ready"


def test_a_mark_does_not_lead_on_to_the_next_option():
    command = "sshpass -p Tulip-Rain-9 ssh -p 2222 root@10.1.2.3 -u ops:x"
    assert Redactor().redact_text(command) == command.replace("Tulip-Rain-9", "<redacted-password-1>")


def test_marks_of_an_earlier_run_keep_their_numbers():
    shown = Redactor().redact_text("password=<redacted-password-4>\npassword=Quiet-Harbour-3")
    assert shown == "password=<redacted-password-4>\npassword=<redacted-password-5>"


def test_a_haul_is_cleaned_in_every_part():
    prompt = "[root@wk-3 ~]# curl -u ops:Tulip-Rain-9 https://a"
    evidence = Evidence(
        [
            Artifact(
                "ghp_" + "a1B2" * 9 + ".txt",
                5,
                [prompt, "ok"],
                host="wk-3",
                command="curl -u ops:Tulip-Rain-9 https://a",
            )
        ],
        [
            Unreadable(
                "https://ops:Tulip-Rain-9@a/",
                make_verbatim("token=Amber-Coast-5x is wrong"),
                Command("curl -u ops:Tulip-Rain-9 https://a"),
            )
        ],
    )
    redactor = Redactor()
    redactor.redact_evidence(evidence)
    artifact = evidence.artifacts[0]
    assert artifact.lines == ["[root@wk-3 ~]# curl -u ops:<redacted-password-1> https://a", "ok"]
    assert artifact.command == "curl -u ops:<redacted-password-1> https://a"
    assert (artifact.name, artifact.host, artifact.first) == ("<redacted-token-1>.txt", "wk-3", 5)
    item = evidence.unreadable[0]
    assert item == Unreadable(
        "https://ops:<redacted-password-1>@a/",
        make_verbatim("token=<redacted-token-2> is wrong"),
    )
    assert evidence.replaced == [
        Replaced("password", "<redacted-token-1>.txt", 5, 1),
        Replaced("token", "<redacted-token-1>.txt", 0, 1),
    ]


def test_what_was_replaced_is_told_by_kind_and_document():
    redactor = Redactor()
    redactor.redact_document(
        Document("a.log", ["fine", "password=Tulip-Rain-9", "password=Quiet-Harbour-3 token=Amber-Coast-5x"])
    )
    redactor.redact_text("password=Tulip-Rain-9")
    assert redactor.replaced == [Replaced("password", "a.log", 2, 2), Replaced("token", "a.log", 3, 1)]


def test_a_secret_that_two_artifacts_share_is_seen_as_one():
    evidence = Evidence([Artifact("a", 1, ["    - name: DB_PASSWORD"]), Artifact("a", 2, ["      value: Tulip"])])
    Redactor().redact_evidence(evidence)
    assert evidence.artifacts[1].lines == ["      value: <redacted-password-1>"]


def test_a_document_is_not_changed_itself():
    document = Document("a", ["password=Tulip-Rain-9"])
    Redactor().redact_document(document)
    assert document.lines == ["password=Tulip-Rain-9"]


@pytest.mark.parametrize("number", ["12345678", "4711"])
def test_json_stays_json_where_the_password_is_a_number(number):
    text = f'{{"password": {number}, "port": 1}}'
    assert json.loads(Redactor().redact_text(text)) == {"password": "<redacted-password-1>", "port": 1}


def test_a_key_has_one_mark_in_every_form():
    body = "MIIEpAIBAAKCAQEAx7k2p9QmZr" * 8
    framed = ["-----BEGIN RSA PRIVATE KEY-----", body[:64], body[64:128], body[128:], "-----END RSA PRIVATE KEY-----"]
    redactor = Redactor()
    spread = redactor.redact_document(Document("a", framed)).lines
    inline = redactor.redact_text(r"\n".join(framed))
    assert spread == [framed[0], *["<redacted-private-key-1>"] * 3, framed[-1]]
    assert inline == f"{framed[0]}<redacted-private-key-1>{framed[-1]}"


def test_a_cut_key_does_not_swallow_the_log_behind_it():
    lines = [
        "-----BEGIN RSA PRIVATE KEY-----",
        "a1B2" * 16,
        "NetworkPluginNotReady: cni plugin not initialized",
        "word",
    ]
    shown = Redactor().redact_document(Document("a", lines)).lines
    assert shown == [lines[0], "<redacted-private-key-1>", *lines[2:]]


def test_certificates_in_a_secret_stay():
    certificate = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUMvakNDQWVhZ0F3SUJBZ0lCQURB"
    text = f"apiVersion: v1\ndata:\n  ca.crt: {certificate}\n  pw: aHVudGVyMg==\nkind: Secret"
    assert Redactor().redact_text(text) == text.replace("aHVudGVyMg==", "<redacted-secret-data-1>")


CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIC/jCCAeagAwIBAgIBADANBgkqhkiG9w0BAQsFADAVMRMwEQYDVQQDEwprdWJl
-----END CERTIFICATE-----"""


@pytest.mark.parametrize(
    "text",
    [
        f"$ kubectl get secret typha-certs -o jsonpath='{{.data.tls\\.crt}}' | base64 -d\n{CERTIFICATE}",
        "$ kubectl get secret -o custom-columns=NAME:.metadata.name\nNAME\ntypha-certs\nnode-certs",
    ],
)
def test_commands_that_print_nothing_secret(text):
    assert Redactor().redact_text(text) == text
