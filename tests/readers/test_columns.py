"""Cells under headers: straight, with gaps, squeezed, with tabs, with wide characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.readers.columns import parse_cells, split_header

HEADER = "NAME          READY   STATUS    RESTARTS      AGE    NOMINATED NODE   READINESS GATES"


def test_headers_of_two_words_stay_whole() -> None:
    assert [column.name for column in split_header(HEADER)] == [
        "NAME",
        "READY",
        "STATUS",
        "RESTARTS",
        "AGE",
        "NOMINATED NODE",
        "READINESS GATES",
    ]


def test_a_straight_row_is_cut_by_offsets() -> None:
    row = "net-agent-1   1/1     Running   7 (3m ago)    6d2h   <none>           <none>"
    found = parse_cells(row, split_header(HEADER))
    assert found["RESTARTS"] == "7 (3m ago)"
    assert found["READINESS GATES"] == "<none>"


def test_an_empty_cell_stays_empty() -> None:
    columns = split_header("NAME    ASN       IPV4           IPV6")
    assert parse_cells("node-a            10.9.0.4/24", columns) == {
        "NAME": "node-a",
        "ASN": "",
        "IPV4": "10.9.0.4/24",
        "IPV6": "",
    }


def test_a_row_shorter_than_the_header_is_read() -> None:
    assert parse_cells("net-agent-1   1/1", split_header(HEADER))["AGE"] == ""


def test_a_cell_wider_than_its_column_does_not_spill() -> None:
    columns = split_header("NAME   READY   STATUS")
    found = parse_cells("a-name-that-is-long   0/1   Pending", columns)
    assert found == {"NAME": "a-name-that-is-long", "READY": "0/1", "STATUS": "Pending"}


def test_squeezed_blanks() -> None:
    columns = split_header("NAME READY STATUS RESTARTS AGE NOMINATED NODE")
    found = parse_cells("net-agent-1 0/1 Running 7 (3m ago) 6d2h <none>", columns)
    assert found["RESTARTS"] == "7 (3m ago)"
    assert found["NOMINATED NODE"] == "<none>"


def test_tabs_part_cells() -> None:
    columns = split_header("Type\t\tStatus\tReason")
    assert parse_cells("DiskPressure \tFalse \tKubeletHasNoDiskPressure", columns) == {
        "Type": "DiskPressure",
        "Status": "False",
        "Reason": "KubeletHasNoDiskPressure",
    }


def test_the_last_column_keeps_its_own_blanks() -> None:
    columns = split_header("TYPE      REASON    MESSAGE")
    assert parse_cells("Warning   Failed    exit  status 1", columns)["MESSAGE"] == "exit  status 1"


def test_a_row_padded_by_screen_width() -> None:
    columns = split_header("NAME      NOTE      STATE")
    row = "node-a    " + "备用" + "      " + "up"
    assert parse_cells(row, columns) == {"NAME": "node-a", "NOTE": "备用", "STATE": "up"}


def test_a_row_padded_by_characters() -> None:
    columns = split_header("NAME      NOTE      STATE")
    row = "node-a    " + "备用" + "        " + "up"
    assert parse_cells(row, columns) == {"NAME": "node-a", "NOTE": "备用", "STATE": "up"}


def test_a_missing_cell_in_a_crooked_row_goes_to_the_nearest_column() -> None:
    columns = split_header("NAME   READY   STATUS    AGE")
    found = parse_cells("name-beyond-its-column      Running   5d", columns)
    assert found == {
        "NAME": "name-beyond-its-column",
        "READY": "",
        "STATUS": "Running",
        "AGE": "5d",
    }


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_gives_a_cell_for_every_column(header: str, line: str) -> None:
    columns = split_header(header)
    assert set(parse_cells(line, columns)) == {column.name for column in columns}
