"""What was seen on a machine that is no node."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.facts.machines import find_strangers
from calivet.signs.relevance import drop_probe_noise
from calivet.signs.sighting import Key, Sighting
from tests.facts.drawing import picture_of
from tests.signs.made_pictures import line

BEGIN = "# calivet-probe 1 host=box user=root time=2026-11-15T11:56:43Z\n"
PROCESSES = "[root@box ~]# ps axc\n  PID TTY      STAT   TIME COMMAND\n    1 ?        Ss     0:01 systemd\n{}#= exit=0 seconds=0.02\n"
END = "# calivet-probe end sections=2 seconds=0.3\n"
NODES = "$ kubectl get nodes\nNAME   STATUS   ROLES    AGE   VERSION\nbox    Ready    <none>   9d    v1.29.4\n"


def probe(section="", process="", end=END):
    return f"{BEGIN}{PROCESSES.format(process)}{section}{end}"


def shown(command, output):
    return f"[root@box ~]# {command}\n{output}#= exit=0 seconds=0.02\n"


def test_neither_kubelet_nor_calico_left_a_trace():
    assert find_strangers(picture_of(probe())) == {"box"}


@pytest.mark.parametrize(
    "text",
    [
        probe(process="  811 ?        Ssl    9:01 kubelet\n"),
        probe(shown("cat /var/lib/kubelet/config.yaml", "cgroupDriver: systemd\n")),
        probe(shown("systemctl show kubelet", "Id=kubelet.service\nLoadState=loaded\nActiveState=failed\n")),
        probe(shown("ls -la /var/lib/calico", "total 4\n-rw-r--r-- 1 root root 3 Nov 15 09:00 nodename\n")),
        probe(shown("ip addr", "9: cali0a1b2c3d4e5@if4: <BROADCAST,UP> mtu 1450 qdisc noqueue state UP\n")),
        probe(end=""),
        NODES + probe(),
    ],
)
def test_a_trace_of_either_or_a_probe_that_may_have_missed_it(text):
    assert find_strangers(picture_of(text)) == frozenset()


def test_only_the_stranger_is_left_out():
    here, there = Sighting(line=line(), node="box"), Sighting(line=line(), node="fig-2")
    seen = {Key("a", "b"): [here, there], Key("a", "c"): [here]}
    assert drop_probe_noise(seen, picture_of(probe())) == {Key("a", "b"): [there]}


@pytest.mark.parametrize(
    ("user", "text", "counts"),
    [
        ("root", "ls: cannot open directory '/etc/cni/net.d': Permission denied", True),
        ("ada", "ls: cannot open directory '/etc/cni/net.d': Permission denied", False),
        ("ada", "Operation not permitted (you must be root)", False),
        ("ada", "2026-11-15T09:12:05+0000 box kubelet[811]: open /var/lib/calico/nodename: permission denied", True),
        ("ada", "E1115 09:12:05.1 811 x.go:1] mkdir /opt/cni/bin: permission denied", True),
    ],
)
def test_what_is_refused_to_the_probe_itself(user, text, counts):
    drawn = picture_of({"probes/box.txt": probe().replace("user=root", f"user={user}").replace("[root@", f"[{user}@")})
    sighting = Sighting(line=Line("probes/box.txt", 7, text), node="fig-2")
    assert bool(drop_probe_noise({Key("a", "b"): [sighting]}, drawn)) == counts
