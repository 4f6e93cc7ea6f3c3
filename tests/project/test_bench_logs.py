"""The logs of the benchmark are what they should be: as large, as telling and as compressible as real ones."""

from __future__ import annotations

import gzip

import pytest

from bench.logs import FEW, MANY, MEGABYTE, Wanted, write_logs, write_one
from bench.scanning import growing, moved
from bench.templates import programs
from calivet.signs.sign_detector import prepare_detector


def telling(text: str) -> int:
    output = prepare_detector()[1].output
    return len({hit.line for hit in output.scan(text.splitlines())})


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_the_catalogue_knows_the_telling_lines_and_no_others(program, tmp_path):
    def written(one_in: int) -> list[str]:
        path = write_one(tmp_path / f"{program.name}.log", Wanted(MEGABYTE // 4, one_in))
        return path.read_text().splitlines()

    assert telling("\n".join(written(10**9)[1:])) == 0
    assert telling("\n".join(written(MANY))) == len(written(MANY)[::MANY])


def test_logs_are_as_many_as_wanted_and_pack_like_real_ones(tmp_path):
    write_logs(tmp_path, Wanted(2 * MEGABYTE, FEW))
    text = b"".join(path.read_bytes() for path in sorted(tmp_path.rglob("*.log")))
    assert len(text) == pytest.approx(2 * MEGABYTE, rel=0.02)
    assert 7 < len(text) / len(gzip.compress(text, 6)) < 13


def test_a_longer_log_goes_on_with_other_nodes_and_days(tmp_path, monkeypatch):
    monkeypatch.setattr("bench.logs.UNIQUE", MEGABYTE)
    words = [
        line.split() for line in write_one(tmp_path / "kubelet.log", Wanted(24 * MEGABYTE)).read_text().splitlines()
    ]
    assert (words[0][:2], words[-1][:2]) == (["May", "10"], ["Jun", "02"])
    assert (words[0][5][1:], words[-1][5][1:]) == ("0510", "0602")
    assert len({word[3] for word in words}) == 24


def test_a_line_without_end(tmp_path):
    assert b"\n" not in write_one(tmp_path / "felix.log", Wanted(MEGABYTE), newlines=False).read_bytes()


def test_made_up_patterns_have_other_words_and_the_same_shape():
    assert moved(r"(?P<why>Failed) to \bopen {0,4}[a-f]", 1) == r"(?:Gbjmfe) to \bopen {0,4}[a-f]"
    shipped = len(prepare_detector()[1].output.items)
    made_up = list(zip(range(shipped + 50), growing(), strict=False))[shipped:]
    assert len({str(item.what.pattern) for _, item in made_up}) > 45
