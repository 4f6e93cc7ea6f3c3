from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.long_logs import intake as module
from calivet.evidence.long_logs.intake import read_blocks
from calivet.evidence.sources.stream import Stream


def cut(data, head=b""):
    return list(read_blocks(Stream(io.BytesIO(data).read), head))


@given(st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=60))
def test_nothing_is_lost_and_no_line_is_cut(lines):
    data = b"\n".join(lines)
    before, module.BLOCK = module.BLOCK, 32
    try:
        found = cut(data[7:], data[:7])
    finally:
        module.BLOCK = before
    assert b"".join(found) == data
    assert all(block.endswith(b"\n") for block in found[:-1])


def test_of_a_line_longer_than_any_memory_only_the_beginning_is_given():
    found = cut(b"first\n" + b"x" * (5 * module.BLOCK) + b"\nlast\n")
    assert b"".join(found).startswith(b"first\nxxx")
    assert b"".join(found).endswith(b"x\nlast\n")
    assert sum(map(len, found)) <= 3 * module.BLOCK
