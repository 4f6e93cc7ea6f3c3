"""The pictures of the terminal: what is drawn is what was printed, column for column."""

from __future__ import annotations

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
loader = SourceFileLoader("screenshots", str(ROOT / "scripts" / "generate-screenshots"))
specification = spec_from_loader("screenshots", loader)
assert specification
screenshots = module_from_spec(specification)
loader.exec_module(screenshots)

PICTURES = sorted((ROOT / "docs" / "images").glob("*.svg"))


def drawn(text):
    return [[(column, style, run) for column, style, run in row if run] for row in screenshots.rows(text)]


def test_colours_and_columns():
    assert drawn("a\x1b[1;31mred\x1b[0m b") == [[(0, "", "a"), (1, "s1 s31", "red"), (4, "", " b")]]


def test_chinese_takes_two_columns():
    assert drawn("节点 ok") == [[(0, "", "节"), (2, "", "点"), (4, "", " ok")]]


def test_a_long_line_goes_on_in_the_next_row_as_on_a_terminal():
    assert drawn("x" * 230) == [[(0, "", "x" * 100)], [(0, "", "x" * 100)], [(0, "", "x" * 30)]]
    assert drawn("x" * 99 + "点") == [[(0, "", "x" * 99)], [(0, "", "点")]]


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_each_picture_stands_alone(path):
    text = path.read_text("utf-8")
    tree = ElementTree.fromstring(text)
    width = float(tree.get("width", ""))
    assert tree.findtext("{*}title", "").startswith("calivet ")
    assert "http" not in re.sub(r'xmlns="[^"]+"', "", re.sub(r">[^<]*<", "><", text))
    for run in tree.iter("{http://www.w3.org/2000/svg}text"):
        assert float(run.get("x", "")) + float(run.get("textLength", "0")) <= width


def test_there_is_one_for_each_command():
    assert {path.stem for path in PICTURES} == set(screenshots.PICTURES)
