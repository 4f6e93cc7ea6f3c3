"""The tables of words: both languages with the same places; no key without words, no words without a use."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import calivet
from calivet.messages.message import Message, is_known, list_areas, load_table
from calivet.messages.words import list_places
from calivet.node import outcome

SOURCE = Path(calivet.__file__).parent
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
LETTERS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
AREAS = sorted(list_areas())
ASKED = re.compile(r"""word\(\s*["']([\w.]+)["']""")
"""How a template asks for a word."""
SPEAKERS = {"label": "report", "_say": "report", "fail_by": "reason", "mark_unchecked": "reason"}
"""Functions that are bound to an area and used in other modules than their own."""


def bare(text):
    """Without its places."""
    return re.sub(r"\{[a-z_]+\}", "", text)


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_say_the_same(area):
    for name, words in load_table(area).items():
        assert list_places(words.en) == list_places(words.zh), name
        assert not CHINESE.search(words.en), name
        assert CHINESE.search(words.zh) or not LETTERS.search(bare(words.en)), name


@cache
def modules():
    """Every module that may speak, parsed: all but the tables."""
    files = (file for file in SOURCE.rglob("*.py") if "tables" not in file.parts)
    return {file: ast.parse(file.read_text("utf-8")) for file in files}


def patterns(tree):
    """Every literal text of a module, places in an f-string as a wildcard."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values]
            if re.search(r"[a-z]", "".join(parts)):  # else it would fit every key
                yield "".join(parts)


@cache
def used():
    """What the code may ask for: whole keys, and names of the areas it is bound to."""
    literal, wild = set(), []
    for tree in modules().values():
        for pattern in patterns(tree):
            (wild.append(re.compile(pattern)) if ".+" in pattern else literal.add(re.sub(r"\\(.)", r"\1", pattern)))
    templates = (file.read_text("utf-8") for file in SOURCE.rglob("*.html"))
    quoted = {key for text in templates for key in re.findall(r"""["']([\w.]+)["']""", text)}
    return literal | quoted, wild


@pytest.mark.parametrize("area", AREAS)
def test_no_word_is_there_for_nothing(area):
    literal, wild = used()
    doubtful = {name for name in load_table(area) if not {f"{area}.{name}", name} & literal}
    unused = {
        name for name in doubtful if not any(one.fullmatch(f"{area}.{name}") or one.fullmatch(name) for one in wild)
    }
    assert unused == set()


def test_every_key_that_is_asked_for_is_there():
    asked = {
        ast.literal_eval(node.args[0])
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("message", "say", "find_words")
        if isinstance(node.args[0], ast.Constant)
    }
    logins = {key for _, _, key in (*outcome._OF_SSH, *outcome._OF_THE_LOGIN)}
    logins |= {key for _, key in outcome._NEVER_BEGUN.values()} | set(outcome._CUT.values())
    assert len(asked) > 120
    assert {key for key in asked | logins if not is_known(Message(key))} == set()


def spoken(tree):
    """The names that a module asks its areas for."""
    speakers = dict(SPEAKERS)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "Area":
            speakers[ast.unparse(node.targets[0])] = ast.literal_eval(node.value.args[0])
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = ast.unparse(node.func).removeprefix("self.")
            if name in speakers:
                yield speakers[name], node.args[0].value
            elif name in ("layout.say", "layout.write_heading", "layout.write_section"):
                yield "report", node.args[0].value


def test_every_name_that_is_asked_of_an_area_is_there():
    asked = {pair for tree in modules().values() for pair in spoken(tree)}
    assert len(asked) > 80
    assert {(area, name) for area, name in asked if name not in load_table(area)} == set()


def test_every_word_that_a_template_asks_for_is_there():
    asked = {key for file in SOURCE.rglob("*.html") for key in ASKED.findall(file.read_text("utf-8"))}
    assert len(asked) > 40
    assert asked <= load_table("page").keys()


def test_the_page_hides_no_word_that_all_reports_share():
    shared = load_table("report")
    assert {key for key in shared if load_table("page")[key] != shared[key]} == set()


def test_words_are_written_in_the_tables_alone():
    """What is put together elsewhere is put together of names, lists and the words of the catalogue."""
    elsewhere = {
        f"{file.relative_to(SOURCE)}:{node.lineno}"
        for file, tree in modules().items()
        if file.parent.name != "messages"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Words"
        if any(isinstance(one, ast.Constant | ast.JoinedStr) and CHINESE.search(ast.unparse(one)) for one in node.args)
    }
    assert elsewhere == set()
