"""The address at which clients look for the API server."""

from __future__ import annotations

import pytest

from tests.facts.drawing import sightings

DIALLED = (
    "[root@fig-2 ~]# journalctl -u kubelet\n"
    'E0531 11:31:02.806663 1279 kubelet_node_status.go:540] "Error updating node status, will retry" '
    'err="error getting node \\"fig-2\\": Get \\"https://10.61.4.99:{port}/api/v1/nodes/fig-2?timeout=10s\\": '
    'dial tcp 10.61.4.99:{port}: connect: no route to host"\n'
)
VAIN = DIALLED.format(port=6443)
FAILED = "[root@fig-2 ~]# ip neigh\n10.61.4.99 dev eth0 FAILED\n"
RESOLVED = "10.61.4.11 dev eth0 lladdr 52:54:00:aa:bb:01 REACHABLE\n"
ARP = "[root@fig-2 ~]# arp -n\n10.61.4.99  (incomplete)  eth0\n10.61.4.11  ether  52:54:00:aa:bb:01  C  eth0\n"
PING = (
    "[root@fig-2 ~]# ping -c1 10.61.4.{0}\nPING 10.61.4.{0} (10.61.4.{0}) 56(84) bytes of data.\n{1}\n\n"
    "--- 10.61.4.{0} ping statistics ---\n1 packets transmitted, {2} received, {3}% packet loss, time 0ms\n"
)
LOST = PING.format(99, "From 10.61.4.12 icmp_seq=1 Destination Host Unreachable", 0, 100)
ALIVE = PING.format(11, "64 bytes from 10.61.4.11: icmp_seq=1 ttl=64 time=0.2 ms", 1, 0)
ANSWERS = "[root@fig-2 ~]# curl -k https://10.61.4.11:6443/readyz\nok\n"
REFUSED = "[root@fig-2 ~]# nc -zv 10.61.4.99 6443\nnc: connect to 10.61.4.99 port 6443 (tcp) failed: No route to host\n"


@pytest.mark.parametrize(
    "table", [FAILED + RESOLVED, ARP, LOST + ALIVE, FAILED.replace("FAILED", "INCOMPLETE") + RESOLVED]
)
@pytest.mark.parametrize("port", [6443, 8443, 12345])
def test_nobody_holds_the_address(table, port):
    (seen,) = sightings("api-address-unheld", DIALLED.format(port=port) + table)
    assert (seen.node, seen.values["address"]) == ("fig-2", "10.61.4.99")


@pytest.mark.parametrize(
    "text",
    [
        VAIN + FAILED,  # Nobody at all was found: the machine itself may be cut off.
        FAILED + RESOLVED,  # Nobody asked for an API server there.
        VAIN + FAILED.replace(".99", ".98") + RESOLVED,
        VAIN.replace("4.99", "4.1").replace("6443", "443") + FAILED.replace(".99", ".1") + RESOLVED,
    ],
)
def test_what_does_not_show_it(text):
    assert sightings("api-address-unheld", text) == []


def test_the_server_answers_elsewhere():
    (seen,) = sightings("api-answers-elsewhere", VAIN + ANSWERS)
    assert seen.values == {"target": "10.61.4.11:6443", "address": "10.61.4.99"}
    assert sightings("api-answers-elsewhere", ANSWERS) == []
    assert sightings("api-answers-elsewhere", VAIN.replace("4.99", "4.11") + ANSWERS) == []


def test_an_answer_elsewhere_does_not_acquit_the_address_that_is_used():
    assert len(sightings("api-answers-where-asked", ANSWERS)) == 1
    assert len(sightings("api-answers-where-asked", VAIN + ANSWERS)) == 1
    assert sightings("api-answers-where-asked", VAIN + ANSWERS + REFUSED) == []
    assert sightings("api-answers-where-asked", VAIN + ANSWERS + FAILED + RESOLVED) == []


START = "2023-05-31 03:31:19.443 [INFO][9] startup/startup.go 432: Checking datastore connection\n"
RETRY = '2023-05-31 03:31:22.508 [INFO][9] startup/startup.go 447: Hit error connecting to datastore - retry error=Get "x": EOF\n'
WENT_ON = "2023-05-31 03:31:26.604 [INFO][9] startup/startup.go 456: Datastore connection verified\n"


def test_a_start_that_waits_for_its_datastore():
    head = "[root@fig-2 ~]# crictl logs 5d1c\n"
    (seen,) = sightings("start-without-datastore", head + START + RETRY)
    assert seen.node == "fig-2"
    assert sightings("start-without-datastore", head + START + RETRY + WENT_ON) == []
