"""A long line is looked at in pieces: a secret is found wherever in it it stands, and however long it is."""

from __future__ import annotations

import pytest

from calivet.redaction.redactor import Redactor
from calivet.redaction.spans import HEAD, OVERLAP, WINDOW
from tests.redaction.planted import jwt, made

BORDERS = (HEAD, HEAD - OVERLAP + WINDOW, HEAD - 2 * OVERLAP + 2 * WINDOW)
SHORT, LONG = made("window", 30), made("window", 3 * WINDOW)


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("shape", ['"password":"@@",', "https://felix:@@@db-1:5432/app ", "--token=@@ ", "Bearer @@ "])
def test_a_border_hides_none(border, shape):
    for place in range(border - 60, border + 10, 7):
        text = "x " * (place // 2) + shape.replace("@@", SHORT) + " y" * WINDOW
        shown = Redactor().redact_text(text)
        assert SHORT[:8] not in shown
        assert SHORT[-8:] not in shown
        assert shown.endswith(" y" * 20)


@pytest.mark.parametrize("place", [0, HEAD - 40, HEAD + 3 * WINDOW])
@pytest.mark.parametrize("secret", [LONG, jwt("window") + LONG], ids=["random", "web token"])
def test_a_long_one_is_hidden_whole(place, secret):
    shown = Redactor().redact_text("x " * (place // 2) + f'{{"token":"{secret}","port":1}}')
    assert shown.endswith('","port":1}')
    assert not any(secret[at : at + 12] in shown for at in range(0, len(secret) - 12, 5))


def test_what_stands_below_a_long_line_of_an_object_is_hidden_too():
    text = f"apiVersion: v1\ndata:\n  a: {LONG * 3}\n  release: {SHORT}\nkind: Secret"
    shown = Redactor().redact_text(text)
    assert shown.split("\n")[2:4] == ["  a: <redacted-secret-data-1>", "  release: <redacted-secret-data-2>"]


def test_a_long_line_without_one_stays():
    text = "10.1.2.3 calico-node is ready; " * 2000
    assert Redactor().redact_text(text) == text
