"""A change of encapsulation: which pairs of nodes are wrapped, who depends on routers, and whether packets fit."""

from __future__ import annotations

import pytest

from tests.forecast.cluster import DESK, Machine, evidence, resource, whatif


def machines(mtu="1500", pod_mtu=None):
    pods = (f"cali12ab34cd56e mtu={pod_mtu} fe80::1/64",) if pod_mtu else ()
    return [
        Machine(f"stork-{n}", f"10.{n // 2}.0.{n + 1}", f"10.{n // 2}.0.{n + 1}/24", (f"eth0 10.{n // 2}.0.{n + 1}/24 mtu={mtu}", *pods))
        for n in range(4)
    ]  # fmt: skip


def pool(**modes):
    return resource("IPPool", "cidr: 10.200.0.0/16\n" + "".join(f"{key}: {value}\n" for key, value in modes.items()))


def outcome(*changes, more="", of=None, **modes):
    return whatif(*changes, of=evidence(*(of or machines()), more=pool(**modes) + more))


IPIP = {"ipipMode": "Always", "vxlanMode": "Never"}
# Two nodes in each of two networks: two pairs inside a network, four across.
NEAR, FAR = 2, 4


@pytest.mark.parametrize(
    ("changes", "wrapped", "troubles"),
    [
        (["ipipMode=CrossSubnet"], FAR, ()),
        (["ipipMode=Always"], NEAR + FAR, ()),
        (["ipipMode=Never"], 0, ("needs-routers",)),
        (["ipipMode=Never", "vxlanMode=Always"], NEAR + FAR, ()),
        (["ipipMode=never", "vxlanMode=crosssubnet"], FAR, ()),
        (["vxlanMode=Always"], NEAR + FAR, ("both-modes",)),
    ],
)
def test_what_is_wrapped(changes, wrapped, troubles):
    (found,) = outcome(*changes, **IPIP).pools
    assert (found.near, found.far, found.wrapped) == (NEAR, FAR, wrapped)
    assert found.troubles == troubles


def test_the_verdict_follows():
    assert outcome("ipipMode=CrossSubnet", **IPIP).verdict == "fine"
    assert outcome("ipipMode=Never", **IPIP).verdict == "broken"


def test_routers_that_take_part_know_the_pods():
    router = resource("BGPPeer", "peerIP: 10.0.0.254\nasNumber: 64600", "router")
    assert outcome("ipipMode=Never", more=router, **IPIP).pools[0].troubles == ()


def test_without_bird_ipip_has_no_routes():
    backend = DESK + "kubectl -n kube-system exec calico-node-x2x4z -- env\nCALICO_NETWORKING_BACKEND=vxlan\n"
    found = outcome("ipipMode=Always", "vxlanMode=Never", more=backend, ipipMode="Never", vxlanMode="Always")
    assert found.pools[0].troubles == ("no-bird",)


def test_pools_that_were_not_seen_are_asked_for():
    found = whatif("ipipMode=Always", of=evidence(*machines()))
    assert (found.verdict, [one.what for one in found.missing]) == ("unclear", ["pools"])


def test_a_disabled_pool_is_none():
    found = outcome("ipipMode=Never", more=pool(ipipMode="Always", disabled="true"), ipipMode="Always", disabled="true")
    assert found.pools == []


def test_the_pools_of_an_installation_will_do():
    installed = resource(
        "Installation", "calicoNetwork:\n  ipPools:\n  - cidr: 10.200.0.0/16\n    encapsulation: VXLANCrossSubnet"
    )
    (found,) = whatif("vxlanMode=Always", of=evidence(*machines(), more=installed)).pools
    assert (found.before.vxlan, found.after.vxlan) == ("CrossSubnet", "Always")


class TestSizes:
    CONFIG = (
        "[root@stork-0 ~]# cat /etc/cni/net.d/10-calico.conflist\n"
        '{"name": "k8s-pod-network", "cniVersion": "0.3.1", "plugins": [{"type": "calico", "mtu": %s, "ipam": {"type": "calico-ipam"}}]}\n'
    )

    def test_a_size_that_is_written_down_and_does_not_fit(self):
        found = outcome("ipipMode=Never", "vxlanMode=Always", more=self.CONFIG % 1480, **IPIP)
        assert found.pools[0].troubles == ("too-large",)
        first = found.pools[0].too_large[0]
        assert (first.node, first.pod_mtu, first.card, first.card_mtu, first.fixed) == (
            "stork-0",
            1480,
            "eth0",
            1500,
            True,
        )

    @pytest.mark.parametrize("size", [0, 1450])
    def test_one_that_fits_or_is_left_to_calico(self, size):
        found = outcome("ipipMode=Never", "vxlanMode=Always", more=self.CONFIG % size, **IPIP)
        assert (found.pools[0].too_large, found.verdict) == ((), "fine")

    def test_running_pods_keep_theirs_which_breaks_nothing_that_a_restart_does_not_mend(self):
        found = outcome("ipipMode=Never", "vxlanMode=Always", of=machines(pod_mtu=1480), **IPIP)
        assert {(one.node, one.fixed) for one in found.pools[0].too_large} == {(f"stork-{n}", False) for n in range(4)}
        assert found.verdict == "fine"

    def test_jumbo_frames_have_room(self):
        found = outcome("ipipMode=Never", "vxlanMode=Always", of=machines("9000", 1500), **IPIP)
        assert found.pools[0].too_large == ()
