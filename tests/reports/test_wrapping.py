from hypothesis import given
from hypothesis import strategies as st

from calivet.reports.wrapping import cut, padded, width_of, wrapped


def test_chinese_takes_two_columns_and_breaks_between_characters():
    assert width_of("节点 a") == 6
    assert wrapped("节点节点节点", 8) == ["节点节点", "节点"]


def test_punctuation_does_not_begin_a_line():
    assert wrapped("一二三四，五", 8)[1] == "五"


PRINTED = st.text(st.sampled_from("abc xyz-./0189=节点异常，。日志"), max_size=200)


@given(PRINTED, st.integers(12, 120))
def test_wrapping_keeps_the_words_and_the_width(text, width):
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    # Only closing punctuation may hang over the edge.
    assert all(width_of(line.rstrip("，。")) <= width for line in lines)


@given(st.text(max_size=80), st.integers(2, 40))
def test_cut_never_overflows(text, width):
    assert width_of(cut(text, width)) <= max(width, 1)


def test_padding_counts_columns():
    assert padded("节点", 6) == "节点  "
