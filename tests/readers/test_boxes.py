from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.readers.calico.calicoctl import read_box, split_row

TABLE = """\
+------+----------------+
| PEER |      INFO      |
+------+----------------+
| a    | Active Socket: |
|      | Connection     |
|      | refused        |
| b    | Established    |
+------+----------------+
behind""".split("\n")


def test_wrapped_cells_are_joined_and_the_end_is_found():
    box = read_box(TABLE, 0)
    assert [cells for _, cells in box.rows] == [
        ["PEER", "INFO"],
        ["a", "Active Socket: Connection refused"],
        ["b", "Established"],
    ]
    assert (box.rows[1][0], box.stop) == (3, 8)


def test_rows_by_header_leave_the_header_out_and_fill_what_is_cut():
    box = read_box(["| PEER | INFO |", "| a |"], 0)
    assert list(box.named(["PEER", "INFO"])) == [(1, {"PEER": "a", "INFO": ""})]


def test_lines_of_box_characters_and_log_heads_are_read_alike():
    assert split_row("│ a │ b │") == split_row("2024-03-04T10:20:30Z | a | b |  ") == ["a", "b"]


def test_a_paste_with_every_other_line_empty():
    spaced = [line for row in TABLE for line in (row, "")]
    assert len(read_box(spaced, 0).rows) == 3


@given(st.lists(st.text(alphabet="|+-─│ ab\t", max_size=20), max_size=12), st.integers(0, 12))
def test_any_lines_are_survived(lines: list[str], start: int):
    box = read_box(lines, start)
    assert box.stop <= max(len(lines), start)


def test_the_rule_of_a_markdown_table_is_no_row() -> None:
    lines = ["| PEER ADDRESS | STATE |", "|---|:---:|", "| 10.0.0.7 | start |"]
    assert [cells for _, cells in read_box(lines, 0).rows] == [["PEER ADDRESS", "STATE"], ["10.0.0.7", "start"]]


def test_a_row_that_breaks_off_keeps_the_cells_it_has() -> None:
    assert split_row("| 10.0.0.7 | node-to-node mesh | start | 08:14:58 | Active Socket") == [
        "10.0.0.7",
        "node-to-node mesh",
        "start",
        "08:14:58",
        "Active Socket",
    ]
    assert split_row("grep -v Running | wc -l") == []
