from __future__ import annotations

from calivet.readers.host.filesystems import DISK_READER
from tests.readers.host_reading import facts_of

DF = """
Filesystem                         Size  Used Avail Use% Mounted on
udev                               7.8G     0  7.8G   0% /dev
tmpfs                              1.6G  3.1M  1.6G   1% /run
/dev/mapper/ubuntu--vg-ubuntu--lv   98G   97G     0 100% /
/dev/loop2                          64M   64M     0 100% /snap/core20/1828
/dev/sdb1                          500G  120G  380G  24% /var/lib/containerd
overlay                             98G   97G     0 100% /var/lib/docker/overlay2/0a1b/merged
tmpfs                              7.8G   12K  7.8G   1% /var/lib/kubelet/pods/6f1c/volumes/kubernetes.io~projected/kube-api-access
"""


def test_df_keeps_what_matters():
    disks = facts_of(DISK_READER, DF, "df -h", "cn-3")
    assert {disk.mount: disk.used for disk in disks} == {"/dev": 0, "/run": 1, "/": 100, "/var/lib/containerd": 24}
    assert {disk.host for disk in disks} == {"cn-3"}
    assert not any(disk.inodes for disk in disks)


def test_inodes_by_header_or_by_command():
    text = """
    Filesystem      Inodes   IUsed   IFree IUse% Mounted on
    /dev/sda1      6553600 6553600       0  100% /
    """
    (disk,) = facts_of(DISK_READER, text)
    assert (disk.mount, disk.used, disk.inodes) == ("/", 100, True)
    (disk,) = facts_of(DISK_READER, "/dev/sda1      6553600 655360       5898240  10% /", "df -ih / | tail -1")
    assert disk.inodes


def test_type_column_blocks_and_wrapped_rows():
    text = """
    Filesystem     Type     1K-blocks     Used Available Use% Mounted on
    /dev/vda1      ext4      41151808 40012345         0 100% /
    /dev/mapper/very-long-volume-group-name-logical-volume
                             41151808 20012345  18999999  52% /var
    """
    assert [(disk.mount, disk.used) for disk in facts_of(DISK_READER, text)] == [("/", 100), ("/var", 52)]


def test_chinese_header_and_hosts_in_front():
    text = """
    cn-1: 文件系统        容量  已用  可用 已用% 挂载点
    cn-1: /dev/vda1        40G   39G  1.0G   98% /
    """
    (disk,) = facts_of(DISK_READER, text)
    assert (disk.host, disk.used) == ("cn-1", 98)


def test_other_percentages_are_no_disks():
    text = """
    cn-1   1206m        15%    9012Mi          58%
    node-a 100% /done
    progress 55% /
    """
    assert facts_of(DISK_READER, text) == []
