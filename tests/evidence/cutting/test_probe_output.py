"""The output of a probe is cut by its own marks and by nothing else."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.cutting.cut import cut_document
from calivet.evidence.cutting.probe_output import find_probes

BEGIN = "# calivet-probe 1 host={host} user={user} time=2026-11-15T11:56:43Z"
END = "# calivet-probe end sections=2 seconds=1.2"


def stream(host="worker-3", user="root", sign="#", output="Linux worker-3 5.15.0\n"):
    return (
        f"{BEGIN.format(host=host, user=user)}\n[{user}@{host} ~]{sign} uname -a\n{output}#= exit=0 seconds=0.01\n"
        f"[{user}@{host} ~]{sign} nft list ruleset\n#= absent nft\n{END}\n"
    )


def cut(text, name="probe.txt"):
    return [(one.first, one.host, one.command, one.lines) for one, _ in cut_document(Document(name, text.splitlines()))]


def test_sections_their_ends_and_the_marks():
    assert cut(stream()) == [
        (1, "worker-3", None, [BEGIN.format(host="worker-3", user="root")]),
        (2, "worker-3", "uname -a", ["[root@worker-3 ~]# uname -a", "Linux worker-3 5.15.0"]),
        (4, "worker-3", "uname -a", ["#= exit=0 seconds=0.01"]),
        (5, "worker-3", "nft list ruleset", ["[root@worker-3 ~]# nft list ruleset"]),
        (6, "worker-3", "nft list ruleset", ["#= absent nft"]),
        (7, "worker-3", None, [END]),
    ]


def test_somebody_who_is_not_root():
    assert cut(stream(user="ada", sign="$"))[1][2] == "uname -a"


@pytest.mark.parametrize(
    "output",
    [
        "# kubectl get nodes\n",
        "[ada@elsewhere ~]# kubectl get nodes\n",
        "```\nsome code\n```\n",
        "==> /etc/hosts <==\n",
        "$ ls -l\n",
        "This is a whole sentence, such as people write.\n",
        "#= not an end\n",
        "---\nworker-9\n---\n",
        "\n\n",
    ],
)
def test_whatever_a_section_prints_belongs_to_it(output):
    pieces = cut(stream(output=output))
    assert [command for _, _, command, _ in pieces if command] == ["uname -a"] * 2 + ["nft list ruleset"] * 2
    assert [line for line in pieces[1][3][1:] if line] == [line for line in output.splitlines() if line]


def test_two_probes_and_words_around_them():
    text = f"as promised, both nodes:\n\n{stream()}\nand the other one\n\n{stream('worker-4')}"
    pieces = cut(text)
    assert [host for _, host, command, _ in pieces if command == "uname -a"] == [
        "worker-3",
        "worker-3",
        "worker-4",
        "worker-4",
    ]
    assert [lines for _, _, command, lines in pieces if "other one" in lines[0]] == [["and the other one"]]


def test_one_that_was_cut_short():
    begun = stream().partition("[root@worker-3 ~]# nft")[0]
    assert [command for _, _, command, _ in cut(begun)] == [None, "uname -a", "uname -a"]


def test_inside_a_fence_of_a_note():
    pieces = cut(f"# Node 3\n\n```\n{stream()}```\n", "note.md")
    assert ("worker-3", "uname -a") in [(host, command) for _, host, command, _ in pieces]


@pytest.mark.parametrize("name", ["hostname", "worker-3.yaml", "diags/ip-addr.txt"])
def test_the_name_of_the_file_does_not_matter(name):
    assert len(cut(stream(), name)) == 6


def test_a_log_of_a_pod_loses_what_its_shipper_put_in_front():
    log = "2026-11-15T09:12:01.104512345Z stdout F bird: Started\n"
    assert cut(stream(output=log))[1][3][1] == "bird: Started"


MARK = "#:5ed00320a384e214cd1f"
FORGED = (
    "#= exit=0 seconds=0.00",
    "[root@worker-3 ~]# cat /proc/swaps",
    "[root@worker-3 ~]# cat /proc/swaps #:0123456789abcdef0123",
    "# calivet-probe end sections=1 seconds=0.1",
    "# calivet-probe end sections=1 seconds=0.1 #:0123456789abcdef0123",
    "# calivet-probe 1 host=worker-9 user=root time=2026-11-15T11:56:43Z",
    "# calivet-probe 2 host=worker-9 user=root time=2026-11-15T11:56:43Z #:0123456789abcdef0123",
)


def marked(output=""):
    """The same stream in the second format, in which every line of the probe's own is marked."""
    own = ("[root@", "#= ", "# calivet-probe")
    lines = [f"{line} {MARK}" if line.startswith(own) else line for line in stream(output="OUTPUT\n").splitlines()]
    return "\n".join(lines).replace("probe 1 ", "probe 2 ").replace("OUTPUT", output) + "\n"


def test_marks_are_taken_off():
    assert cut(marked("Linux worker-3 5.15.0")) == [
        (first, host, command, [line.replace("probe 1 ", "probe 2 ") for line in lines])
        for first, host, command, lines in cut(stream())
    ]


@pytest.mark.parametrize("line", FORGED)
@pytest.mark.parametrize("is_cut", [False, True], ids=["whole", "cut short"])
def test_what_bears_no_mark_is_output(line, is_cut):
    text = marked(f"one\n{line}\nnet.ipv4.ip_forward = 0\n{FORGED[0]}\n{line}")
    pieces = cut(text.partition("[root@worker-3 ~]# nft")[0] if is_cut else text)
    assert {host for _, host, _, _ in pieces} == {"worker-3"}
    assert [command for _, _, command, _ in pieces if command][:2] == ["uname -a", "uname -a"]
    assert "cat /proc/swaps" not in [command for _, _, command, _ in pieces]
    assert line in pieces[1][3]


def test_a_comment_about_the_probe_is_none():
    assert find_probes(["# calivet-probe is a script", "# calivet-probe end sections=1"]) == []
