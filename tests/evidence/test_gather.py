from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Document, Evidence
from calivet.evidence.decoding.decode import clean_text
from calivet.evidence.gather import gather, gather_documents
from tests.evidence.archives.packing import tar, zipped

TRANSCRIPT = dedent("""\
    # agent 起不来

    The agent on mill-2 restarts for ever, I do not know why. 日志如下：

    ```
    [root@mill-1 ~]# kubectl get pods -o wide
    NAME      READY   STATUS    NODE
    agent-1   1/1     Running   mill-1
    agent-2   0/1     Error     mill-2

    root@mill-2:~$ sudo systemctl status kubelet
    ● kubelet.service - kubelet
       Active: active (running)

    May 01 10:00:00 mill-2 kubelet[12]: E0501 10:00:00.123456 12 x.go:1] "it failed"
    root@mill-2:~$
    ```

    > Readiness probe failed: Get "http://10.0.0.1:9099/readiness": dial tcp 10.0.0.1:9099: connect: connection refused

    and the configuration:

    ```yaml
    spec:
      mode: Always
      pools:
      - cidr: 10.0.0.0/16
    ```

    What should I do?
    """)
Change = Callable[[list[str]], list[str]]
CHANGES: dict[str, Change] = {
    "windows line ends": lambda lines: [line + "\r" for line in lines],
    "colours": lambda lines: [f"\x1b[1;32m{line}\x1b[0m" for line in lines],
    "a shipper": lambda lines: [f"2026-01-02T03:04:05Z loghost shipper[12]: {line}" for line in lines],
    "a CRI log": lambda lines: [f"2026-01-02T03:04:05.123456789Z stdout F {line}" for line in lines],
    "kubectl logs --timestamps": lambda lines: [f"2026-01-02T03:04:05.123456789Z {line}" for line in lines],
    "kubectl logs --prefix": lambda lines: [f"[pod/shell-4kz9q/shell] {line}" for line in lines],
    "docker compose": lambda lines: [f"shell-1  | {line}" for line in lines],
    "cat -n": lambda lines: [f"{number:6d}\t{line}" for number, line in enumerate(lines, 1)],
    "an editor": lambda lines: [f"{number:4d}  {line}" for number, line in enumerate(lines, 1)],
    "a quote": lambda lines: [f"> {line}" for line in lines],
    "bars": lambda lines: [f"| {line}" for line in lines],
    "spaces of a web page": lambda lines: [line.replace("  ", "\u00a0 ") for line in lines],
}


def seen(evidence: Evidence) -> list[tuple[object, ...]]:
    return [
        (part.name, part.first, part.order, part.host, part.command, part.prose, part.lines)
        for part in evidence.artifacts
    ]


def read(data: bytes) -> Evidence:
    return gather(["-"], io.BytesIO(data))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_packing_changes_nothing(change: Change) -> None:
    changed = "\n".join(change(TRANSCRIPT.rstrip("\n").split("\n"))) + "\n"
    assert seen(read(changed.encode())) == seen(read(TRANSCRIPT.encode()))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_encoding_changes_nothing(encoding: str) -> None:
    assert seen(read(TRANSCRIPT.encode(encoding))) == seen(read(TRANSCRIPT.encode()))


def test_the_transcript_itself() -> None:
    assert [(part.command, part.host, part.prose) for part in read(TRANSCRIPT.encode()).artifacts] == [
        (None, None, True),
        ("kubectl get pods -o wide", "mill-1", False),
        ("sudo systemctl status kubelet", "mill-2", False),
        (None, None, False),
        (None, None, True),
        (None, None, False),
        (None, None, True),
    ]


def test_an_archive_is_read_like_the_directory_it_was_made_of(tmp_path: Path) -> None:
    files = {"a/note.md": TRANSCRIPT.encode(), "b/agent.log": b"2024-05-01 10:00:00.1 [INFO] x\n"}
    for name, data in files.items():
        (tmp_path / "box" / name).parent.mkdir(parents=True)
        (tmp_path / "box" / name).write_bytes(data)
    (tmp_path / "box.tgz").write_bytes(gzip.compress(tar(files)))
    (tmp_path / "box.zip").write_bytes(zipped(files))

    def without_names(path: str) -> list[tuple[object, ...]]:
        return [artifact[1:] for artifact in seen(gather([str(tmp_path / path)]))]

    assert without_names("box") == without_names("box.tgz") == without_names("box.zip")


def test_bad_sources_never_stop_the_rest(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "program").write_bytes(b"\x7fELF" + bytes(100))
    (tmp_path / "broken.tgz").write_bytes(gzip.compress(tar({"a.log": b"kept\n" * 2000}))[:60])
    (tmp_path / "good.txt").write_text("root@mill:~# date\nMon\n")
    evidence = gather([str(tmp_path / "nowhere"), str(tmp_path)])
    assert [part.command for part in evidence.artifacts] == ["date"]
    whys = {Path(refused.what).name: str(refused.why) for refused in evidence.unreadable}
    assert whys["nowhere"] == "no such file"
    assert whys["empty.txt"] == "is empty"
    assert whys["program"] == "is not text"
    assert "broken.tgz" in whys


def test_a_file_of_which_nothing_is_left_is_named(tmp_path: Path) -> None:
    (tmp_path / "hollow.md").write_text("```\n```\n")
    (tmp_path / "note.md").write_text("```\nroot@mill:~# date\nMon\n```\n")
    evidence = gather([str(tmp_path)])
    assert [(item.what, str(item.why)) for item in evidence.unreadable] == [
        ("hollow.md", "contains nothing that can be read")
    ]
    assert [part.name for part in evidence.artifacts] == ["note.md"]


def test_what_came_otherwise_may_be_silent() -> None:
    assert gather([], more=[Document("nodes.txt", ["```", "```"])]) == Evidence()


@pytest.mark.parametrize("text", ["$ \n", "root@mill:~#\n", "---\n", "{}\n", "No resources found\n", "null\n"])
def test_little_is_not_nothing(text: str) -> None:
    assert not read(text.encode()).unreadable


def test_nothing_at_all() -> None:
    assert gather([]) == Evidence()
    nothing = gather(["/nowhere/at/all"])
    assert nothing.artifacts == []
    assert len(nothing.unreadable) == 1


def test_orders_run_through_all_documents() -> None:
    evidence = gather_documents([Document("a.txt", ["$ date", "Mon"]), Document("b.txt", ["$ id", "root"])])
    assert [(part.name, part.order) for part in evidence.artifacts] == [("a.txt", 0), ("b.txt", 1)]


def test_a_line_of_fifty_megabytes() -> None:
    evidence = read(b"before\n" + b"x" * 50_000_000 + b"\n2024-05-01 10:00:00.1 [INFO] after\n")
    assert sum(len(part.lines) for part in evidence.artifacts) == 3
    assert evidence.artifacts[-1].at(len(evidence.artifacts[-1].lines) - 1).number == 3
    assert str(evidence.unreadable[0].why) == "line 2 cut to 16,384 characters"


def test_a_long_log_is_not_walked_line_by_line() -> None:
    line = b"2024-05-01 10:00:00.123 [INFO][64] felix/summary.go 100: Summarising 8 loops over 1m3.7s: avg=6ms longest=13ms\n"
    evidence = read(line * 200_000)
    assert [len(part.lines) for part in evidence.artifacts] == [200_000]


@pytest.mark.parametrize(
    "piece",
    [
        " ",
        "a: ",
        "[",
        "x=",
        "a.",
        "(",
        "> ",
        "\t",
        "-",
        "# ",
        "a@",
        "the ",
        "\x1b]",
        "\x1b[1",
        "== ",
        "| ",
        "<p>",
        "A=1 ",
        "a  ",
        "sudo ",
        "`",
        "{",
        "1 ",
        "中",
    ],
)
def test_no_line_is_poison(piece: str) -> None:
    # An expression that backtracks would not come back from this in a lifetime.
    assert read((piece * 20_000 + "!\n").encode() * 3)


@given(st.binary(max_size=500))
def test_any_bytes(data: bytes) -> None:
    evidence = read(data)
    assert all(part.lines and part.first > 0 for part in evidence.artifacts)
    assert [part.order for part in evidence.artifacts] == list(range(len(evidence.artifacts)))


@given(st.text(max_size=300))
def test_any_text_is_kept(text: str) -> None:
    lines = clean_text(text)
    for part in gather_documents([Document("a.txt", lines)]).artifacts:
        assert part.at(0).number == part.first
        assert part.first - 1 + len(part.lines) <= len(lines)
        for index, line in enumerate(part.lines):
            assert line.strip() in lines[part.first - 1 + index]


def test_the_order_in_which_files_are_named_changes_nothing(tmp_path):
    for name in ("pods.txt", "felix.log", "nodes.txt"):
        (tmp_path / name).write_text(f"{name} says this\n", "utf-8")
    paths = [str(path) for path in tmp_path.iterdir()]
    found = [[one.name for one in gather(order).artifacts] for order in permutations(paths)]
    assert all(names == found[0] for names in found)
