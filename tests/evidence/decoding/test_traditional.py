"""Traditional characters are read as simplified ones; all else stays as it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Document
from calivet.evidence.cutting.cut import cut_document
from calivet.evidence.decoding.charset import simplify


def test_a_note_of_another_script_says_the_same():
    assert simplify("節點的網卡與主機網段衝突，憑證過期") == "节点的网卡与主机网段冲突，凭证过期"


@given(st.text())
def test_nothing_grows_or_is_turned_twice(text):
    assert len(simplify(text)) == len(text)
    assert simplify(simplify(text)) == simplify(text)


def test_authors_words_are_turned_and_lines_of_programs_are_not():
    text = "節點無法連線，日誌如下：\n\n```\nerror: 節點 not found\n```\n"
    lines = [(one.prose, one.lines) for one, _ in cut_document(Document("note.md", text.split("\n")))]
    assert (True, ["节点无法连线，日志如下："]) in lines
    assert any(not prose and "error: 節點 not found" in shown for prose, shown in lines)
