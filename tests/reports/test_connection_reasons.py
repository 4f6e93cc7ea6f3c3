"""Whatever keeps calivet from asking a cluster, or from using a file of the user's, has its Chinese."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest

from calivet.reports.reasons import reason

ROOMS = [Path(str(files("calivet") / room)) for room in ("live", "cli", "evaluation", "signs", "catalogue")]
ERRORS = ("ConfigError", "Trouble", "CalivetError", "CaseError")
PASSED_ON = re.compile(r"^(?:\{x\}|\W)*$")
"""What only hands on the words of another."""


def literal(node: ast.expr) -> str:
    """The text of a literal or an f-string, its places as {x}; nothing where it is computed."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{x}" for part in node.values)
    return ""


def messages() -> set[str]:
    """The English of every such error that is written out in the code."""
    found = set()
    for path in (path for room in ROOMS for path in room.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS:
                found |= {literal(argument) for argument in node.args}
    return {text for text in found if " " in text and not PASSED_ON.match(text)}


PUT_TOGETHER = {
    "{x} {x} within {x} s": "{x} did not answer within 5 s",
    "{x} closed the connection {x}": "{x} closed the connection before it answered",
    "{x}: exec plugin {x} is not installed{x}": "{x}: exec plugin frob is not installed; apt install frob",
    "{x}: current-context is not set{x}": "{x}: current-context is not set; choose with --context: a, b",
    '{x}: no context "{x}"{x}': '{x}: no context "c"; choose with --context: a, b',
}
"""Messages with a computed part that is no name."""
MESSAGES = sorted(messages())


def test_messages_were_found():
    assert len(MESSAGES) > 40


@pytest.mark.parametrize("text", MESSAGES)
def test_in_chinese(text):
    filled = PUT_TOGETHER.get(text, text).replace("{x}", "prod-1")
    said = reason(filled, "zh")
    assert re.search(r"[\u4e00-\u9fff]", said), filled
    assert "prod-1" in said or "{x}" not in text
    assert reason(filled, "en") == filled


@pytest.mark.parametrize(
    "text",
    [
        "the certificate of 10.0.0.1:6443, or of the CA that signed it, has expired",
        "the certificate of 10.0.0.1:6443 is not valid yet: compare the clocks",
        "the certificate of 10.0.0.1:6443 is for another name: IP address mismatch",
        "the certificate of 10.0.0.1:6443 is not signed by any CA that this system trusts (self-signed certificate)",
        "the certificate of 10.0.0.1:6443 is not signed by the CA in /etc/ca.crt (self-signed certificate)",
        "https://10.0.0.1:6443 did not answer within 20 s",
        "https://10.0.0.1:6443 closed the connection before it answered",
        "https://10.0.0.1:6443 answered 503 Service Unavailable: etcd is away",
        'https://10.0.0.1:6443 does not accept the credentials of user "ops" in /etc/kubeconfig',
        'https://a:6443 does not accept the credentials of user "b": the token expired on 2024-03-05 at 06:07 UTC',
        "https://10.0.0.1:6443 answered 429 Too Many Requests; it asks to wait 60 s, which is too long",
    ],
)
def test_those_that_are_put_together(text):
    assert re.search(r"[\u4e00-\u9fff]", reason(text, "zh"))
    assert not re.search(r"\b(?:the|does not|did not|answered|within)\b", reason(text, "zh"))
