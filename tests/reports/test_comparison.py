"""A comparison on the page: every part, in both languages, whatever the names are."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt

from calivet.comparison import compare
from calivet.contract.documents import build_schemas
from calivet.messages.words import Words
from calivet.reports.comparison import ComparisonWords, encode_comparison, write_comparison, write_comparison_markdown
from calivet.reports.layout.terminal import Layout
from calivet.reports.layout.wrapping import measure_width
from tests.comparison.sides import found, side, sides

TITLES = {"kubelet-swap-on": Words("Swap is on", "未关闭 swap"), "mtu-mismatch": Words("MTU", "MTU 不一致")}
OLD = side(
    found("kubelet-swap-on", "birch-1", "birch-2"),
    found("own-cause", "birch-3"),
    found("mtu-mismatch"),
    candidates={"node-overload": 0.31, "disk-full": 0.2},
    components={"nodes": False, "BGP": True},
    sick=("birch-3",),
)
NEW = side(
    found("kubelet-swap-on", "birch-2", "birch-4", confidence=0.7),
    found("node-overload"),
    candidates={"mtu-mismatch": 0.2, "clock-skew": 0.3},
    components={"nodes": True},
    healthy=("birch-3",),
)
SCHEMA = Draft202012Validator(json.loads(build_schemas()["comparison-1.schema.json"]))


def text_of(one, other, language="en", width=100):
    return write_comparison(compare(one, other), TITLES, Layout(language, width, colour=False))


def test_every_part_is_told():
    text = text_of(OLD, NEW, width=200)
    for part in ("FAULT → FAULT", "1 fixed, 1 new, 1 remaining, 1 not seen any more", "New\n ✗ title of node-overload (node-overload)", "only possible before, 31%",
                 "Remaining\n ✗ Swap is on (kubelet-swap-on) · birch-2, birch-4 · confidence 90% → 70% · joined: birch-4 · left: birch-1",
                 "nothing shows that it is fixed\n · MTU (mtu-mismatch) · still possible, 20%", "Fixed\n ✓ title of own-cause (own-cause) · birch-3",
                 "nodes: ✗ as seen → ✓ as seen", "BGP: ✓ as seen → · not seen", " · clock-skew: not named → 30%", " · disk-full: 20% → not named"):  # fmt: skip
        assert part in text


def test_nothing_changed_is_said():
    assert text_of(side(), side()).endswith("nothing changed\n")
    assert "没有变化" in text_of(side(), side(), "zh")


def test_another_cluster_is_asked_about():
    text = text_of(side(found("a", "birch-1")), side(found("a", "larch-1")))
    assert "are they of the same cluster?" in text


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_keeps_to_the_width(language, width):
    assert max(map(measure_width, text_of(OLD, NEW, language, width).splitlines())) <= width


def test_no_english_words_in_chinese():
    own = re.sub(
        r"[（(][\w-]+[）)]|title of [\w-]+|birch-\d|as seen|node-overload|clock-skew|disk-full|calico-node|nodes|swap|MTU|BGP",
        "",
        text_of(OLD, NEW, "zh"),
    )
    assert not re.search(r"[A-Za-z]{2,}", own)


@pytest.mark.parametrize(
    "name", ["<img src=x>", "a`b", "[x](http://example.org)", "# x", "a\n\n# b", "\x1b[31m", "\u202ex"]
)
def test_hostile_names(name):
    hostile = side(found("kubelet-swap-on", name))
    compared = compare(side(), hostile)
    parser = MarkdownIt("commonmark", {"html": True})
    shape = [token.type for token in parser.parse(write_comparison_markdown(compared, TITLES, "en"))]
    plain = compare(side(), side(found("kubelet-swap-on", "x")))
    assert shape == [token.type for token in parser.parse(write_comparison_markdown(plain, TITLES, "en"))]
    assert all(line.isprintable() for line in text_of(side(), hostile, width=300).splitlines())


@given(one=sides(), other=sides())
def test_the_json_keeps_to_its_schema(one, other):
    tree = json.loads(encode_comparison(compare(one, other), ComparisonWords(TITLES, "en").find_title))
    assert [error.message for error in SCHEMA.iter_errors(tree)] == []
    assert (tree["before"], tree["after"]) == (one.verdict, other.verdict)


@given(one=sides(), other=sides())
def test_any_comparison_can_be_told(one, other):
    compared = compare(one, other)
    for language in ("en", "zh"):
        assert "<" not in text_of(one, other, language)
        assert write_comparison_markdown(compared, TITLES, language).startswith("## calivet: ")
