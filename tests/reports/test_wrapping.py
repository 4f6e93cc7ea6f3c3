"""Text to the width of a terminal: columns, breaks, cuts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.reports.wrapping import cut, flowed, padded, shown, squeezed, width_of, wrapped

PRINTED = st.text(st.sampled_from("abc xyz-./0189=()[]节点异常，。（日志）"), max_size=200)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("kubelet", 7),
        ("节点 a", 6),
        ("한국어", 6),
        ("ﾊﾛｰ", 3),  # half-width katakana
        ("ＦＷ", 4),  # full-width Latin
        ("e\u0301", 1),  # a letter and its accent
        ("🔥", 2),
        ("│ … → ·", 7),
        ("a\u200bb", 2),
    ],
)
def test_columns(text, columns):
    assert width_of(text) == columns


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("节点节点节点", 8, ["节点节点", "节点"]),
        ("一二三四，五", 8, ["一二三", "四，五"]),  # no line begins with a comma
        ("一二三（四五）", 8, ["一二三", "（四五）"]),  # nor ends with a bracket that opens
        ("用 systemd，不用", 12, ["用 systemd，", "不用"]),
        ("沙箱被替换了 8 次", 14, ["沙箱被替换了", "8 次"]),  # a number stays with what it counts
        ("abcdefghijklmno", 10, ["abcdefghij", "klmno"]),
        ("", 10, [""]),
    ],
)
def test_breaks(text, width, lines):
    assert wrapped(text, width) == lines


@given(PRINTED, st.integers(12, 120))
def test_wrapping_keeps_the_words_and_the_width(text, width):
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width_of(line) <= width for line in lines)


@given(st.text(max_size=80), st.integers(12, 60))
def test_whatever_is_wrapped_acts_on_no_terminal(text, width):
    assert all(line.isprintable() and width_of(line) <= width for line in wrapped(text, width))


@given(st.lists(PRINTED, min_size=1, max_size=6), st.integers(12, 80))
def test_a_row_of_items_keeps_to_the_width(items, width):
    lines = flowed(items, "→", width)
    assert all(width_of(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join("→".join(items).split())


def test_a_row_is_broken_before_a_joint():
    assert flowed(["one two", "three", "four five"], "→", 16) == ["one two → three", "→ four five"]


@given(st.text(max_size=80), st.integers(2, 40))
def test_cut_never_overflows(text, width):
    assert width_of(cut(text, width)) <= max(width, 1)


@given(st.text(st.sampled_from("ab 节点"), min_size=60, max_size=200), st.integers(40, 80), st.data())
def test_the_decisive_words_are_never_cut_away(text, width, data):
    place = data.draw(st.integers(0, len(text)))
    line = text[:place] + "DECISIVE" + text[place:]
    assert "DECISIVE" in cut(line, width, "DECISIVE")
    assert width_of(cut(line, width, "DECISIVE")) <= width


def test_the_time_of_a_log_line_is_kept_before_its_decisive_words():
    line = "2024-03-05 06:07:08.910 [INFO][71] felix/int_dataplane.go 1929: attempted to modprobe sctp, which failed"
    assert cut(line, 80, "which failed").startswith("2024-03-05 06:07:08.910 …")
    assert cut(line, 50, "which failed").startswith("…")


def test_a_megabyte_is_cut_and_wrapped():
    assert len(wrapped("节点x" * 100_000, 80)) > 1000
    assert width_of(cut("x" * 1_000_000 + "end", 80, "end")) <= 80


def test_tables_are_moved_together():
    assert squeezed("calico-node-7tq4n     0/1      Init:0/3  9m") == "calico-node-7tq4n  0/1  Init:0/3  9m"


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\x9bb", "a\u202eb", "a\u2066b", "a\x00b", "a\x07b", "a\U000e0001b"])
def test_nothing_acts_on_the_terminal(text):
    assert shown(text).isprintable()
    assert shown(text) != text


def test_blanks_of_every_kind_become_spaces():
    assert shown("Filename\tType\r\nSize") == "Filename Type  Size"


def test_padding_counts_columns():
    assert padded("节点", 6) == "节点  "
