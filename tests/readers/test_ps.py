from __future__ import annotations

import pytest

from calivet.readers.host.ps import READER
from tests.readers.host_reading import facts_of


def _running(text: str, command: str | None = None) -> dict[str, object]:
    return {fact.program: fact.value for fact in facts_of(READER, text, command, "cn-3")}


def test_ps_aux():
    text = """
    USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
    root           1  0.0  0.0   2410    72 ?        Ss   Jul02   0:07 /usr/local/bin/runsvdir -P /etc/service/enabled
    root          54  0.0  0.0   2260    70 ?        Ss   Jul02   0:00 runsv bird6
    root          60  0.0  0.4 201340 28840 ?        Sl   Jul02   1:00 calico-node -confd
    root          61  2.0  0.5 201340 50112 ?        Sl   Jul02  96:10 calico-node -felix
    root         137  0.0  0.0    912     8 ?        S    Jul02   2:31 bird -R -s /var/run/calico/bird.ctl -d
    root         900  2.0  0.5 201340 50112 ?        Ssl  Jul02  96:10 /usr/bin/kubelet --config=/var/lib/kubelet/config.yaml
    root         901  0.0  0.0      0     0 ?        Z    Jul02   0:00 [dockerd] <defunct>
    root         902  0.0  0.0   9000   900 ?        Sl   Jul02   0:00 /usr/bin/containerd-shim-runc-v2 -namespace moby
    """
    assert _running(text, "ps aux") == {"confd": True, "felix": True, "bird": True, "kubelet": True}


def test_ps_ef():
    text = """
    UID          PID    PPID  C STIME TTY          TIME CMD
    root        1188       1  0 Apr08 ?        01:02:03 /usr/bin/containerd
    root        1304       1  3 Apr08 ?        1-02:03:04 /usr/bin/dockerd -H fd:// --containerd=/run/containerd/containerd.sock
    """
    assert _running(text, "ps -ef") == {"containerd": True, "docker": True}


def test_the_small_ps_of_a_container_and_pgrep():
    assert _running(
        "   61 root      3:12 calico-node -felix\n  137 root      0:01 bird6 -R -s /var/run/calico/bird6.ctl"
    ) == {"felix": True, "bird6": True}
    assert _running("1188 /usr/bin/containerd", "pgrep -a containerd") == {"containerd": True}


def test_a_search_that_finds_only_itself():
    row = "root       31877   31702  0 04:00 pts/0    00:00:00 grep --color=auto kubelet"
    (fact,) = facts_of(READER, row, "ps -ef | grep kubelet", "cn-3")
    assert (fact.program, fact.key, fact.value, fact.host) == ("kubelet", "running", False, "cn-3")
    assert _running("", "ps aux | grep dockerd | grep -v grep") == {"docker": False}


@pytest.mark.parametrize(
    "command", ["docker ps -a | grep kubelet", "crictl ps | grep kubelet", "ps -ef | grep java", "ps -ef"]
)
def test_silence_elsewhere_means_nothing(command: str):
    assert _running("", command) == {}


def test_logs_are_no_processes():
    text = """
    Oct 04 17:02:09 cn-9 kubelet[2807]: I1004 17:02:09.5 2807 scope.go:115] calico-node
    2024-01-01 10:00:00.000 [INFO][61] felix/daemon.go 1: calico-node
    27: cali7d34@if4: <BROADCAST> mtu 1500
    """
    assert _running(text) == {}


def test_names_alone_and_who_is_halted():
    text = """
      PID TTY      STAT   TIME COMMAND
        1 ?        Ss     0:58 systemd
      811 ?        Ssl  120:11 kubelet
      740 ?        Tl     3:01 containerd
     1201 ?        D      0:01 bird
     4711 pts/0    R+     0:00 ps
    """
    told = [(fact.program, fact.key, fact.value) for fact in facts_of(READER, text, "ps axc", "cn-3")]
    assert told == [
        ("kubelet", "running", True),
        ("containerd", "running", True),
        ("containerd", "state", "T"),
        ("bird", "running", True),
        ("bird", "state", "D"),
    ]
