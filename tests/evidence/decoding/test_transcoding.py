"""Long logs in other encodings: the same lines, numbers and counts as in UTF-8."""

from __future__ import annotations

import codecs
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Document
from calivet.evidence.decoding.charset import decode_by_line, transcode_utf16
from calivet.evidence.gather import gather
from calivet.evidence.long_logs.intake import take_document
from calivet.evidence.sources.budget import ReadingBudget
from calivet.evidence.sources.stream import Stream
from calivet.pipeline import diagnose
from calivet.search.scanner import Scanner
from calivet.signs.sign_detector import prepare_detector

SCANNER = Scanner.build(["frobnicator gone", "节点异常"])
LINES = (
    "2024-05-06 07:08:09.123 [INFO][61] felix/x.go 1: 一切正常，没有问题",
    "2024-05-06 07:08:09.456 [INFO][61] felix/x.go 2: nothing to see",
    "2024-05-06 07:08:09.789 [WARN][61] felix/x.go 3: 异",
)
FAULT = "2024-05-06 07:08:10.123 [ERROR][61] felix/x.go 4: the frobnicator gone, 节点异常"
SWAP = (
    "May  6 07:08:09 birch-2 kubelet[99]: F0506 07:08:09.1 99 server.go:265] running with swap on is not supported 交换"
)
ENCODINGS: dict[str, tuple[bytes, str]] = {
    "UTF-16 LE with its mark": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "UTF-16 BE with its mark": (codecs.BOM_UTF16_BE, "utf-16-be"),
    "UTF-16 LE": (b"", "utf-16-le"),
    "UTF-16 BE": (b"", "utf-16-be"),
    "GB 18030": (b"", "gb18030"),
    "UTF-8 with its mark": (codecs.BOM_UTF8, "utf-8"),
}


def log(fault: str, end: str = "\n") -> str:
    """About 3 MiB, with a fault every now and then, from the middle on."""
    lines = list(LINES) * 15_000
    lines[20_011::1_000] = [fault] * len(lines[20_011::1_000])
    return end.join(lines) + end


def taken(data: bytes) -> Document:
    found = take_document("x.log", Stream(io.BytesIO(data).read), ReadingBudget(matcher=SCANNER))
    assert isinstance(found, Document)
    return found


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["Unix", "Windows"])
def test_what_the_sieve_keeps_is_the_same(encoding: str, end: str) -> None:
    mark, codec = ENCODINGS[encoding]
    assert taken(mark + log(FAULT, end).encode(codec)) == taken(log(FAULT).encode())


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_so_is_the_diagnosis(encoding: str, tmp_path: Path) -> None:
    mark, codec = ENCODINGS[encoding]
    path, known = tmp_path / "messages", prepare_detector()

    def found() -> object:
        diagnosis = diagnose(gather([str(path)], matcher=known[1].output), *known)
        return [
            (finding.cause.id, [(seen.line, seen.count) for seen in finding.evidence]) for finding in diagnosis.findings
        ]

    path.write_bytes(log(SWAP).encode())
    expected = found()
    path.write_bytes(mark + log(SWAP).encode(codec))
    assert found() == expected
    assert "kubelet-swap-on" in str(expected)


def test_a_log_of_two_encodings_is_read_line_by_line() -> None:
    data = b"".join(
        (line + "\n").encode("gb18030" if number % 3 else "utf-8")
        for number, line in enumerate(log(FAULT).splitlines())
    )
    assert taken(data) == taken(log(FAULT).encode())


def test_one_byte_too_few_or_too_many_spoils_only_the_end() -> None:
    data = log(FAULT).encode("utf-16-le")
    whole = taken(log(FAULT).encode())
    expected = set(zip(whole.numbers, whole.lines, strict=True))
    for spoilt in (taken(data[:-1]), taken(data + b"x")):
        assert set(zip(spoilt.numbers[:-1], spoilt.lines[:-1], strict=True)) <= expected
        assert spoilt.counts == whole.counts


def test_a_character_that_the_head_cuts_in_two_is_no_other_encoding() -> None:
    line = b"2024-05-06 07:08:09.123 [INFO][61] x.go 1: nothing to see at all, whatever the caf" + "é".encode() + b"\n"
    for shift in range(len(line)):
        data = b"2024-05-06 07:08:09.123 [INFO] " + b"x" * shift + b"\n" + line * 13_000
        assert "caf\u00e9" in taken(data).lines[5]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40), st.integers(0, 30), st.integers(1, 9))
def test_nothing_is_lost_however_it_is_cut(text: str, head: int, bite: int) -> None:
    text = text.removeprefix("\ufeff")
    data = text.encode("utf-16-le")
    stream = transcode_utf16(data[:head], Stream(io.BytesIO(data[head:]).read), "utf-16-le")
    assert b"".join(iter(lambda: stream.read(bite), b"")).decode() == text


@pytest.mark.parametrize("word", ["节点", "异", "联通", "异常，见日志", "café’s"])
def test_single_words_in_a_chinese_log(word: str) -> None:
    encoded = word.encode("utf-8" if "c" in word else "gb18030")
    data = b"x: " + encoded + "\n节点".encode("gb18030")
    assert decode_by_line(data, chinese=True) == f"x: {word}\n节点"
