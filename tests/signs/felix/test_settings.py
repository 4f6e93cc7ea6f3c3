import pytest

from calivet.facts.calico import Pool
from calivet.facts.fact import Setting, Variable
from calivet.facts.kubernetes import Node
from calivet.signs.felix.settings import SIGNS
from tests.signs.made_pictures import line, picture, pod, thing

PROXY = pod("kube-proxy-x1x2x", namespace="kube-system", status="Running", ready=1, containers=1)


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


@pytest.mark.parametrize(("prefix", "told"), [("tap", True), ("cali,tap", False), ("cali", False), ("cal", False)])
def test_felix_must_know_the_plugins_interfaces(prefix, told):
    assert (
        bool(seen("pod-interfaces-unknown-to-felix", thing("FelixConfiguration", spec__interfacePrefix=prefix))) is told
    )


def test_another_networks_plugin_names_its_interfaces_otherwise():
    agent = pod("aws-node-a1b2c", namespace="kube-system", status="Running", ready=1, containers=1)
    settings = thing("FelixConfiguration", spec__interfacePrefix="eni")
    assert not seen("pod-interfaces-unknown-to-felix", agent, settings)


def test_felix_and_kube_proxy_undo_each_other():
    on = thing("FelixConfiguration", spec__bpfEnabled=True)
    assert seen("kube-proxy-beside-bpf", on, PROXY)
    assert not seen("kube-proxy-beside-bpf", on)
    spared = thing("FelixConfiguration", spec__bpfEnabled=True, spec__bpfKubeProxyIptablesCleanupEnabled=False)
    assert not seen("kube-proxy-beside-bpf", spared, PROXY)
    other = Setting(at=line(), program="kube-proxy", key="mode", value="ipvs")
    assert not seen("kube-proxy-beside-bpf", on, PROXY, other)


@pytest.mark.parametrize(
    ("asked", "enabled", "told"), [("BPF", False, True), ("BPF", True, False), ("Iptables", True, True)]
)
def test_the_operator_and_felix_are_told_the_same(asked, enabled, told):
    wanted = thing("Installation", spec__calicoNetwork__linuxDataplane=asked)
    settings = thing("FelixConfiguration", spec__bpfEnabled=enabled)
    assert bool(seen("dataplane-of-installation-differs", wanted, settings)) is told


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("Debian GNU/Linux 12 (bookworm)", True),
        ("Rocky Linux 9.4 (Blue Onyx)", True),
        ("Ubuntu 20.04.6 LTS", False),
        ("CentOS Linux 7 (Core)", False),
    ],
)
def test_the_legacy_tables_on_a_system_of_nft(system, told):
    settings = thing("FelixConfiguration", spec__iptablesBackend="Legacy")
    node = Node(at=line(), name="n1", os=system)
    assert bool(seen("legacy-backend-on-nft-system", settings, node)) is told
    assert not seen("legacy-backend-on-nft-system", thing("FelixConfiguration", spec__iptablesBackend="Auto"), node)


def test_a_tunnel_that_felix_is_told_not_to_have():
    from calivet.signs.felix.dataplane import SIGNS as DATAPLANE

    pool = Pool(at=line(), cidr="10.7.0.0/16", name="main", ipip="Always", vxlan="Never")
    off = thing("FelixConfiguration", spec__ipipEnabled=False)
    sign = DATAPLANE["tunnel-of-pool-switched-off"]
    assert [one.node for one in sign(picture(pool, off))] == [None]
    # The environment goes before it.
    assert not list(sign(picture(pool, off, Variable(at=line(), name="FELIX_IPINIPENABLED", value="true"))))
    own = thing("FelixConfiguration", "node.n1", spec__ipipEnabled=False)
    (found,) = sign(picture(pool, own, Node(at=line(), name="n1")))
    assert found.node == "n1"
