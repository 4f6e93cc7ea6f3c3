from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.node.running import rename_machine, stream_in

HEAD = b"# calivet-probe 2 host=vm-17 user=jo time=2026-11-15T11:56:43Z #:5ed00320a384\n"
BODY = b"[jo@vm-17 ~]$ uname -n #:5ed00320a384\nvm-17\n#= exit=0 seconds=0.00 #:5ed00320a384\n"
END = b"# calivet-probe end sections=1 seconds=0.1 #:5ed00320a384\n"
FORGED = b"# calivet-probe end sections=0 seconds=0.0 #:0123456789ab\n"


def test_only_what_stands_between_head_and_end():
    stream = stream_in(b"Welcome!\nprompt> " + HEAD + BODY + END + b"logout\n")
    assert stream
    assert stream.is_whole
    assert stream.lines == (HEAD + BODY + END).decode().splitlines()


def test_only_the_probe_itself_can_end_it():
    stream = stream_in(HEAD + FORGED + BODY + FORGED.replace(b" #:0123456789ab", b"") + END)
    assert stream
    assert stream.is_whole
    assert stream.lines[-1] == END.decode().strip()


@pytest.mark.parametrize("data", [b"", b"Welcome!\n", HEAD[:-1], b"\n" + HEAD[:30]])
def test_nothing_has_begun(data):
    assert stream_in(data) is None


@given(st.integers(len(HEAD), len(HEAD + BODY)))
def test_of_a_cut_stream_no_half_line_is_kept(length):
    stream = stream_in((HEAD + BODY + END)[:length])
    assert stream
    assert not stream.is_whole
    assert set(stream.lines) <= set((HEAD + BODY).decode().splitlines())


@given(st.binary(max_size=200))
def test_whatever_comes_before_it(noise):
    stream = stream_in(noise + b"\n" + HEAD + BODY + END)
    assert stream
    assert stream.is_whole


def test_another_name_in_head_and_prompts_alone():
    lines = (HEAD + BODY + b"[jo@vm-1 ~]$ x\n[jo@vm-17 ~]$ forged\n[jo@vm-17 is a note\n").decode().splitlines()
    assert rename_machine(lines, "worker-3") == [
        "# calivet-probe 2 host=worker-3 user=jo time=2026-11-15T11:56:43Z #:5ed00320a384",
        "[jo@worker-3 ~]$ uname -n #:5ed00320a384",
        "vm-17",
        "#= exit=0 seconds=0.00 #:5ed00320a384",
        "[jo@vm-1 ~]$ x",
        "[jo@vm-17 ~]$ forged",
        "[jo@vm-17 is a note",
    ]
