"""What a container may not do, and the host or a freer container may."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

SICK = pods(
    "calico-node-k2k2k 0/1 Init:Error 12 1h 10.4.4.9 dune-2", "calico-node-m3m3m 1/1 Running 0 1h 10.4.4.8 dune-1"
)
MODE = "[root@{} ~]# getenforce\n{}\n"
DENIED = "$ kubectl -n kube-system logs calico-node-k2k2k -c install-cni\nopen /host/etc/cni/net.d/10-calico.conflist: permission denied\n"
RUN = "[root@{} ~]# docker run --rm {}-v /opt/cni/bin:/b busybox touch /b/y\n{}\n"
REFUSED = "touch: /b/y: Permission denied"


def test_enforcing_on_the_sick_machine_only():
    (seen,) = sightings(
        "enforcing-where-sick-only", SICK + MODE.format("dune-2", "Enforcing") + MODE.format("dune-1", "Permissive")
    )
    assert (seen.node, seen.values["mode"]) == ("dune-2", "permissive")


def test_the_words_of_sestatus_and_of_a_runner():
    text = """
[root@dune-2 ~]# sestatus
SELinux status:                 enabled
Current mode:                   enforcing
[root@dune-1 ~]# sestatus
SELinux status:                 disabled
"""
    assert [one.node for one in sightings("enforcing-where-sick-only", SICK + text)] == ["dune-2"]
    runner = (
        "$ ansible all -a getenforce\ndune-1 | CHANGED | rc=0 >>\nDisabled\ndune-2 | CHANGED | rc=0 >>\nEnforcing\n"
    )
    assert [one.node for one in sightings("enforcing-where-sick-only", SICK + runner)] == ["dune-2"]


@pytest.mark.parametrize(
    ("sick", "well"), [("Enforcing", "Enforcing"), ("Permissive", "Enforcing"), ("Permissive", "Permissive")]
)
def test_modes_that_tell_nothing(sick, well):
    assert (
        sightings("enforcing-where-sick-only", SICK + MODE.format("dune-2", sick) + MODE.format("dune-1", well)) == []
    )


@pytest.mark.parametrize(
    "tried",
    [
        "touch /etc/cni/net.d/x && echo done\ndone",
        "touch /etc/cni/net.d/x",
        "touch /etc/cni/net.d/x; echo $?\n0",
        "echo 1 > /etc/cni/net.d/x",
    ],
)
def test_the_host_writes_what_the_container_may_not(tried):
    (seen,) = sightings("denied-though-host-may-write", f"{SICK}{DENIED}[root@dune-2 ~]# {tried}\n")
    assert (seen.node, seen.values["place"]) == ("dune-2", "/etc/cni/net.d")


@pytest.mark.parametrize(
    "tried",
    [
        "touch /etc/cni/net.d/x\ntouch: cannot touch '/etc/cni/net.d/x': Read-only file system",
        "touch /etc/cni/net.d/x 2>/dev/null",
        "touch /etc/cni/net.d/x 2>&1 | wc -l; echo $?\n1",
        "mkdir -p /etc/cni/net.d",
        "touch /var/lib/calico/x",
        "ls /etc/cni/net.d",
    ],
)
def test_the_host_does_not_or_elsewhere(tried):
    assert sightings("denied-though-host-may-write", f"{SICK}{DENIED}[root@dune-2 ~]# {tried}\n") == []


def test_a_person_without_rights_is_another_matter():
    text = """
dev@dune-2:~$ touch /etc/cni/net.d/x
touch: cannot touch '/etc/cni/net.d/x': Permission denied
dev@dune-2:~$ sudo touch /etc/cni/net.d/x
"""
    assert sightings("denied-though-host-may-write", SICK + text) == []
    assert [one.node for one in sightings("host-may-write", SICK + text)] == ["dune-2"]


@pytest.mark.parametrize(
    "freed", ["--privileged ", "--security-opt label=disable ", "--security-opt apparmor=unconfined "]
)
def test_a_freer_container_may(freed):
    text = RUN.format("dune-2", "", REFUSED) + RUN.format("dune-2", freed, "")
    assert [one.node for one in sightings("privileged-may-write", SICK + text)] == ["dune-2"]


def test_no_container_may_or_another_machine():
    denied = RUN.format("dune-2", "", REFUSED)
    assert sightings("privileged-may-write", SICK + denied) == []
    assert sightings("privileged-may-write", SICK + denied + RUN.format("dune-2", "--privileged ", REFUSED)) == []
    assert sightings("privileged-may-write", SICK + denied + RUN.format("dune-1", "--privileged ", "")) == []
