"""localhost: its name, its interface, its ports."""

from __future__ import annotations

import pytest

from tests.facts.drawing import sightings

HOSTS = "[root@yew-3 ~]# cat /etc/hosts\n{0}\n10.9.0.13 yew-3\n10.9.0.14 yew-4\n"
DEVICES = """
[root@yew-3 ~]# ip -br addr
lo               {0}
eth0             UP             10.9.0.13/24
"""


@pytest.mark.parametrize("first", ["::1 localhost ip6-localhost", "10.9.0.1 gateway"])
def test_a_hosts_file_without_localhost(first):
    (seen,) = sightings("hosts-file-without-localhost", HOSTS.format(first))
    assert seen.node == "yew-3"


def test_a_hosts_file_as_it_should_be():
    assert sightings("hosts-file-without-localhost", HOSTS.format("127.0.0.1 localhost localhost.localdomain")) == []


@pytest.mark.parametrize("state", ["DOWN           127.0.0.1/8", "UNKNOWN        ::1/128"])
def test_lo_without_its_address(state):
    assert len(sightings("loopback-without-address", DEVICES.format(state))) == 1


def test_lo_as_it_should_be():
    assert sightings("loopback-without-address", DEVICES.format("UNKNOWN        127.0.0.1/8 ::1/128")) == []


def test_a_listing_of_ipv6_alone_shows_no_ipv4():
    text = "[root@yew-3 ~]# ip -6 -br addr\nlo               UNKNOWN        ::1/128\neth0   UP   2001:db8::5/64\n"
    assert sightings("loopback-without-address", text) == []


def test_a_ping_to_itself_is_lost():
    text = "[root@yew-3 ~]# ping -c 1 127.0.0.1\nconnect: Network is unreachable\n"
    (seen,) = sightings("loopback-does-not-answer", text)
    assert seen.node == "yew-3"


def test_only_other_addresses_are_left_on_lo():
    text = """
[root@yew-3 ~]# ip -4 addr | grep -E '^[0-9]|inet'
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    inet 10.9.0.250/32 scope global lo:0
"""
    assert len(sightings("loopback-without-address", text)) == 1


def test_a_connection_to_itself_is_neither_taken_nor_refused():
    text = "[root@yew-3 ~]# curl -k -m 3 https://127.0.0.1:6443/healthz\ncurl: (28) Connection timed out after 3001 milliseconds\n"
    (seen,) = sightings("loopback-connect-lost", text)
    assert (seen.node, seen.values["outcome"]) == ("yew-3", "timeout")
    refused = "[root@yew-3 ~]# curl http://127.0.0.1:9099\ncurl: (7) Failed to connect to 127.0.0.1 port 9099: Connection refused\n"
    assert sightings("loopback-connect-lost", refused) == []


def test_the_health_port_answers_by_address_only():
    events = """
$ kubectl -n kube-system describe pod calico-node-k2k2k | tail -1
  Warning  Unhealthy  2s  kubelet  Liveness probe failed: Get "http://localhost:9099/liveness": dial tcp [::1]:9099: connect: connection refused
"""
    asked = "[root@yew-3 ~]# curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:9099/liveness\n200\n"
    (seen,) = sightings("health-answers-by-address", events + asked)
    assert seen.values == {"address": "127.0.0.1:9099"}
    assert sightings("health-answers-by-address", asked) == []


def test_another_program_holds_a_port():
    row = 'LISTEN 0 128 127.0.0.1:{0} 0.0.0.0:* users:(("{1}",pid=991,fd=7))\n'
    command = "[root@yew-3 ~]# ss -lntp\n"
    (seen,) = sightings("calico-port-held-by-other", command + row.format(9099, "agentd"))
    assert (seen.node, seen.values) == ("yew-3", {"port": "9099", "process": "agentd"})
    assert sightings("calico-port-held-by-other", command + row.format(9099, "calico-node")) == []
    assert sightings("calico-port-held-by-other", command + row.format(8080, "agentd")) == []


def test_a_program_that_took_the_connection_and_keeps_silent_is_no_fault_of_the_loopback():
    text = (
        "[root@yew-3 ~]# curl -sS -m 5 http://127.0.0.1:9099/readiness\n"
        "curl: (28) Operation timed out after 5001 milliseconds with 0 bytes received\n"
    )
    assert sightings("loopback-connect-lost", text) == []
