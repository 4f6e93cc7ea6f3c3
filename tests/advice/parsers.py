"""Shows commands to the parsers of their own programs, many at a time."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from calivet.evidence.safe_yaml import YamlError, load_yaml
from tests.advice.programs import find_complaint
from tests.advice.shell import fill_gaps, list_commands
from tests.e2e.bed.components import find_command_parser, require

KUBECTL = ("kubectl", "oc")
_CALLED_BY = ("microk8s", "k3s", "k0s")
_ANSWERS: dict[tuple[str, ...], str] = {}


def find_complaints(commands: Iterable[str]) -> dict[str, str]:
    """What is wrong with which; those that are right are not in it."""
    found = sorted({fill_gaps(command) for command in commands})
    wrong = _ask_bash(found)
    lines = {command: _list_lines(command) for command in found if command not in wrong}
    asked = sorted({tuple(words[1:]) for each in lines.values() for words in each if words[0] in KUBECTL})
    answers = _ask_kubectl(asked)
    for command, each in lines.items():
        complaints = (_judge(words, answers) for words in each)
        if complaint := next(filter(None, complaints), ""):
            wrong[command] = complaint
    return wrong


def _list_lines(command: str) -> list[list[str]]:
    """Every command line in it, with kubectl under its own name."""
    lines = list(list_commands(command))
    return [words[1:] if words[0] in _CALLED_BY and words[1:2] == ["kubectl"] else words for words in lines]


def _judge(words: list[str], answers: dict[tuple[str, ...], str]) -> str:
    if words[0] not in KUBECTL:
        return find_complaint(words)
    return answers[tuple(words[1:])] or _judge_patch(words)


def _judge_patch(words: list[str]) -> str:
    """A patch is JSON or YAML."""
    for name in ("-p", "--patch"):
        if "patch" in words and name in words:
            patch = words[words.index(name) + 1]
            try:
                load_yaml(patch.encode())
            except YamlError as error:
                return f"{patch}: {error.problem}"
    return ""


def _ask_bash(commands: list[str]) -> dict[str, str]:
    """Together first; one by one only where something is wrong."""
    if not commands or not _read_by_bash("\n".join(commands)):
        return {}
    return {command: said for command in commands if (said := _read_by_bash(command))}


def _read_by_bash(text: str) -> str:
    with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        run = subprocess.run(["bash", "-n", file.name], capture_output=True, text=True, check=False)
    return run.stderr.strip()


def _ask_kubectl(lines: list[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """What kubectl's own parser says; most lines are those of the platform before, and it is asked once."""
    program = require(find_command_parser, "kubectl's parser cannot be built")
    new = [line for line in lines if line not in _ANSWERS]
    _ANSWERS.update(zip(new, ask_parser(program, new), strict=True))
    return _ANSWERS


def ask_parser(program: Path, lines: list[tuple[str, ...]]) -> list[str]:
    """What it says of each, in one process for all of them."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    run = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]
