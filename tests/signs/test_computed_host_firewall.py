"""Firewall services of hosts."""

from __future__ import annotations

from tests.facts.drawing import sightings

STATUS = """
[root@alder-2 ~]# systemctl status {0}
● {0}.service - {0}
   Loaded: loaded (/usr/lib/systemd/system/{0}.service; enabled; vendor preset: enabled)
   Active: {1} since Mon 2024-05-06 07:08:09 CST; 3h ago
"""


def test_running():
    (seen,) = sightings("host-firewall-running", STATUS.format("firewalld", "active (running)"))
    assert (seen.node, seen.values) == ("alder-2", {"unit": "firewalld"})


def test_stopped():
    text = STATUS.format("firewalld", "inactive (dead)")
    assert sightings("host-firewall-running", text) == []
    assert len(sightings("host-firewall-stopped", text)) == 1


def test_the_unit_of_ufw_is_active_even_where_ufw_is_off():
    assert sightings("host-firewall-running", STATUS.format("ufw", "active (exited)")) == []
