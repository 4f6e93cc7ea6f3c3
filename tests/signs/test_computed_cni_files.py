from calivet.facts.calico import Pool
from calivet.facts.host import File
from calivet.facts.kubernetes import Condition
from calivet.signs.computed.cni_files import SIGNS
from tests.signs.made_pictures import line, output, picture, pod


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def config(*names, host="wk-1"):
    return [File(at=line(name), host=host, path=f"/etc/cni/net.d/{name}", exists=True) for name in names]


def test_the_first_file_by_name_is_the_one_in_use():
    (found,) = seen("other-cni-file-first", *config("10-calico.conflist", "05-cilium.conflist", "calico-kubeconfig"))
    assert found.values == {"file": "05-cilium.conflist"}
    assert found.node == "wk-1"
    beside = config("10-calico.conflist", "87-podman-bridge.conflist")
    assert not seen("other-cni-file-first", *beside)
    assert [one.values["file"] for one in seen("other-cni-file-present", *beside)] == ["87-podman-bridge.conflist"]
    assert not seen("other-cni-file-present", *config("10-canal.conflist", "calico-kubeconfig"))


def test_files_of_different_hosts_are_not_mixed():
    files = [*config("10-calico.conflist"), *config("10-flannel.conflist", host="wk-2")]
    assert [one.node for one in seen("other-cni-file-first", *files)] == ["wk-2"]


def listing(command, *names, empty=False):
    shown = output(command, "\n".join(names) or "total 0", "wk-1", first=1)
    files = [File(at=shown.at(1), host="wk-1", path=f"/opt/cni/bin/{name}", exists=True) for name in names]
    if empty:
        files.append(File(at=shown.at(0), host="wk-1", path="/opt/cni/bin/*", exists=False))
    return files, [shown]


def test_missing_programs_are_told_from_a_whole_listing_only():
    files, shown = listing("ls /opt/cni/bin", "calico", "calico-ipam")
    (found,) = seen("cni-programs-absent", *files, artifacts=shown)
    assert found.values == {"folder": "/opt/cni/bin", "missing": "loopback, portmap"}
    files, shown = listing("ls /opt/cni/bin | grep calico", "calico", "calico-ipam")
    assert not seen("cni-programs-absent", *files, artifacts=shown)
    files, shown = listing("ls -la /opt/cni/bin", empty=True)
    assert seen("cni-programs-absent", *files, artifacts=shown)
    files, shown = listing("ls /opt/cni/bin", "bandwidth", "calico", "calico-ipam", "loopback", "portmap")
    assert not seen("cni-programs-absent", *files, artifacts=shown)


def test_pods_outside_every_pool_and_on_a_known_bridge():
    pool = Pool(at=line(), cidr="10.66.0.0/16")
    lost = pod("coredns-5f7d8b9c6d-q2k4t", ip="10.88.0.9", node="cp-1", status="Running")
    good = pod("web-1", ip="10.66.3.4", node="cp-1", status="Running")
    host = pod("calico-node-t7w2p", ip="172.21.4.7", node="cp-1", status="Running")
    beside = pod("node-exporter-1", ip="172.21.4.7", node="cp-1", status="Running")
    facts = (pool, lost, good, host, beside)
    (found,) = seen("pod-address-outside-pools", *facts)
    assert found.values["pod"] == "coredns-5f7d8b9c6d-q2k4t"
    (found,) = seen("pod-address-of-other-bridge", *facts)
    assert found.values["bridge"] == "podman"
    assert not seen("pod-address-outside-pools", lost)
    assert not seen("pod-address-of-other-bridge", lost)
    assert not seen("pod-address-of-other-bridge", Pool(at=line(), cidr="10.88.0.0/16"), lost)


def test_a_node_without_network_whose_calico_node_is_ready():
    ready = pod("calico-node-t7w2p", node="wk-1", status="Running", ready=1, containers=1)
    words = "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady"
    condition = Condition(at=line(), kind="node", object="wk-1", type="Ready", status="False", message=words)
    assert seen("no-network-though-calico-ready", ready, condition)
    waiting = pod("calico-node-t7w2p", node="wk-1", status="Init:0/3", ready=0, containers=1)
    assert not seen("no-network-though-calico-ready", waiting, condition)
