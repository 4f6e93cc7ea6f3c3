"""The scripts for machines with kubectl alone: the same questions in both, all of them harmless, none forgotten."""

from __future__ import annotations

import re

import pytest

from calivet.live import needs
from calivet.live.writing import COUNTED, SCRIPTS, write_script
from tests.cli.running import calivet

CALL = {
    "sh": re.compile(r'^\s*keep "?(?P<document>[^\s"]+)"? (?P<words>.+)$', re.MULTILINE),
    "powershell": re.compile(r'^\s*Save-Output "(?P<document>.+?)" (?P<words>.+(?:\n +".+)*)$', re.MULTILINE),
}
VARIABLE = re.compile(r"\$\(\$[\w.\[\]]+\)|\$\w+")
ASKED = re.compile(r"[a-z][a-z-]+")


def questions(shell: str) -> dict[str, list[str]]:
    """For each document, the verb and what is asked for."""
    found = {}
    for call in CALL[shell].finditer(write_script(shell).replace("\\\n", " ")):
        words = VARIABLE.sub("*", call["words"].replace("$asked", '"logs"'))
        found[VARIABLE.sub("*", call["document"])] = ASKED.findall(words.replace('"', " "))[:2]
    return found


def test_both_ask_the_same():
    asked = questions("sh")
    assert asked == questions("powershell")
    assert {"nodes.txt", "pods.txt", "logs/*/*/*.log", "logs/*/*/*.previous.log", "calico/*.yaml"} <= asked.keys()
    assert len(asked) > 15


@pytest.mark.parametrize("shell", SCRIPTS)
def test_it_only_reads(shell):
    assert {words[0] for words in questions(shell).values()} <= {"get", "logs", "version"}
    assert not re.search(r"\b(secrets?|exec|apply|delete|patch|create|annotate)\b", _without_comments(shell))


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_name_of_the_role_is_in_it(shell):
    text = write_script(shell)
    assert not re.search(r"@[A-Z_]+@", text)
    for need in (needs.POOLS, needs.BLOCKS, needs.ROUTING, needs.SETTINGS, needs.POLICIES, needs.CONFIG_MAPS):
        for name in need:
            assert name in COUNTED or re.search(rf"\b{name}\b", text), name


def test_it_is_printed_for_either_shell():
    assert calivet("collect", "--print-script").out == write_script("sh")
    assert calivet("collect", "--print-script", "powershell").out == write_script("powershell")
    assert calivet("collect", "--print-script", "cmd").code == 64


def test_the_one_for_windows_is_plain_ascii():
    """Windows PowerShell takes a file without a mark for the system's own encoding."""
    assert write_script("powershell").isascii()


def _without_comments(shell: str) -> str:
    kept = [line for line in write_script(shell).splitlines() if not line.lstrip().startswith("#")]
    return "\n".join(line for line in kept if "assw" not in line and "redacted" not in line)
