from __future__ import annotations

import pytest

from calivet.readers.host.filesystems import FILE_LISTING_READER as READER
from tests.readers.host_reading import facts_of


def _files(text: str, command: str | None = None, host: str | None = "cn-3") -> dict[str, bool]:
    return {fact.path: fact.exists for fact in facts_of(READER, text, command, host)}


LONG = """
total 12
drwxr-xr-x. 2 root root  100 Sep 21 16:42 .
drwxr-xr-x. 3 root root   40 Sep 21  2023 ..
-rw-r--r--  1 root root  812 Sep 21 16:42 10-calico.conflist
-rw-------  1 root root 3104 2024-06-08 20:11:05.120340077 +0000 calico-kubeconfig
lrwxrwxrwx  1 root root   11 9月 21 16:42 current -> 10-calico.conflist
"""


def test_a_long_listing():
    assert _files(LONG, "ls -la /etc/cni/net.d/") == {
        "/etc/cni/net.d/10-calico.conflist": True,
        "/etc/cni/net.d/calico-kubeconfig": True,
        "/etc/cni/net.d/current": True,
        "/etc/cni/net.d": True,
    }


def test_a_short_listing():
    assert _files("bandwidth  calico  calico-ipam\nloopback", "sudo ls /opt/cni/bin") == {
        "/opt/cni/bin/bandwidth": True,
        "/opt/cni/bin/calico": True,
        "/opt/cni/bin/calico-ipam": True,
        "/opt/cni/bin/loopback": True,
        "/opt/cni/bin": True,
    }


@pytest.mark.parametrize(("text", "command"), [("", "ls /opt/cni/bin"), ("total 0", "ls -l /opt/cni/bin")])
def test_an_empty_directory(text: str, command: str):
    assert _files(text, command) == {"/opt/cni/bin": True, "/opt/cni/bin/*": False}


def test_a_filtered_listing_does_not_say_what_is_absent():
    assert _files("calico\ncalico-ipam", "ls /opt/cni/bin | grep calico") == {
        "/opt/cni/bin/calico": True,
        "/opt/cni/bin/calico-ipam": True,
    }
    assert _files("", "ls /opt/cni/bin | grep flannel") == {}
    assert _files("12", "ls /opt/cni/bin | wc -l") == {}


def test_other_commands_beside_it():
    text = "Mon Oct  9 08:15:32 UTC 2023\n-rw-r--r-- 1 root root 812 Sep 21 16:42 10-calico.conflist"
    assert _files(text, "date; ls -l /etc/cni/net.d") == {"/etc/cni/net.d/10-calico.conflist": True}
    assert _files("cn-3\n10-calico.conflist", "hostname; ls /etc/cni/net.d") == {}


def test_single_files_and_several_directories():
    assert _files(
        "-rw-r--r-- 1 root root 812 Sep 21 16:42 /var/lib/calico/nodename", "ls -l /var/lib/calico/nodename"
    ) == {"/var/lib/calico/nodename": True}
    text = "/etc/cni/net.d:\n10-calico.conflist\n\n/opt/cni/bin:\ncalico"
    assert _files(text, "ls /etc/cni/net.d /opt/cni/bin") == {
        "/etc/cni/net.d/10-calico.conflist": True,
        "/opt/cni/bin/calico": True,
    }


def test_find():
    assert _files("/etc/cni/net.d/10-calico.conflist", "find /etc/cni -type f") == {
        "/etc/cni/net.d/10-calico.conflist": True
    }


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("ls: cannot access '/etc/cni/net.d': No such file or directory", "/etc/cni/net.d"),
        ("ls: cannot access /etc/cni/net.d: No such file or directory", "/etc/cni/net.d"),
        ("ls: 无法访问/etc/cni/net.d: 没有那个文件或目录", "/etc/cni/net.d"),
        ("cat: /var/lib/calico/nodename: No such file or directory", "/var/lib/calico/nodename"),
        ("stat: cannot stat '/opt/cni/bin/calico': No such file or directory", "/opt/cni/bin/calico"),
        (
            "sysctl: cannot stat /proc/sys/net/bridge/bridge-nf-call-iptables: No such file or directory",
            "/proc/sys/net/bridge/bridge-nf-call-iptables",
        ),
        ("head: cannot open '/etc/cni/net.d/x' for reading: No such file or directory", "/etc/cni/net.d/x"),
    ],
)
def test_missing_files(line: str, path: str):
    assert _files(line) == {path: False}


def test_a_missing_directory_is_not_also_there():
    assert _files("ls: cannot access '/opt/cni/bin': No such file or directory", "ls /opt/cni/bin") == {
        "/opt/cni/bin": False
    }


def test_a_pods_files_are_not_the_hosts():
    assert _files("calico", "kubectl exec -n kube-system calico-node-b7k2x -- ls /opt/cni/bin") == {}
    assert _files("cat: /x: No such file or directory", "kubectl exec calico-node-b7k2x -- cat /x") == {}


@pytest.mark.parametrize(
    "line",
    [
        "bird: Unable to open configuration file /etc/calico/bird.cfg: No such file or directory",
        "E0302 cni.go:324] stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running",
        "Unexpected command output nsenter: cannot open : No such file or directory",
    ],
)
def test_programs_own_troubles_are_left_to_their_logs(line: str):
    assert _files(line) == {}


def test_errors_are_no_names():
    assert _files("bash: ls: command not found", "ls /opt/cni/bin").get("/opt/cni/bin/bash:") is None
