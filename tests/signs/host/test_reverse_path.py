"""rp_filter, which Felix of older versions wants to be strict."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

IMAGE = "$ kubectl get ds calico-node -o yaml | grep image:\n        image: calico/node:{0}\n"
ASK = "[root@{0} ~]# sysctl net.ipv4.conf.all.rp_filter\nnet.ipv4.conf.all.rp_filter = {1}\n"
SICK = pods(
    "calico-node-k2k2k 0/1 CrashLoopBackOff 12 1h 10.4.4.9 heath-2",
    "calico-node-m3m3m 1/1 Running 0 1h 10.4.4.8 heath-1",
)
OLD_LOG = "$ kubectl logs calico-node-k2k2k | grep WARN\n2020-03-04 05:06:07.402 [WARNING][802] int_dataplane.go 354: Failed to query VXLAN device\n"
NEW_LOG = OLD_LOG.replace("int_dataplane.go", "felix/int_dataplane.go")
LOOSE = ASK.format("heath-2", 2)


def test_loose_with_a_calico_that_refuses_it():
    (seen,) = sightings("loose-rp-filter-on-old-calico", IMAGE.format("v3.10.2") + LOOSE)
    assert (seen.node, seen.values["version"]) == ("heath-2", "v3.10.2")


def test_the_form_of_the_log_tells_an_old_calico():
    (seen,) = sightings("loose-rp-filter-on-old-calico", OLD_LOG + LOOSE)
    assert seen.values["version"] == "≤3.13"
    assert sightings("loose-rp-filter-on-old-calico", NEW_LOG + LOOSE) == []


def test_loose_with_a_calico_that_does_not_care():
    assert sightings("loose-rp-filter-on-old-calico", IMAGE.format("v3.20.0") + LOOSE) == []
    assert sightings("loose-rp-filter-on-old-calico", IMAGE.format("v3.12.1") + OLD_LOG + LOOSE) == []


def test_loose_on_the_sick_machine_only():
    (seen,) = sightings("loose-rp-filter-where-sick-only", SICK + OLD_LOG + LOOSE + ASK.format("heath-1", 1))
    assert (seen.node, seen.values["well"]) == ("heath-2", "heath-1")


@pytest.mark.parametrize("others", [ASK.format("heath-1", 2), "", ASK.format("heath-9", 1)])
def test_loose_where_all_is_well_too_or_where_nobody_looked(others):
    assert sightings("loose-rp-filter-where-sick-only", SICK + OLD_LOG + LOOSE + others) == []


def test_two_machines_in_a_diff():
    text = "[root@bastion ~]# diff heath-1.txt heath-2.txt\n7c7\n< net.ipv4.conf.all.rp_filter = 0\n---\n> net.ipv4.conf.all.rp_filter = 2\n"
    (seen,) = sightings("loose-rp-filter-where-sick-only", SICK + OLD_LOG + text)
    assert (seen.node, seen.values["value"]) == ("heath-2", "0")
    assert [one.node for one in sightings("rp-filter-not-loose", SICK + text)] == ["heath-1"]


def test_what_was_set_by_hand_is_not_what_was_found():
    assert [one.node for one in sightings("rp-filter-not-loose", ASK.format("heath-1", 1))] == ["heath-1"]
    cure = "[root@heath-2 ~]# sysctl -w net.ipv4.conf.all.rp_filter=1\nnet.ipv4.conf.all.rp_filter = 1\n"
    assert sightings("rp-filter-not-loose", cure) == []
