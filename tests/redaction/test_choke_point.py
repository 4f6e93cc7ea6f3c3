"""What is said of evidence passes the choke point too: usage errors, manifests of strangers, compared diagnoses."""

from __future__ import annotations

import json

from calivet.cli.exits import USAGE
from calivet.cli.main import main
from calivet.contract.documents import clean_diagnosis, read_diagnosis
from calivet.evidence.artifact import Evidence, Replaced
from calivet.redaction.redactor import Redactor
from tests.fuzz.seeds import diagnosis

SECRET = "Tulip-Rain-9x"


def test_a_usage_error_shows_no_password(capsys):
    assert main(["diagnose", f"--password={SECRET}"]) == USAGE
    shown = capsys.readouterr()
    assert SECRET not in shown.err + shown.out
    assert "--password=<redacted-password-1>" in shown.err


def test_what_a_manifest_says_was_replaced_holds_no_secret():
    evidence = Evidence(
        replaced=[Replaced("password", f"logs/password={SECRET}", 1, 1), Replaced(f"token={SECRET}", "a", 1, 1)]
    )
    Redactor().redact_evidence(evidence)
    assert SECRET not in str(evidence.replaced)


def test_a_diagnosis_that_is_compared_holds_no_secret():
    written = json.loads(diagnosis())
    written["findings"] = [{"cause": "x", "confidence": 1.0, "title": f"password={SECRET}"}]
    side = read_diagnosis(json.dumps(written).encode())
    assert side
    assert SECRET not in str(clean_diagnosis(side, Redactor()))
