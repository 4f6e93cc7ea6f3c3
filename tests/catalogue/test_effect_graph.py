"""What follows from what: links that were missing once, and links that were wrong."""

from __future__ import annotations

import pytest

from calivet.reasoning.graph import find_absent_edges
from tests.facts.drawing import picture_of
from tests.shipped import load_shipped_catalogue

KNOWN = load_shipped_catalogue()
FOLLOWS = {
    "disk-full": ["etcd-unhealthy"],
    "host-endpoint-policy": ["api-unreachable"],
    "image-pull-failed": ["controllers-failing"],
    "ip-pool-cidr-overlap": ["bgp-down", "typha-unreachable"],
    "network-policy-blocks": ["dns-waiting", "controllers-failing"],
    "node-overload": ["etcd-unhealthy", "bgp-flapping"],
    "readonly-filesystem": ["etcd-unhealthy"],
    "route-conflict": ["typha-unreachable"],
    "selinux-or-apparmor-denied": ["iptables-restore-failed", "confd-failed"],
    "stale-node-record": ["ip-pool-exhausted"],
}
DOES_NOT_FOLLOW = {
    "clock-skew": ["tls-ca-mismatch"],
    "inotify-or-fd-limit": ["runtime-config-invalid"],
    "ipv6-host-mismatch": ["felix-panic"],
    "kernel-module-missing": ["felix-panic"],
}
POOL = """
$ kubectl get ippools.crd.projectcalico.org -o yaml
apiVersion: crd.projectcalico.org/v1
kind: IPPool
metadata:
  name: only
spec:
  cidr: 10.80.0.0/16
  {modes}
"""


@pytest.mark.parametrize("cause", FOLLOWS)
def test_what_follows(cause):
    assert [effect for effect in FOLLOWS[cause] if effect not in KNOWN.causes[cause].leads_to] == []


@pytest.mark.parametrize("cause", DOES_NOT_FOLLOW)
def test_what_does_not_follow(cause):
    assert [effect for effect in DOES_NOT_FOLLOW[cause] if effect in KNOWN.causes[cause].leads_to] == []


@pytest.mark.parametrize(
    ("modes", "lost"),
    [("ipipMode: Never\n  vxlanMode: Never", True), ("ipipMode: Never\n  vxlanMode: Always", False)],
    ids=["routes of BGP", "VXLAN"],
)
def test_traffic_is_lost_with_bgp_only_where_the_routes_are_its_own(modes, lost):
    absent = find_absent_edges(picture_of(POOL.format(modes=modes)))
    assert (("bgp-down", "traffic-lost") not in absent) is lost
