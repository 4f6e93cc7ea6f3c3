"""Files and kernel settings of a machine come back byte for byte, with mode and owner."""

from __future__ import annotations

import pytest

from calivet.fix.hosts import may_become_root
from calivet.fix.snapshots import find_named_places, restore_snapshot, take_snapshot

SECONDS = 60.0
PLACES = ["/etc/demo.conf", "/etc/demo.d", "/etc/new.conf", "/root/demo-saved", "net.ipv4.ip_forward"]


@pytest.fixture
def kept(machine, hosts):
    machine.write("/etc/demo.conf", "one\n\ttwo \x01\n")
    machine.write("/etc/demo.d/a", "a")
    machine.run("sh", "-c", "chmod 640 /etc/demo.conf; chown 12:34 /etc/demo.conf; ln -s a /etc/demo.d/link")
    machine.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=0")
    return take_snapshot(hosts, "oak", PLACES, SECONDS)


def test_what_is_there_and_what_is_not(kept):
    assert kept.files == ["/etc/demo.conf", "/etc/demo.d"]
    assert kept.absent == ["/etc/new.conf", "/root/demo-saved"]
    assert kept.settings == {"net.ipv4.ip_forward": "0"}
    assert set(kept.fingerprint()) == {*PLACES, "/etc/demo.d/a", "/etc/demo.d/link"}


def test_nothing_is_touched_where_nothing_differs(hosts, kept):
    before = len(hosts.ran)
    assert restore_snapshot(hosts, "oak", kept, SECONDS) == []
    assert len(hosts.ran) == before + 2  # a look before, and one after


@pytest.mark.parametrize(
    "damage",
    [
        "echo changed > /etc/demo.conf",
        "chmod 600 /etc/demo.conf",
        "chown 0:0 /etc/demo.conf",
        "rm /etc/demo.conf",
        "mv /etc/demo.conf /etc/new.conf",
        "rm -r /etc/demo.d",
        "ln -sf b /etc/demo.d/link",
        "echo x > /etc/new.conf; mkdir -p /root/demo-saved; cp /etc/demo.conf /root/demo-saved/",
        "sysctl -q -w net.ipv4.ip_forward=1",
    ],
)
def test_whatever_is_done_is_put_back(machine, hosts, kept, damage):
    machine.run("sh", "-c", damage)
    assert take_snapshot(hosts, "oak", PLACES, SECONDS).fingerprint() != kept.fingerprint()
    assert restore_snapshot(hosts, "oak", kept, SECONDS) == []
    assert take_snapshot(hosts, "oak", PLACES, SECONDS).fingerprint() == kept.fingerprint()
    state = machine.file("/etc/demo.conf").stat()
    assert (state.st_mode & 0o777, state.st_uid, state.st_gid) == (0o640, 12, 34)
    assert machine.file("/etc/demo.conf").read_bytes() == b"one\n\ttwo \x01\n"
    assert not machine.file("/root/demo-saved").exists()


def test_what_cannot_be_put_back_is_named(machine, hosts, kept):
    machine.run("sh", "-c", "rm /etc/demo.conf; mkdir -p /etc/demo.conf/in-the-way")
    assert restore_snapshot(hosts, "oak", kept, SECONDS) == ["/etc/demo.conf"]


def test_a_large_folder_is_not_kept(machine, hosts):
    machine.run("sh", "-c", "mkdir /etc/large && head -c 40000000 /dev/zero > /etc/large/zeros")
    found = take_snapshot(hosts, "oak", ["/etc/large"], SECONDS)
    assert (found.too_large, found.files) == (["/etc/large"], [])


def test_a_rule_comes_back_to_its_place(machine, hosts):
    for port in (1, 2, 3):
        machine.run("iptables", "-A", "INPUT", "-p", "tcp", "-m", "tcp", "--dport", str(port), "-j", "DROP")
    before = machine.run("iptables", "-S", "INPUT")
    rule = "INPUT -p tcp -m tcp --dport 2 -j DROP"
    kept = take_snapshot(hosts, "oak", find_named_places(f"sudo iptables -D {rule}"), SECONDS)
    assert kept.settings == {f"rule:{rule}": "2"}
    machine.run("iptables", "-D", *rule.split())
    assert restore_snapshot(hosts, "oak", kept, SECONDS) == []
    assert machine.run("iptables", "-S", "INPUT") == before


def test_root_is_root(hosts):
    assert may_become_root(hosts, "oak", SECONDS)


@pytest.mark.parametrize(
    ("command", "places"),
    [
        ("sysctl -w net.ipv4.ip_forward=1", ["net.ipv4.ip_forward"]),
        ('printf "net.ipv4.ip_forward=1\\n" > /etc/sysctl.d/9.conf', ["/etc/sysctl.d/9.conf", "net.ipv4.ip_forward"]),
        ("mv -v /etc/cni/net.d/10-x.conflist /root/cni-saved/", ["/etc/cni/net.d/10-x.conflist", "/root/cni-saved"]),
        ("cat /proc/sys/net/x /dev/null /sys/fs/bpf /tmp/y https://example.org/etc/passwd", []),
        ("ls /etc/../etc/shadow", []),
    ],
)
def test_the_places_that_a_command_names(command, places):
    assert find_named_places(command) == places
