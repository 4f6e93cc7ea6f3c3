from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.reports.diagnosis.html.page_model.build import LONGEST, _cut
from tests.reports.page_model.seeing import scene_of

GONE = "kernel: frobnicator main is gone"


def log(*lines: str) -> str:
    return "\n".join(["[root@oak-1 ~]# dmesg", *lines, ""])


def test_some_lines_on_both_sides():
    text = log(*(f"kernel: before {number}" for number in range(9)), GONE, *(f"kernel: after {n}" for n in range(9)))
    quote = scene_of(text).quotes["session.txt", 11]
    assert quote.first == 8
    assert quote.lines == [
        *(f"kernel: before {number}" for number in (6, 7, 8)),
        GONE,
        *(f"kernel: after {number}" for number in (0, 1, 2)),
    ]


def test_the_artifact_ends_the_quote():
    text = log(GONE) + "[root@oak-2 ~]# uptime\n 10:00:00 up 3 days\n"
    quote = scene_of(text).quotes["session.txt", 2]
    assert (quote.first, quote.lines) == (1, ["[root@oak-1 ~]# dmesg", GONE])


def test_what_is_explained_and_what_is_set_aside_is_quoted_too():
    found = scene_of(log(GONE, "kernel: dark", "kernel: rattling")).quotes
    assert {number for _, number in found} == {2, 3, 4}


def test_candidates_where_there_is_no_finding():
    assert ("session.txt", 2) in scene_of(log("kernel: a faint light")).quotes


def test_a_megabyte_is_cut_around_its_decisive_words():
    quote = scene_of(log(f"kernel: {'x' * 500_000} frobnicator main is gone {'y' * 500_000}", "z" * 1_000_000)).quotes
    lines = quote["session.txt", 2].lines
    assert "frobnicator main is gone" in lines[1]
    assert max(map(len, lines)) <= LONGEST + 2


@given(st.text(max_size=4 * LONGEST), st.text(min_size=1, max_size=LONGEST), st.text(max_size=4 * LONGEST))
def test_the_decisive_words_are_never_cut_off(before: str, words: str, after: str):
    cut = _cut(before + words + after, words)
    assert len(cut) <= LONGEST + 2
    assert words.rstrip() in cut or words in before + words[:-1]


def test_the_most_telling_come_first_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr("calivet.reports.diagnosis.html.page_model.build.MOST", 2)
    found = scene_of(log("kernel: dark", "kernel: rattling", GONE)).quotes
    assert [number for _, number in found] == [4, 3]
