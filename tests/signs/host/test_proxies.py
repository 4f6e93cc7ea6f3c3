"""Addresses of the cluster that a proxy catches."""

from __future__ import annotations

import pytest

from calivet.signs.host.local_network import is_excepted
from tests.facts.drawing import sightings

FAILURE = """
$ kubectl describe pod web-1 | tail -1
  Warning  FailedCreatePodSandBox  2s  kubelet  error getting ClusterInformation: Get "https://10.96.0.1:443/apis": EOF
"""
ENVIRONMENT = """
[root@pine-2 ~]# env | grep -i proxy
https_proxy=http://proxy.example.org:3128
no_proxy={0}
"""


@pytest.mark.parametrize("exceptions", ["localhost,127.0.0.1", ".svc,.cluster.local,10.97.0.0/16", "10.*"])
def test_the_service_address_is_not_excepted(exceptions):
    (seen,) = sightings("proxy-catches-cluster", FAILURE + ENVIRONMENT.format(exceptions))
    assert (seen.node, seen.values) == ("pine-2", {"address": "10.96.0.1"})


@pytest.mark.parametrize("exceptions", ["10.96.0.0/12,localhost", "10.96.0.1", "*"])
def test_the_service_address_is_excepted(exceptions):
    assert sightings("proxy-catches-cluster", FAILURE + ENVIRONMENT.format(exceptions)) == []


def test_without_a_proxy_exceptions_do_not_matter():
    assert (
        sightings("proxy-catches-cluster", FAILURE + "\n[root@pine-2 ~]# env | grep -i proxy\nno_proxy=localhost\n")
        == []
    )


def test_exceptions_as_go_reads_them():
    assert is_excepted("10.96.0.1", "localhost, 10.0.0.0/8")
    assert not is_excepted("10.96.0.1", "")
    assert not is_excepted("10.96.0.1", "10.96.*,example.org")
