"""Machines that share a name."""

from __future__ import annotations

from tests.facts.drawing import nodes, pods, sightings, table

READ = "[root@{0} ~]# cat /var/lib/calico/nodename\n{1}\n"
TUNNEL = """[root@{0} ~]# ip addr show tunl0
6: tunl0@NONE: <NOARP,UP,LOWER_UP> mtu 1440 qdisc noqueue state UNKNOWN group default qlen 1000
    inet {1}/32 scope global tunl0
"""


def test_two_machines_read_the_same_name():
    (seen,) = sightings("node-names-repeat", READ.format("maple-1", "maple-1") + READ.format("maple-2", "maple-1"))
    assert seen.values == {"name": "maple-1"}


def test_machines_that_have_no_name_of_their_own():
    text = READ.format("localhost", "localhost.localdomain") * 2
    assert len(sightings("node-names-repeat", text)) == 1


def test_the_same_machine_read_twice():
    assert sightings("node-names-repeat", READ.format("maple-1", "maple-1") * 2) == []


def test_the_name_of_another():
    text = READ.format("maple-1", "maple-1") + READ.format("maple-2", "maple-1")
    (seen,) = sightings("nodename-of-another", text)
    assert (seen.node, seen.values) == ("maple-2", {"name": "maple-1"})


def test_a_name_that_is_nobody_elses_may_be_meant():
    assert sightings("nodename-of-another", READ.format("maple-2", "edge-gateway")) == []


def test_the_same_tunnel_address_twice():
    text = TUNNEL.format("maple-1", "10.88.4.0") + TUNNEL.format("maple-2", "10.88.4.0")
    (seen,) = sightings("tunnel-address-shared", text)
    assert (seen.node, seen.values["address"]) == ("maple-2", "10.88.4.0/32")
    assert sightings("tunnel-address-shared", TUNNEL.format("maple-1", "10.88.4.0") * 2) == []


def test_a_node_with_two_addresses():
    here = nodes("maple-1 Ready 10.2.0.11", "twin Ready 10.2.0.12")
    text = here + pods(
        "calico-node-aaaaa 0/1 Running 17 44m 10.2.0.13 twin", "kube-proxy-bbbbb 1/1 Running 0 9d 10.2.0.11 maple-1"
    )
    (seen,) = sightings("node-address-flips", text)
    assert seen.values == {"name": "twin", "first": "10.2.0.12", "second": "10.2.0.13"}
    assert sightings("node-address-flips", here) == []


def test_a_machine_that_was_renamed():
    header = "$ kubectl get nodes -o wide\nNAME     STATUS     ROLES    AGE    VERSION   INTERNAL-IP\n"
    rows = "old-box  NotReady   <none>   288d   v1.27.5   10.2.0.9\nnew-box  {0}   <none>   9h     v1.27.5   {1}\n"
    (seen,) = sightings("two-names-one-address", header + rows.format("NotReady", "10.2.0.9"))
    assert (seen.node, seen.values["old"]) == ("new-box", "old-box")
    assert sightings("two-names-one-address", header + rows.format("Ready   ", "10.2.0.10")) == []


def test_fewer_records_than_machines():
    running = pods(
        *(f"calico-node-aaaa{number} 1/1 Running 0 3d 10.2.0.1{number} maple-{number}" for number in range(4))
    )
    listed = "$ calicoctl get nodes -o wide\nNAME      ASN       IPV4           IPV6\nmaple-0   (64512)   10.2.0.10/24\nmaple-1   (64512)   10.2.0.11/24\n"
    (seen,) = sightings("fewer-calico-nodes-than-machines", running + listed)
    assert seen.values == {"known": "2", "machines": "4"}
    assert sightings("fewer-calico-nodes-than-machines", listed) == []


def test_a_machine_whose_address_another_record_holds_gets_none_of_its_own():
    running = pods(*(f"calico-node-2bs6{n} 1/1 Running 0 90d 10.71.0.1{min(n, 2)} maple-{n}" for n in (1, 2, 3)))
    listed = "\n[root@bastion ~]# calicoctl get nodes -o wide\n" + table(
        "NAME ASN IPV4 IPV6", "maple-1 (64512) 10.71.0.11/24 ~", "maple-2 (64512) 10.71.0.12/24 ~"
    )
    assert sightings("fewer-calico-nodes-than-machines", running + listed) == []


def test_a_name_that_no_node_has():
    text = nodes("maple-1 Ready 10.71.0.11", "maple-2 Ready 10.71.0.12") + READ.format("maple-2", "template-vm")
    (seen,) = sightings("nodename-unknown", text)
    assert (seen.node, seen.values["name"]) == ("maple-2", "template-vm")


def test_the_name_of_a_node_or_of_a_machine_that_is_none():
    text = nodes("maple-1 Ready 10.71.0.11", "maple-2 Ready 10.71.0.12")
    assert sightings("nodename-unknown", text + READ.format("maple-2", "maple-2")) == []
    assert sightings("nodename-unknown", text + READ.format("bastion", "template-vm")) == []
    assert sightings("nodename-unknown", READ.format("maple-2", "template-vm")) == []
