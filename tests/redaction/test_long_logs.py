"""A secret in a log over a megabyte never reaches the page, wherever the log is cut."""

from __future__ import annotations

from functools import partial

import pytest

from calivet.evidence.artifact import Evidence
from calivet.evidence.gather import gather
from calivet.evidence.long_logs import intake as cutting
from calivet.evidence.long_logs.intake import SHORT
from calivet.evidence.long_logs.sieve import look
from calivet.redaction.redactor import Redactor
from calivet.signs.sign_detector import prepare_detector
from tests.redaction.planted import body_of_key, jwt, made

ORDINARY = (
    "2024-05-06 07:08:09.{:06d} [INFO][70] felix/int_dataplane.go 1836: Completed reconciliation of the dataplane"
)
SICK = "2024-05-06 07:08:09.123 [FATAL][1] running with swap on is not supported, please disable swap"
HEAD = "2024-05-06 07:08:09.{:06d} [INFO][9] app.go 12: "
KEY = body_of_key("long")
KEY_LINES = [KEY[at : at + 64] for at in range(0, len(KEY), 64)]
PASSWORD, DATA = made("long log"), made("long data", 40)
SPREAD = {
    "key": ["-----BEGIN RSA PRIVATE KEY-----", *KEY_LINES, "-----END RSA PRIVATE KEY-----"],
    "object": [
        "apiVersion: v1",
        "data:",
        f"  pw: {DATA}",
        f"  other: {PASSWORD}",
        "kind: Secret",
        "metadata:",
        "  name: db",
    ],
    "object the other way": ["kind: Secret", "metadata:", "  name: db", "stringData:", f"  pw: {DATA}", "type: Opaque"],
    "environment": ["    - name: DB_PASSWORD", f"      value: {PASSWORD}"],
    "block": ["password: |", f"  {PASSWORD}"],
    "next line": ["token:", f"  {PASSWORD}"],
    "here document": ["chpasswd <<EOF", f"root:{PASSWORD}", "EOF"],
    "wrapped": [f"token: {jwt('long')[:80]}", jwt("long")[80:160], jwt("long")[160:]],
    "one line": [f"password={PASSWORD}"],
}
SECRETS = (*KEY_LINES[:-1], PASSWORD, DATA, jwt("long")[:60], jwt("long")[90:150])


def redact(blocks: list[bytes]) -> list[bytes]:
    """As the sieve has it done."""
    redactor = Redactor()
    look_at = partial(look, prepare_detector()[1].output, most=1, is_hint=redactor.is_hint)
    return [seen.text for seen in redactor.redact_blocks("a.log", map(look_at, blocks), look_at)]


def kept_of(lines: list[str], tmp_path) -> Evidence:
    path = tmp_path / "felix.log"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert path.stat().st_size > SHORT
    evidence = gather([str(path)], matcher=prepare_detector()[1].output, redactor=Redactor())
    assert evidence.artifacts
    assert sum(len(artifact.lines) for artifact in evidence.artifacts) < len(lines)
    return evidence


def left_in(evidence: Evidence) -> set[str]:
    text = "\n".join(line for artifact in evidence.artifacts for line in artifact.lines)
    return {secret for secret in SECRETS if secret in text}


@pytest.mark.parametrize("kind", SPREAD)
@pytest.mark.parametrize("head", ["", HEAD])
def test_no_part_of_it_is_kept(kind, head, tmp_path):
    """Every line of it stands beside one that is kept."""
    lines = [ORDINARY.format(number) for number in range(16000)]
    for place in (40, 8000, 15960):
        spread = [head.format(number) + line for number, line in enumerate(SPREAD[kind])]
        lines[place:place] = [SICK, *spread, SICK]
    evidence = kept_of(lines, tmp_path)
    assert any(SICK in line for artifact in evidence.artifacts for line in artifact.lines)
    assert not left_in(evidence)


@pytest.mark.parametrize("kind", SPREAD)
def test_the_border_of_a_block_hides_none(kind):
    spread = [line.encode() for line in SPREAD[kind]]
    for cut in range(len(spread) + 1):
        text = [
            b"\n".join([b"a"] * 9 + spread[:cut]) + b"\n",
            b"\n".join([*spread[cut:], b"a", b"b"]) + b"\n",
            b"end\n",
        ]
        shown = redact(text)
        assert [block.count(b"\n") for block in shown] == [block.count(b"\n") for block in text]
        assert not {secret for secret in SECRETS if secret.encode() in b"".join(shown)}


def test_what_holds_nothing_stays_to_the_byte():
    text = [("\n".join(ORDINARY.format(number) for number in range(100)) + "\n").encode()] * 3 + [b"no newline"]
    assert redact(text) == text


def test_one_line_without_an_end_stays_one():
    assert b"".join(redact([b"password=Tulip-Rain-9", b""])).count(b"\n") == 0


def test_what_was_met_in_a_long_log_is_known_in_a_short_one(tmp_path):
    secret = "9Tulip-Rain-9x"
    long = [ORDINARY.format(number) for number in range(16000)]
    long[7000] = f"password={secret}"
    (tmp_path / "a.log").write_text("\n".join(long))
    (tmp_path / "b.log").write_text(f"tried {secret} twice\n")
    evidence = gather([str(tmp_path)], matcher=prepare_detector()[1].output, redactor=Redactor())
    assert evidence.redactor
    evidence.redactor.redact_evidence(evidence)
    assert [a.lines for a in evidence.artifacts if a.name.endswith("b.log")] == [["tried <redacted-password-1> twice"]]
    assert [(one.kind, one.line, one.count) for one in evidence.replaced if one.artifact.endswith("a.log")] == [
        ("password", 7001, 1)
    ]


def test_blocks_are_smaller_than_the_log():
    assert cutting.BLOCK < SHORT
