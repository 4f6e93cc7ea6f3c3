"""Every reason that the rooms of evidence and of nodes give has its Chinese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import calivet.evidence
from calivet.node import outcome
from calivet.reports.reasons import reason

EVIDENCE = Path(str(calivet.evidence.__file__)).parent
SAID = re.compile(r"""(?:refuse\([^,]+, |return )f?"((?:is|has|holds|lies|line|no such|may not|could not) [^"]+)\"""")
REASONS = sorted({text for path in EVIDENCE.glob("*.py") for text in SAID.findall(path.read_text("utf-8"))})


def test_reasons_were_found():
    assert len(REASONS) > 15


@pytest.mark.parametrize("text", REASONS)
def test_in_chinese(text):
    filled = re.sub(r"\{[^}]*(?:line|limit|member|total|offset|depth|cut)[^}]*\}", "12", text)
    filled = re.sub(r"\{[^}]*\}", "x", filled)
    assert re.search(r"[\u4e00-\u9fff]", reason(filled, "zh")), filled
    assert reason(filled, "en") == filled


LOGINS = [
    *(why for _, _, why in (*outcome._OF_SSH, *outcome._OF_THE_LOGIN)),
    *(why for _, why in outcome._NEVER_BEGUN.values()),
    *outcome._CUT.values(),
    *(outcome.meaning("", printed, 3, is_behind=False).why for printed in ("", "the moon is full")),
]


@pytest.mark.parametrize("text", LOGINS)
def test_so_has_every_login_that_came_to_nothing(text):
    filled = re.sub(r"\{[^}]*\}", "12", text)
    assert re.search(r"[\u4e00-\u9fff]", reason(filled, "zh")), filled
    assert reason(filled, "en") == filled


def test_what_is_not_known_stays_as_it_is():
    assert reason("Input/output error", "zh") == "Input/output error"
