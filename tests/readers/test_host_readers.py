"""What all readers of host tools promise: no input breaks them, and every fact stands on a line that they claim."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.readers.read import load_reader
from calivet.readers.reader import Reader

NAMES = (
    "host.certificates.CERTIFICATES_READER host.clock.READER runtime.runtime_config.CONTAINERD_READER "
    "runtime.runtime_config.CRIO_READER host.filesystems.DISK_READER runtime.runtime_config.DOCKER_INFO_READER "
    "host.filesystems.FILE_LISTING_READER host.journal.JOURNAL_READER host.journal.KERNEL_LOG_READER host.kubelet_config.READER "
    "host.load.LOAD_READER host.memory.MEMORY_READER host.kernel.MODULES_READER host.ps.READER "
    "runtime.runtime_containers.READER host.memory.SWAP_READER host.sysctl.READER host.systemd_unit.STATUS_READER "
    "host.kernel.UNAME_READER"
).split()
READERS = [load_reader(name) for name in NAMES]

# Pieces that bring random text near to the formats.
PIECES = st.sampled_from(
    [
        "Mem:  12 ",
        "Swap: 0 0 0",
        "load average: 1.0",
        "Active: ",
        "● kubelet.service",
        "systemd[1]: ",
        "kubelet.service: ",
        "Mar 02 11:20:01 cn-9 kubelet[1]: ",
        "--cgroup-driver=",
        "cgroupDriver:",
        "clusterDNS:",
        "- ",
        "disabled_plugins = [",
        '"',
        "]",
        "SystemdCgroup = ",
        "Filesystem Size",
        " 10% /",
        "net.ipv4.ip_forward = ",
        "lsmod",
        "Module Size Used by",
        "notAfter=Jun  2 04:41:11 2024 GMT",
        "subject=CN = ",
        "Mon Oct  9 08:15:32 UTC 2023",
        "Server Version: v1.",
        "0a1b2c3d4e5f ",
        '"x" 2 minutes ago Up ',
        "/dev/sda partition 1 0",
        "Killed process 1 (",
        "total 0",
        "ls: cannot access /x: No such file or directory",
        "\t",
        "  ",
        "=== cn-1 ===",
        "cn-1 | CHANGED | rc=0 >>",
        "99999999999999999999",
        "'",
        "\\",
    ]
)
LINES = st.lists(st.lists(PIECES | st.text(max_size=12), max_size=6).map("".join), max_size=12)
COMMANDS = (
    st.none()
    | st.text(max_size=30)
    | st.sampled_from(
        [
            "ls /etc/cni/net.d",
            "lsmod | grep ip_set",
            "sysctl -n net.ipv4.ip_forward",
            "systemctl is-active a b",
            "nproc",
            "uname -r",
            "cat /proc/sys/net/{a,b}",
            "date",
            "swapon --show",
            "ps -ef | grep kubelet",
            "systemctl list-units --state=failed",
            "free -m",
        ]
    )
)


@pytest.mark.parametrize("reader", READERS, ids=NAMES)
@given(lines=LINES, command=COMMANDS, prompted=st.booleans())
def test_any_text_is_survived(reader: Reader, lines: list[str], command: str | None, prompted: bool):
    if command is not None and (prompted or not lines):
        lines = [f"# {command}", *lines]
    artifact = Artifact(name="n", first=7, lines=lines, host="cn-3", command=command)
    reading = reader.read(artifact, [index for index, line in enumerate(lines) if reader.anchor.search(line)])
    assert all(0 <= index < len(lines) for index in reading.claimed | reading.unread)
    assert all(7 <= fact.at.number < 7 + len(lines) for fact in reading.facts)


@pytest.mark.parametrize("reader", READERS, ids=NAMES)
@pytest.mark.parametrize(
    "text", ["-" * 20_000, "a " * 10_000, "a" * 20_000, "1 " * 10_000, "/a" * 10_000, "a.b:" * 5_000, "\t" * 20_000]
)
def test_long_lines_cost_no_more_than_their_length(reader: Reader, text: str):
    artifact = Artifact(name="n", first=1, lines=[text], host=None, command=None)
    reader.anchor.search(text)
    reader.read(artifact, [0])


def test_kinds_are_distinct():
    assert len({reader.kind for reader in READERS}) == len(READERS)


HEAD = "cn-1 | CHANGED | rc=0 >>"


@pytest.mark.parametrize(
    ("name", "command", "output", "field", "value"),
    [
        ("host.load.LOAD_READER", "nproc", ["16"], "count", 16),
        ("host.systemd_unit.STATUS_READER", "systemctl is-active kubelet", ["failed"], "active", "failed"),
        ("host.kernel.UNAME_READER", "uname -r", ["5.4.0-42-generic"], "version", "5.4.0-42-generic"),
        ("host.sysctl.READER", "cat /proc/sys/net/ipv4/ip_forward", ["0"], "value", "0"),
        (
            "runtime.runtime_config.DOCKER_INFO_READER",
            "docker version -f '{{.Server.Version}}'",
            ["24.0.7"],
            "version",
            "24.0.7",
        ),
        ("host.kernel.MODULES_READER", "lsmod | grep ip_set", ["ip_set   53248  3 xt_set"], "loaded", True),
        ("host.kernel.MODULES_READER", "lsmod | grep ip_set", [], "loaded", False),
        ("host.memory.SWAP_READER", "swapon --show", [], "device", None),
        (
            "host.filesystems.FILE_LISTING_READER",
            "ls /etc/cni/net.d",
            ["10-calico.conflist"],
            "path",
            "/etc/cni/net.d/10-calico.conflist",
        ),
        ("host.filesystems.FILE_LISTING_READER", "ls /etc/cni/net.d", [], "path", "/etc/cni/net.d"),
        ("host.ps.READER", "ps -ef | grep kubelet | grep -v grep", [], "value", False),
    ],
)
@pytest.mark.parametrize("opening", ["prompt", "bare", "head"])
def test_output_that_needs_its_command(
    name: str, command: str, output: list[str], field: str, value: object, opening: str
):
    """The command may stand on a prompt's line, on a line of its own, or above, with only a head over this machine's share."""
    reader = load_reader(name)
    first = {"prompt": f"[root@cn-1 ~]# {command}", "bare": command, "head": HEAD}[opening]
    artifact = Artifact(name="n", first=1, lines=[first, *output], host="cn-1", command=command)
    reading = reader.read(artifact, [index for index, line in enumerate(artifact.lines) if reader.anchor.search(line)])
    assert [(getattr(fact, field), fact.host) for fact in reading.facts][:1] == [(value, "cn-1")]
    assert any(reader.anchor.search(line) for line in artifact.lines)
