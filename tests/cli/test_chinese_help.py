"""Every word of help has its Chinese, and every Chinese word is in use; lines fit a terminal."""

from __future__ import annotations

import re

import pytest

from calivet.cli.arguments import parser
from calivet.cli.chinese_help import CHINESE, explained, parsers
from calivet.cli.commands import COMMANDS
from calivet.reports.wrapping import width_of
from tests.cli.running import calivet

SENTENCE = re.compile(r"(?:\b[A-Za-z][a-z']+ ){2,}[a-z]+\b")
SHOWN = [command for command in COMMANDS if not command.startswith("__")]


def english() -> set[str]:
    """All that the parsers say of themselves."""
    said: set[str | None] = set()
    for one in parsers(parser()):
        said |= {one.description, one.epilog}
        said |= {group.title for group in one._action_groups}
        said |= {action.help for action in explained(one)}
    return {text for text in said if text}


def test_the_table_and_the_parser_have_the_same_keys():
    assert english() - CHINESE.keys() == set()
    assert CHINESE.keys() - english() == set()


@pytest.mark.parametrize("text", CHINESE)
def test_it_is_chinese_and_says_the_same_defaults(text):
    assert re.search(r"[\u4e00-\u9fff]", CHINESE[text])
    defaults = re.compile(r"\b\d+s?\b|--[a-z-]+|[A-Z]{2,}[A-Z_@]+")
    assert set(defaults.findall(text)) <= set(defaults.findall(CHINESE[text]))


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", ["", *SHOWN])
def test_help_in_chinese_fits_the_terminal(command, columns):
    words = [command] if command else []
    shown = calivet(*words, "--help", LANG="zh_CN.UTF-8", COLUMNS=str(columns)).out
    assert shown.startswith("用法：")
    body = shown.split("\n\n", 1)[1]
    assert [line for line in body.splitlines() if width_of(line) > columns and " " in line.strip()] == []
    assert SENTENCE.findall(body) == []


def test_completion_explains_in_chinese():
    assert "\t语言（默认取自 LANG）" in calivet("__complete", "--", "demo", "--la", LANG="zh_CN.UTF-8").out
