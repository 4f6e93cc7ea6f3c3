from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.readers.calico.boxes import read_box, row_cells

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
    assert row_cells("│ a │ b │") == row_cells("2024-03-04T10:20:30Z | a | b |  ") == ["a", "b"]


def test_a_paste_with_every_other_line_empty():
    spaced = [line for row in TABLE for line in (row, "")]
    assert len(read_box(spaced, 0).rows) == 3


@given(st.lists(st.text(alphabet="|+-─│ ab\t", max_size=20), max_size=12), st.integers(0, 12))
def test_any_lines_are_survived(lines: list[str], start: int):
    box = read_box(lines, start)
    assert box.stop <= max(len(lines), start)
