from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.host import convert_to_kibibytes
from calivet.readers.command import find_file, find_output_start, find_paths, list_output_lines


def _artifact(command: str | None, *lines: str) -> Artifact:
    return Artifact(name="n", first=1, lines=list(lines), command=command)


def test_the_prompt_line_is_not_output():
    artifact = _artifact("nproc", "[root@n1 ~]# nproc", "16", "  ")
    assert find_output_start(artifact) == 1
    assert list(list_output_lines(artifact)) == [(1, "16")]


def test_output_kept_without_its_prompt_begins_at_once():
    assert find_output_start(_artifact("nproc", "16")) == 0
    assert find_output_start(_artifact(None, "16")) == 0
    assert find_output_start(_artifact("nproc")) == 0


def test_paths_have_their_braces_expanded():
    artifact = _artifact("cat /proc/sys/net/ipv4/conf/{all,eth0}/{rp_filter,forwarding} ./x a/b https://h/p")
    assert find_paths(artifact) == [
        "/proc/sys/net/ipv4/conf/all/rp_filter",
        "/proc/sys/net/ipv4/conf/all/forwarding",
        "/proc/sys/net/ipv4/conf/eth0/rp_filter",
        "/proc/sys/net/ipv4/conf/eth0/forwarding",
    ]


def test_too_many_braces_stay_as_they_are():
    assert find_paths(_artifact("cat /a{1,2}{1,2}{1,2}{1,2}{1,2}")) == ["/a{1,2}{1,2}{1,2}{1,2}{1,2}"]


def test_a_file_is_found_by_a_word_of_its_path():
    assert (
        find_file(_artifact("grep -n x /etc/hosts /etc/containerd/config.toml"), "containerd")
        == "/etc/containerd/config.toml"
    )
    assert find_file(_artifact("cat x"), "containerd") is None


@pytest.mark.parametrize(
    ("text", "unit", "size"),
    [
        ("2G", "K", 2 * 1024 * 1024),
        ("512Mi", "K", 512 * 1024),
        ("1,5G", "K", 1.5 * 1024 * 1024),
        ("0B", "K", 0),
        ("7", "M", 7168),
        ("2048B", "K", 2),
        ("many", "K", None),
        ("", "K", None),
    ],
)
def test_sizes(text: str, unit: str, size: float | None):
    assert convert_to_kibibytes(text, unit) == size
