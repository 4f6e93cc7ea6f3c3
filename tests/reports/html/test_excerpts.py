"""The lines around: each once, cited lines as they were quoted, with the way back."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.reports.diagnosis.html.claims import MOST_BACK, CitedLines, Claim, is_table_row
from calivet.reports.diagnosis.html.page_model.model import Quote


def claim(number: int, words: str = "", document: str = "node.log", aside: bool = False) -> Claim:
    return Claim(
        f"claim-{document}-{number}-{words}", f"1.{number}", Line(document, number, f"line {number}"), words, aside
    )


def quote(first: int, *lines: str) -> Quote:
    return Quote(first, list(lines))


def test_quotes_that_overlap_become_one_stretch():
    quotes = {("node.log", 2): quote(1, "one", "TWO", "three"), ("node.log", 4): quote(3, "three", "FOUR", "five")}
    (excerpt,) = CitedLines([claim(4), claim(2)]).list_excerpts(quotes)
    assert [(row.number, row.pieces[0].text, bool(row.claims)) for row in excerpt.rows] == [
        (1, "one", False),
        (2, "TWO", True),
        (3, "three", False),
        (4, "FOUR", True),
        (5, "five", False),
    ]


def test_a_cited_line_is_shown_as_it_was_cut_for_its_own_quote():
    quotes = {("node.log", 2): quote(2, "…decisive…", "long line cu…"), ("node.log", 3): quote(3, "…its own words…")}
    (excerpt,) = CitedLines([claim(2), claim(3)]).list_excerpts(quotes)
    assert excerpt.rows[1].pieces[0].text == "…its own words…"


def test_gaps_are_counted():
    (excerpt,) = CitedLines([claim(2), claim(9)]).list_excerpts({})
    assert [row.skipped for row in excerpt.rows] == [0, 6]


def test_a_line_leads_back_to_all_its_claims_within_bounds():
    places = CitedLines([claim(2, f"word{number}") for number in range(20)])
    (excerpt,) = places.list_excerpts({})
    assert len(excerpt.rows[0].claims) == MOST_BACK


def test_only_cited_lines_have_an_address_and_it_holds_nothing_hostile():
    places = CitedLines([claim(2, document='"><script>')])
    assert places.find_anchor(Line('"><script>', 2, "")) == "#line-1-2"
    assert places.find_anchor(Line('"><script>', 3, "")) is None
    assert places.find_anchor(Line("other.log", 2, "")) is None


def test_a_document_of_which_all_was_set_aside_does_not_matter():
    aside, told = CitedLines([claim(1, aside=True), claim(1, document="told.log")]).list_excerpts({})
    assert not aside.matters
    assert told.matters


@pytest.mark.parametrize(
    ("text", "is_row"),
    [
        ("+--------------+-------------------+-------+----------+-------------+", True),
        ("| PEER ADDRESS |     PEER TYPE     | STATE |  SINCE   |    INFO     |", True),
        ("| 10.31.8.30   | node-to-node mesh | start | 09:40:11 | Connect     |", True),
        ("calico-node-7tq4n   0/1   Init:0/3   0   9m   10.31.8.30   oak-2", True),
        ("2024-01-02 03:04:05.678 [INFO][9] startup.go 648: Using autodetected IPv4 address", False),
        ("IPv4 BGP status | a note with a bar", False),
    ],
)
def test_rows_of_a_table_keep_their_columns(text, is_row):
    """Of calicoctl's the frame too, else a narrow page breaks it between rows that it does not break."""
    assert is_table_row(text) is is_row
