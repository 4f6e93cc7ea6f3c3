"""Dirty text as it comes from terminals, tickets and broken machines: real formats, cut, shuffled and spoilt."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import strategies as st

PROJECT = Path(__file__).parents[2]
REAL = ("src/calivet/demos/*/evidence", "tests/readers/recorded/healthy", "tests/readers/recorded/bird-dead")
"""Folders of evidence as real programs print it."""

PROMPTS = [
    "[root@alder ~]# ",
    "ops@birch:~$ kubectl get pods -A\n",
    "[root@alder ~]# ip addr\n",
    "$ calicoctl node status\n",
    "# cat /etc/hosts\n",
    "=== cedar ===\n",
    "cedar | CHANGED | rc=0 >>\n",
    "==> kubelet.log <==\n",
    "```\n",
    "> ",
    "# calivet-probe 1 host=alder\n",
    "#= exit=0\n",
    "# calivet-probe end\n",
]
SPOILERS = [
    "\0",
    "\a",
    "\b\b\b",
    "\r",
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\x1b[2J",
    "\x9b1m",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\u3000",
    "节点",
    "𝟘",
    "٣",
    "e\u0301",
    "\U0010ffff",
    "\ud800",
    "99999999999999999999",
    "-1",
    "1e999",
    "0x",
    "{",
    "}",
    "[",
    '"',
    "'",
    "\\u001b[31m",
    "\\",
    "|",
    "\t",
    "    ",
    "%s{0}",
    "<script>",
    "---\n",
    ": ",
    "\n",
    "\n\n",
]


@cache
def real_texts() -> list[str]:
    """Every file of real evidence."""
    folders = (folder for pattern in REAL for folder in sorted(PROJECT.glob(pattern)))
    return [path.read_text("utf-8") for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]


@st.composite
def stretches(draw: st.DrawFn) -> str:
    """Some lines of a real format, perhaps beginning or ending inside one."""
    lines = draw(st.sampled_from(real_texts())).splitlines(keepends=True)
    first = draw(st.integers(0, len(lines) - 1))
    text = "".join(lines[first : first + draw(st.integers(1, 25))])
    return text[draw(st.integers(0, 30)) : len(text) - draw(st.integers(0, 30))]


@st.composite
def spoilt(draw: st.DrawFn, whole: st.SearchStrategy[str]) -> str:
    """This text with something in the middle of it that does not belong there, or with a part gone or doubled."""
    text = draw(whole)
    at = draw(st.integers(0, len(text)))
    stop = draw(st.integers(at, min(len(text), at + 80)))
    return text[:at] + draw(st.sampled_from(["", text[at:stop] * 2, *SPOILERS])) + text[stop:]


def texts(most: int = 6) -> st.SearchStrategy[str]:
    """What an operator in a hurry would paste, and worse."""
    pieces = st.one_of(
        stretches(), spoilt(stretches()), st.sampled_from(PROMPTS), st.sampled_from(SPOILERS), st.text(max_size=40)
    )
    return st.lists(pieces, min_size=1, max_size=most).map("".join)


def dirt() -> st.SearchStrategy[bytes]:
    """The same as bytes, in whichever encoding, or no text at all."""
    encodings = st.sampled_from(["utf-8", "utf-8", "utf-16", "gb18030", "latin-1"])
    encoded = st.builds(lambda text, name: text.encode(name, "replace"), texts(), encodings)
    halves = st.builds(lambda first, second: first + second, encoded, encoded)
    return st.one_of(encoded, halves, st.binary(max_size=400))


@st.composite
def damaged(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """These bytes with some of them changed, moved or gone."""
    data = bytearray(draw(whole))
    for _ in range(draw(st.integers(0, 8))):
        at = draw(st.integers(0, len(data)))
        stop = draw(st.integers(at, min(len(data), at + 40)))
        data[at:stop] = draw(st.one_of(st.binary(max_size=8), st.just(bytes(data[at:stop] * 2))))
    return bytes(data)
