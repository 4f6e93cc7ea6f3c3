import pytest

from calivet.facts.calico import LogSpan, Pool
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Container
from calivet.signs.felix.dataplane import SIGNS
from tests.facts.drawing import sightings
from tests.signs.made_pictures import line, note, picture, pod, thing

MOUNT_FAILED = LogSpan(
    at=line(),
    program="init-best-effort",
    pod="calico-node-ab1cd",
    container="mount-bpffs",
    worst="ERROR",
    last_message="Failed to mount cgroup2 filesystem. error=exit status 1",
)


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def test_the_data_plane_that_is_asked_for():
    assert seen("bpf-mode-on", Variable(at=line(), name="FELIX_BPFENABLED", value="true"))
    assert seen("bpf-mode-on", thing("Installation", spec__calicoNetwork__linuxDataplane="BPF"))
    assert seen("bpf-mode-off", thing("Installation", spec__calicoNetwork__linuxDataplane="Iptables"))
    assert seen("bpf-mode-off", thing("FelixConfiguration", spec__bpfEnabled=False))
    assert not seen("bpf-mode-off", thing("FelixConfiguration", spec__bpfLogLevel=""))


def test_the_init_container_that_prepares_it():
    assert seen(
        "bpf-init-container-failing", Container(at=line(), name="mount-bpffs", pod="x", init=True, reason="Error")
    )
    stuck = pod("calico-node-ab1cd", node="wk-1", status="Init:CrashLoopBackOff")
    (found,) = seen("bpf-init-container-failing", stuck, MOUNT_FAILED)
    assert found.node == "wk-1"
    assert not seen("bpf-init-container-failing", MOUNT_FAILED)


def test_what_crashed_has_mounted_nothing_and_failed_at_nothing():
    crashed = Container(at=line(), name="ebpf-bootstrap", pod="x", init=True, reason="Error", exit_code=139)
    assert not seen("bpf-init-container-failing", crashed)


@pytest.mark.parametrize(
    "words",
    ["installed with calico-bpf.yaml", "we switched linuxDataplane: BPF on", "the eBPF data plane", "bpfEnabled: true"],
)
def test_failed_mounts_matter_where_ebpf_is_wanted(words):
    assert seen("bpf-preparation-failed", MOUNT_FAILED, artifacts=[note(words)])


def test_failed_mounts_are_harmless_elsewhere():
    assert not seen("bpf-preparation-failed", MOUNT_FAILED)
    off = thing("FelixConfiguration", spec__bpfEnabled=False)
    assert not seen("bpf-preparation-failed", MOUNT_FAILED, off, artifacts=[note("we thought about eBPF")])


def test_a_tunnel_that_a_pool_asks_for_is_switched_off():
    off = thing("FelixConfiguration", spec__ipipEnabled=False)
    (found,) = seen("tunnel-of-pool-switched-off", off, Pool(at=line(), cidr="10.1.0.0/16", ipip="CrossSubnet"))
    assert found.values == {"setting": "ipipEnabled", "tunnel": "IPIP", "cidr": "10.1.0.0/16"}
    assert not seen("tunnel-of-pool-switched-off", off, Pool(at=line(), cidr="10.1.0.0/16", vxlan="Always"))
    assert not seen(
        "tunnel-of-pool-switched-off", off, Pool(at=line(), cidr="10.1.0.0/16", ipip="Always", disabled=True)
    )


def test_the_line_that_is_quoted_is_the_one_that_is_told_of():
    """The log of an init container begins with lines that say nothing."""
    log = (
        "[root@wk-1 ~]# kubectl logs -n calico-system calico-node-ab1cd -c mount-bpffs\n"
        "2024-05-12 09:33:02.418 [INFO][1] init/startup.go 446: Early log level set to info\n"
        "2024-05-12 09:33:02.420 [ERROR][1] init/calico-init_linux.go 57: Failed to mount cgroup2 filesystem. error=no\n"
        "[root@wk-1 ~]# kubectl get felixconfiguration default -o yaml | grep bpf\n"
        "  bpfEnabled: true\n"
    )
    (found,) = sightings("bpf-preparation-failed", log)
    assert found.line.number == 3


def test_a_node_whose_vxlan_is_another_than_everybody_elses():
    pool = Pool(at=line(), cidr="10.1.0.0/16", vxlan="Always")
    usual = thing("FelixConfiguration", "default", spec__vxlanPort=8472)
    own = thing("FelixConfiguration", "node.wk-1", spec__vxlanPort=4790)
    (found,) = seen("vxlan-differs-on-node", pool, usual, own)
    assert found.values == {"setting": "vxlanPort", "own": "4790", "others": "8472"}
    assert not seen(
        "vxlan-differs-on-node", pool, usual, thing("FelixConfiguration", "node.wk-1", spec__vxlanPort=8472)
    )
    assert not seen("vxlan-differs-on-node", pool, usual)
    assert not seen("vxlan-differs-on-node", Pool(at=line(), cidr="10.1.0.0/16", ipip="Always"), usual, own)
    assert not seen("vxlan-differs-on-node", pool, thing("FelixConfiguration", "node.wk-1", spec__vxlanVNI=4096))
