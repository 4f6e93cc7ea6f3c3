"""Text to the width of a terminal: columns, breaks, cuts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.reports.layout.wrapping import (
    clean_line,
    cut_items,
    cut_line,
    join_items,
    measure_width,
    pad_text,
    wrap_text,
)

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
    assert measure_width(text) == columns


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
    assert wrap_text(text, width) == lines


@given(PRINTED, st.integers(12, 120))
def test_wrapping_keeps_the_words_and_the_width(text, width):
    lines = wrap_text(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(measure_width(line) <= width for line in lines)


@given(st.text(max_size=80), st.integers(12, 60))
def test_whatever_is_wrapped_acts_on_no_terminal(text, width):
    assert all(line.isprintable() and measure_width(line) <= width for line in wrap_text(text, width))


@given(st.lists(PRINTED, min_size=1, max_size=6), st.integers(12, 80))
def test_a_row_of_items_keeps_to_the_width(items, width):
    lines = join_items(items, "→", width)
    assert all(measure_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join("→".join(items).split())


def test_a_row_is_broken_before_a_joint():
    assert join_items(["one two", "three", "four five"], "→", 16) == ["one two → three", "→ four five"]


@given(st.text(max_size=80), st.integers(2, 40))
def test_cut_never_overflows(text, width):
    assert measure_width(cut_line(text, width)) <= max(width, 1)


@given(st.text(st.sampled_from("ab 节点"), min_size=60, max_size=200), st.integers(40, 80), st.data())
def test_the_decisive_words_are_never_cut_away(text, width, data):
    place = data.draw(st.integers(0, len(text)))
    line = text[:place] + "DECISIVE" + text[place:]
    assert "DECISIVE" in cut_line(line, width, "DECISIVE")
    assert measure_width(cut_line(line, width, "DECISIVE")) <= width


def test_the_time_of_a_log_line_is_kept_before_its_decisive_words():
    line = "2024-03-05 06:07:08.910 [INFO][71] felix/int_dataplane.go 1929: attempted to modprobe sctp, which failed"
    assert cut_line(line, 80, "which failed").startswith("2024-03-05 06:07:08.910 …")
    assert cut_line(line, 50, "which failed").startswith("…")


def test_no_word_is_torn_where_a_line_is_cut():
    line = "Oct 12 08:44:19 loom-disk kubelet[26]: F1012 08:44:19.9 26 server.go:274] failed to run Kubelet: running with swap"
    words = "running with swap"
    shown = cut_line(line, 76, words)
    assert shown.startswith("Oct 12 08:44:19 …")
    assert set(shown.replace("…", " ").split()) <= set(line.split())
    assert set(cut_line(line, 60).replace("…", " ").split()) <= set(line.split())


def test_of_a_list_whole_items_are_kept():
    text = "all 3 not ready: calico-node-a @ m1: Running 0/1, calico-node-b @ m2: Running 0/1"
    assert cut_items(text, 60) == "all 3 not ready: calico-node-a @ m1: Running 0/1, …"
    assert cut_items(text, 200) == text
    assert cut_items(text.replace(", ", "、"), 60).endswith("Running 0/1、…")
    assert measure_width(cut_items(text, 20)) <= 20


def test_the_only_item_of_a_list_keeps_its_state_and_its_node():
    text = "not ready: calico-kube-controllers-6bdc7c7b9b-x2lrk @ m1: CrashLoopBackOff"
    assert cut_items(text, 62) == "not ready: calico-kube-controlle…-x2lrk @ m1: CrashLoopBackOff"
    assert cut_items(text, 39) == "not ready: m1: CrashLoopBackOff"
    assert cut_items(text, 30) == "not ready: CrashLoopBackOff"
    several = "all 3 not ready: calico-node-6kt2m @ rack-7-node-12: Init:CrashLoopBackOff, calico-node-b @ m2: Pending"
    assert cut_items(several, 58) == "all 3 not ready: rack-7-node-12: Init:CrashLoopBackOff, …"
    assert cut_items(several, 56) == "all 3 not ready: rack-7-node-…: Init:CrashLoopBackOff, …"
    assert all(measure_width(cut_items(several, width)) <= width for width in range(20, 100))
    chinese = "2 个全部未就绪：calico-node-6kt2m @ mill-04: CrashLoopBackOff、calico-node-b @ m2: Pending"
    assert cut_items(chinese, 50) == "2 个全部未就绪：mill-04: CrashLoopBackOff、…"
    assert cut_items(chinese, 54) == "2 个全部未就绪：…-6kt2m @ mill-04: CrashLoopBackOff、…"


def test_the_only_session_of_a_list_keeps_its_other_end_and_its_state():
    text = "down: mill-05 -> 172.29.6.32: Active Socket: Connection refused, mill-05 -> 172.29.6.33: Passive"
    assert cut_items(text, 60) == "down: 172.29.6.32: Active Socket: Connection refused, …"


def test_a_long_address_is_broken_behind_a_slash():
    text = 'Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": Forbidden'
    assert wrap_text(text, 60)[0] == 'Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/'


def test_a_megabyte_is_cut_and_wrapped():
    assert len(wrap_text("节点x" * 100_000, 80)) > 1000
    assert measure_width(cut_line("x" * 1_000_000 + "end", 80, "end")) <= 80


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\x9bb", "a\u202eb", "a\u2066b", "a\x00b", "a\x07b", "a\U000e0001b"])
def test_nothing_acts_on_the_terminal(text):
    assert clean_line(text).isprintable()
    assert clean_line(text) != text


def test_blanks_of_every_kind_become_spaces():
    assert clean_line("Filename\tType\r\nSize") == "Filename Type  Size"


def test_padding_counts_columns():
    assert pad_text("节点", 6) == "节点  "


def test_what_a_finding_blames_a_part_for_is_no_item_of_a_list():
    blamed = "both ready, but: The eBPF data plane is not attached to the right interfaces"
    assert cut_items(blamed, 40).startswith("both ready, but: The eBPF data plane")
    assert measure_width(cut_items(blamed, 40)) <= 40
