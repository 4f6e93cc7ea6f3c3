"""How pools encapsulate, against what the platform carries."""

from __future__ import annotations

import pytest

from tests.facts.drawing import nodes, sightings

POOL = """
$ calicoctl get ippool -o wide
NAME      CIDR           NAT    IPIPMODE   VXLANMODE   DISABLED   SELECTOR
default   10.88.0.0/16   true   {0}   {1}   false      all()
"""
INSTALLATION = """
$ kubectl get installation default -o yaml
apiVersion: operator.tigera.io/v1
kind: Installation
metadata:
  name: default
spec:
  calicoNetwork:
    ipPools:
    - cidr: 10.88.0.0/16
      encapsulation: {0}
"""
AZURE = nodes("aks-pool1-10 Ready 10.240.97.4")
AMAZON = nodes("ip-10-1-0-4.eu-west-1.compute.internal Ready 10.1.0.4")
OWN = nodes("rack-4 Ready 10.1.0.4")


@pytest.mark.parametrize("text", [POOL.format("Always", "Never"), INSTALLATION.format("IPIP")])
def test_ip_in_ip_on_azure(text):
    (seen,) = sightings("ipip-on-azure", AZURE + text)
    assert seen.values["cidr"] == "10.88.0.0/16"
    assert sightings("ipip-on-azure", OWN + text) == []


def test_vxlan_passes_on_azure():
    assert sightings("ipip-on-azure", AZURE + POOL.format("Never", "Always")) == []


@pytest.mark.parametrize("text", [POOL.format("Never", "CrossSubnet"), INSTALLATION.format("VXLANCrossSubnet")])
def test_bare_packets_inside_a_subnet_of_a_cloud(text):
    assert len(sightings("unencapsulated-pool-in-cloud", AMAZON + text)) == 1
    assert sightings("unencapsulated-pool-in-cloud", OWN + text) == []
    assert sightings("pools-always-encapsulated", text) == []


def test_always_encapsulated():
    assert len(sightings("pools-always-encapsulated", POOL.format("Always", "Never"))) == 1


def test_without_vxlan():
    assert len(sightings("pools-without-vxlan", POOL.format("Always", "Never"))) == 1
    assert sightings("pools-without-vxlan", INSTALLATION.format("VXLAN")) == []
    assert sightings("pools-without-vxlan", "no pool was shown") == []
