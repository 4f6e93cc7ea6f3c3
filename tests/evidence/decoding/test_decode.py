from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.decoding.decode import clean_text, to_document
from calivet.evidence.sources.budget import Limits, ReadingBudget

CHINESE = "节点没有启动，日志如下：\n[root@n1 ~]# kubectl get nodes\nNAME   STATUS\nn1     NotReady\n"


def lines_of(data: bytes, budget: ReadingBudget | None = None) -> list[str]:
    document = to_document("x", data, budget or ReadingBudget())
    return document.lines if document else []


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk", "gb2312"]
)
def test_chinese_in_every_encoding(encoding: str) -> None:
    assert lines_of(CHINESE.encode(encoding)) == CHINESE.splitlines()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_powershell_redirects_in_utf16(encoding: str) -> None:
    text = "NAME      STATUS\r\nwin-1     Ready\r\n"
    assert lines_of(text.encode(encoding)) == ["NAME      STATUS", "win-1     Ready"]


def test_invalid_bytes_are_replaced_and_the_rest_stays() -> None:
    good = "日志正常，一切都好，没有问题\n".encode()
    assert lines_of(good * 5 + b"caf\xe9 \xff ok\n" + good)[5] == "caf\ufffd \ufffd ok"
    assert lines_of(b"na\xefve r\xe9sum\xe9\n") == ["na\ufffdve r\ufffdsum\ufffd"]


def test_newlines_of_all_systems() -> None:
    for end in ("\n", "\r\n", "\r", "\r\r\n"):
        assert clean_text(f"one{end}{end}two{end}") == ["one", "", "two"]


def test_a_lone_return_rewrites_its_line() -> None:
    assert clean_text("pull 10%\rpull 50%\rpull done\nnext\nlast\nend\n") == ["pull done", "next", "last", "end"]


def test_only_newlines_end_lines() -> None:
    assert clean_text("a\x0bb\x0cc\x1cd\u2028e\x85f\ng") == ["abcdef", "g"]


def test_colours_and_other_sequences_disappear() -> None:
    coloured = (
        "\x1b]0;root@n1: ~\x07\x1b[01;32mroot@n1\x1b[00m:\x1b[01;34m~\x1b[00m# ls\x1b[K \x1b(B\x1b[m\x1b[?2004hok"
    )
    assert clean_text(coloured) == ["root@n1:~# ls ok"]
    assert clean_text("\x1b[31merror\x1b[0m\x1b[1;5") == ["error"]


def test_colours_whose_escape_was_written_out_or_lost() -> None:
    assert clean_text("^[[31mred^[[0m #033[1mbold#033[0m \\u001b[33mlog\\u001b[0m") == ["red bold log"]
    assert clean_text("[32mINFO[0m started [5m] rate[1m]") == ["INFO started [5m] rate[1m]"]
    assert clean_text("rate(x[5m]) and [main] thread") == ["rate(x[5m]) and [main] thread"]


def test_backspaces_rub_out() -> None:
    assert clean_text("kubectx\bl get\b\b\bls\bx") == ["kubectl lx"]
    assert clean_text("N\bNA\bAM\bME\bE\n\b\b\b") == ["NAME", ""]


def test_control_characters_and_invisible_ones() -> None:
    assert clean_text("a\x00b\x01\tc\x7f\u200bd\ufeffe\u202ef") == ["ab\tcdef"]
    assert clean_text("a\u00a0b\u3000c\u2003d") == ["a b c d"]


def test_a_log_with_a_hole_of_nulls_is_text() -> None:
    assert lines_of(bytes(200_000) + b"after the rotation\n" + bytes(50) + b"next\n") == ["after the rotation", "next"]


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", bytes(100), b"\xef\xbb\xbf\n", b"\x1b[0m\n"])
def test_nothing_in_it(data: bytes) -> None:
    budget = ReadingBudget()
    assert lines_of(data, budget) == []
    assert str(budget.unreadable[0].why) == "is empty"


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01" + bytes(500),
        b"\x89PNG\r\n\x1a\n" + b"IHDR" * 50,
        b"%PDF-1.7\n1 0 obj\n",
        random.Random(1).randbytes(5000),
        b"\x01\x00\x00\x00\x02\x00\x00\x00\x05\x00\x00\x00" * 300,
        b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00" + random.Random(2).randbytes(200),
    ],
)
def test_binaries_are_not_text(data: bytes) -> None:
    budget = ReadingBudget()
    assert lines_of(data, budget) == []
    assert str(budget.unreadable[0].why) == "is not text"


def test_long_lines_are_cut_and_numbers_stay() -> None:
    budget = ReadingBudget(Limits(line=100))
    lines = lines_of(b"first\n" + b"x" * 5000 + b"\nthird\n" + b"y" * 101 + b"\nfifth\n", budget)
    assert lines == ["first", "x" * 100, "third", "y" * 100, "fifth"]
    assert str(budget.unreadable[0].why) == "line 2, and 1 more cut to 100 characters"


@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    for line in lines_of(data):
        assert "\n" not in line
        assert "\r" not in line
        assert "\x1b" not in line


@given(st.text(max_size=200))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = clean_text(text)
    assert clean_text("\n".join(once)) in (once, once[:-1] if once and not once[-1] else once)
