"""Every word of help has its Chinese, and every Chinese word is in use; lines fit a terminal."""

from __future__ import annotations

import re

import pytest

from calivet.cli.command_table import COMMANDS, build_parser
from calivet.cli.parsing.parser import list_explained_actions, list_parsers
from calivet.messages.message import load_table
from calivet.reports.layout.wrapping import measure_width
from tests.cli.running import calivet

HELP = load_table("help")
SENTENCE = re.compile(r"(?:\b[A-Za-z][a-z']+ ){2,}[a-z]+\b")
SHOWN = [command for command in COMMANDS if not command.startswith("__")]


def told(language: str) -> set[str]:
    """All that the parsers say of themselves."""
    said: set[str | None] = set()
    for one in list_parsers(build_parser(language=language)):
        said |= {one.description, one.epilog}
        said |= {group.title for group in one._action_groups}
        said |= {action.help for action in list_explained_actions(one)}
    return {text for text in said if text}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_is_explained_and_every_word_is_in_use(language):
    assert told(language) == {words.read(language) for words in HELP.values()}


@pytest.mark.parametrize("key", HELP)
def test_it_is_chinese_and_says_the_same_defaults(key):
    defaults = re.compile(r"\b\d+s?\b|--[a-z-]+|[A-Z]{2,}[A-Z_@]+")
    assert set(defaults.findall(HELP[key].en)) <= set(defaults.findall(HELP[key].zh))


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", ["", *SHOWN])
def test_help_in_chinese_fits_the_terminal(command, columns):
    words = [command] if command else []
    shown = calivet(*words, "--help", LANG="zh_CN.UTF-8", COLUMNS=str(columns)).out
    assert shown.startswith("用法：")
    body = shown.split("\n\n", 1)[1]
    assert [line for line in body.splitlines() if measure_width(line) > columns and " " in line.strip()] == []
    assert SENTENCE.findall(body) == []


def test_completion_explains_in_chinese():
    assert "\t语言（默认取自 LANG）" in calivet("__complete", "--", "demo", "--la", LANG="zh_CN.UTF-8").out
