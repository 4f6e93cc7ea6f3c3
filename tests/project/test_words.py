"""Every word that a person reads is there in both languages: whatever stands as Words in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from calivet.messages.words import list_places

SOURCE = Path(str(files("calivet")))
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
SENTENCE = re.compile(r"[a-z']+ [a-z']+ [a-z']+")


def literal(node: ast.expr) -> str | None:
    """The text of a literal; of an f-string with its places as {x}."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{x}" for part in node.values)
    return None


def pairs() -> Iterator[tuple[str, str, str]]:
    """Where Words(...) are written out, with both texts."""
    texts = {path: path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    for path, text in texts.items():
        for node in ast.walk(ast.parse(text)) if "Words(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Words" and len(node.args) == 2:
                english, chinese = map(literal, node.args)
                if english is not None and chinese is not None:
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}", english, chinese


PAIRS: dict[str, list[tuple[str, str, str]]] = {}
for found in pairs():
    PAIRS.setdefault(found[0].partition(":")[0], []).append(found)


def test_words_were_found():
    assert sum(map(len, PAIRS.values())) > 200


@pytest.mark.parametrize("file", PAIRS)
def test_both_languages(file):
    for place, english, chinese in PAIRS[file]:
        assert not CHINESE.search(english), place
        assert bool(english.strip()) is bool(chinese.strip()), place
        assert not SENTENCE.search(english) or CHINESE.search(chinese), place
        assert list_places(english) == list_places(chinese), place
