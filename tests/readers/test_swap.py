from __future__ import annotations

import pytest

from calivet.readers.host.memory import SWAP_READER, UNNAMED
from tests.readers.host_reading import facts_of

HEADER = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority"


def test_proc_swaps():
    (swap,) = facts_of(
        SWAP_READER,
        f"{HEADER}\n/dev/dm-1                               partition\t8388604\t\t0\t\t-2",
        "cat /proc/swaps",
        "cn-3",
    )
    assert (swap.device, swap.size, swap.host) == ("/dev/dm-1", 8388604, "cn-3")


def test_swapon_show():
    text = """
    NAME      TYPE      SIZE USED PRIO
    /dev/dm-1 partition   2G   0B   -2
    /swap.img file        4G 12.5M   -3
    """
    assert [(swap.device, swap.size) for swap in facts_of(SWAP_READER, text)] == [
        ("/dev/dm-1", 2097152),
        ("/swap.img", 4194304),
    ]


@pytest.mark.parametrize("command", ["swapon --show", "sudo swapon -s", "cat /proc/swaps"])
def test_an_empty_listing_says_that_none_is_on(command: str):
    (swap,) = facts_of(SWAP_READER, "", command, "cn-3")
    assert swap.device is None
    assert swap.host == "cn-3"


def test_a_filtered_listing_says_nothing():
    assert facts_of(SWAP_READER, "", "swapon --show | grep dm-1") == []
    assert facts_of(SWAP_READER, "", "swapon -a") == []
    assert facts_of(SWAP_READER, "", "swapoff -a") == []


def test_a_header_alone_says_that_none_is_on():
    assert [swap.device for swap in facts_of(SWAP_READER, HEADER)] == [None]


@pytest.mark.parametrize(
    ("row", "device", "size"),
    [
        ("Swap:             0           0           0", None, None),
        ("Swap:       2097148           0     2097148", UNNAMED, 2097148),
        ("SwapTotal:             0 kB", None, None),
    ],
)
def test_free_tells_whether_there_is_any(row: str, device: str | None, size: int | None):
    (swap,) = facts_of(SWAP_READER, row)
    assert (swap.device, swap.size) == (device, size)


QUOTE = r"[Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority /dev/sdb2                               partition\t4194300\t\t0\t\t-2]"
COMPLAINT = (
    "failed to run Kubelet: running with swap on is not supported, please disable swap! or set --fail-swap-on flag to false. "
    "/proc/swaps contained: "
)


def test_kubelets_complaint_quotes_the_area():
    line = f'Mar 02 11:20:01 cn-9 kubelet[7001]: E0302 11:20:01.100000    7001 run.go:74] "command failed" err="{COMPLAINT}{QUOTE}"'
    (swap,) = facts_of(SWAP_READER, "\n".join([line] * 500))
    assert (swap.device, swap.size, swap.host) == ("/dev/sdb2", 4194300, "cn-9")


def test_a_cut_complaint_still_says_that_swap_is_on():
    line = f"Mar 02 11:20:01 cn-9 kubelet[7001]: F0302 11:20:01.1 7001 server.go:274] {COMPLAINT}[Fi"
    (swap,) = facts_of(SWAP_READER, line)
    assert swap.device == UNNAMED


def test_lsblk_shows_areas_in_use():
    text = """
    NAME            MAJ:MIN RM  SIZE RO TYPE MOUNTPOINT
    sda               8:0    0  100G  0 disk
    ├─sda1            8:1    0   96G  0 part /
    └─sda2            8:2    0    4G  0 part [SWAP]
    """
    assert [swap.device for swap in facts_of(SWAP_READER, text)] == ["/dev/sda2"]


@pytest.mark.parametrize(
    "line",
    [
        "\t[ERROR Swap]: running with swap on is not supported. Please disable swap",
        "\t[WARNING Swap]: swap is enabled; production deployments should disable swap unless testing the NodeSwap feature gate",
        "\t[WARNING Swap]: swap is supported for cgroup v2 only. The kubelet must be properly configured to use swap.",
    ],
)
def test_kubeadm_complains_too(line: str):
    assert [swap.device for swap in facts_of(SWAP_READER, line, "kubeadm init", "cn-3")] == [UNNAMED]


def test_a_header_left_over_by_a_filter_says_nothing():
    assert facts_of(SWAP_READER, HEADER, "cat /proc/swaps | head -1") == []
