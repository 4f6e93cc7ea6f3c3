from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact, Document
from calivet.evidence.cutting.prompts import read_header
from calivet.evidence.gather import gather_documents


def cut(text: str) -> list[Artifact]:
    return gather_documents([Document("all.txt", text.split("\n"))]).artifacts


@pytest.mark.parametrize(
    ("line", "command", "label"),
    [
        ("==> /var/log/agent/cni.log <==", "cat /var/log/agent/cni.log", None),
        ("===== /etc/hosts =====", "cat /etc/hosts", None),
        ("--- kubelet.log ---", "cat kubelet.log", None),
        ("# file: net.d/10.conflist", "cat net.d/10.conflist", None),
        ("# /etc/containerd/config.toml", "cat /etc/containerd/config.toml", None),
        ("######## kubectl get nodes ########", "kubectl get nodes", None),
        ("=== mill-1 ===", None, "mill-1"),
        ("*** mill-1 ***", None, "mill-1"),
        (">>> mill-1 <<<", None, "mill-1"),
        ("# mill-1", None, "mill-1"),
        ("# 10.0.0.12", None, "10.0.0.12"),
        ("===== mill-1: journalctl -u kubelet =====", "journalctl -u kubelet", "mill-1"),
    ],
)
def test_headers(line: str, command: str | None, label: str | None) -> None:
    opening = read_header([line], 0)
    assert opening is not None
    assert (opening.command, opening.label) == (command, label)


@pytest.mark.parametrize(
    "line",
    [
        "--- 10.0.0.9 ping statistics ---",
        "-- Logs begin at Mon 2024-05-01 10:00:00 CST. --",
        "-- No entries --",
        "-----BEGIN CERTIFICATE-----",
        "---- ------",
        "---",
        "# 1.20",
        "# 3",
        "# Managed by nobody",
        "### a heading of words",
        "- name: x",
        "kube-system | Warning | Unhealthy | agent | Readiness probe failed",
    ],
)
def test_no_headers(line: str) -> None:
    assert read_header([line, "x", "y"], 0) is None


def test_files_of_tail() -> None:
    artifacts = cut(
        "root@mill:~# tail -n1 a.log b.log\n==> a.log <==\n2024-05-01 10:00:00.1 [INFO] x\n\n==> b.log <==\n2024-05-01 10:00:00.1 [INFO] y"
    )
    assert [(part.command, part.first, part.lines[-1][-1]) for part in artifacts] == [
        ("tail -n1 a.log b.log", 1, "g"),
        ("cat a.log", 2, "x"),
        ("cat b.log", 5, "y"),
    ]


def test_ansible_and_pssh_give_the_host_and_the_command() -> None:
    ansible = "$ ansible all -m shell -a 'systemctl is-active kubelet'\nmill-1 | CHANGED | rc=0 >>\nactive\nmill-2 | FAILED | rc=3 >>\ninactivenon-zero return code"
    assert [(part.host, part.command) for part in cut(ansible)] == [
        (None, "ansible all -m shell -a 'systemctl is-active kubelet'"),
        ("mill-1", "systemctl is-active kubelet"),
        ("mill-2", "systemctl is-active kubelet"),
    ]
    pssh = "$ pssh -h hosts -i 'swapon -s'\n[1] 10:00:00 [SUCCESS] mill-1\nFilename  Type  Size\n[2] 10:00:01 [FAILURE] root@mill-2:22 Exited with error code 1"
    assert [(part.host, part.command) for part in cut(pssh)][1:] == [("mill-1", "swapon -s"), ("mill-2", "swapon -s")]


def test_pdsh_puts_the_host_before_every_line() -> None:
    artifacts = cut(
        "$ pdsh -w mill-[1-2] uptime\nmill-1:  10:00:00 up 3 days\nmill-1: load\nmill-2:  10:00:00 up 1 day"
    )
    assert [(part.host, part.command, part.lines) for part in artifacts][1:] == [
        ("mill-1", "uptime", [" 10:00:00 up 3 days", "load"]),
        ("mill-2", "uptime", [" 10:00:00 up 1 day"]),
    ]


def test_pdsh_without_its_command() -> None:
    artifacts = cut("mill-1: 5.15.0-91-generic\nmill-2: 5.15.0-91-generic\nmill-10: 4.4.0-1-generic")
    assert [(part.host, part.lines) for part in artifacts][2] == ("mill-10", ["4.4.0-1-generic"])
    for text in ("bird: a\nbird: b\nbird6: c", "eth0: up\neth1: down", "Name: a\nKind: b"):
        assert [part.host for part in cut(text)] == [None]


def test_names_between_rules() -> None:
    rule = "-" * 16
    artifacts = cut(
        f"$ clush -b -w mill-[1-2] swapon -s\n{rule}\nmill-1\n{rule}\n/swap.img  file  2097148\n{rule}\nmill-2\n{rule}\n/dev/sdb  partition  4194300"
    )
    assert [(part.host, part.first, part.lines[-1][:5]) for part in artifacts][1:] == [
        ("mill-1", 2, "/swap"),
        ("mill-2", 6, "/dev/"),
    ]
    colons = ":" * 14
    assert cut(f"{colons}\n/etc/hosts\n{colons}\n127.0.0.1 localhost")[0].command == "cat /etc/hosts"


def test_a_header_with_a_host_serves_until_the_next() -> None:
    artifacts = cut(
        "===== mill-1 =====\n# uname -r\n5.15\n# date\nMon\n===== mill-2 =====\n--- /etc/hostname ---\nx\n# uname -r\n4.4\n# date    (mill-1)\nMon\n# id -u\n0\nroot@mill-1:~# id\nroot@mill-2:~# id"
    )
    assert [(part.command, part.host) for part in artifacts] == [
        (None, "mill-1"),
        ("uname -r", "mill-1"),
        ("date", "mill-1"),
        (None, "mill-2"),
        ("cat /etc/hostname", "mill-2"),
        ("uname -r", "mill-2"),
        ("date", "mill-1"),
        ("id -u", "mill-2"),
        ("id", "mill-1"),
        ("id", "mill-2"),
    ]
