from calivet.facts.calico import CniConfig
from calivet.facts.host import File
from calivet.facts.kubernetes import Condition
from calivet.signs.install.cni_files import SIGNS
from tests.signs.made_pictures import line, output, picture, pod


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def config(*names, host="wk-1"):
    return [File(at=line(name), host=host, path=f"/etc/cni/net.d/{name}", exists=True) for name in names]


def test_the_first_file_by_name_is_the_one_in_use():
    (found,) = seen("other-cni-file-first", *config("10-calico.conflist", "05-cilium.conflist", "calico-kubeconfig"))
    assert found.values == {"file": "05-cilium.conflist", "folder": "/etc/cni/net.d", "own_file": "10-calico.conflist"}
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
    files, shown = listing("ls /opt/cni/bin", "bandwidth", "cilium-cni", "loopback")
    assert not seen("cni-programs-absent", *files, artifacts=shown), "the network is another one"
    files, shown = listing("ls /opt/cni/bin", "bandwidth", "flannel", "loopback")
    assert seen("cni-programs-absent", *files, artifacts=shown), "flannel's plugin came with the others"
    files, shown = listing("ls /opt/cni/bin", "bandwidth", "calico", "calico-ipam", "loopback", "portmap")
    assert not seen("cni-programs-absent", *files, artifacts=shown)


def test_a_node_without_network_whose_calico_node_is_ready():
    ready = pod("calico-node-t7w2p", node="wk-1", status="Running", ready=1, containers=1)
    words = "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady"
    condition = Condition(at=line(), kind="node", object="wk-1", type="Ready", status="False", message=words)
    assert seen("no-network-though-calico-ready", ready, condition)
    waiting = pod("calico-node-t7w2p", node="wk-1", status="Init:0/3", ready=0, containers=1)
    assert not seen("no-network-though-calico-ready", waiting, condition)


def test_a_listing_among_other_output_and_a_configuration_of_another_plugin():
    mixed = output(
        'minikube ssh "ls /etc/cni/net.d; ip -br link"', "1-k8s.conflist\n10-calico.conflist\nbridge  UP  <UP>"
    )
    (found,) = seen("other-cni-file-first", artifacts=[mixed])
    assert found.values == {"file": "1-k8s.conflist", "folder": "/etc/cni/net.d", "own_file": "10-calico.conflist"}
    bridge = CniConfig(at=line(), name="bridge", plugins=("bridge", "portmap"))
    (found,) = seen("cni-config-of-other-plugin", bridge)
    assert found.values == {"name": "bridge", "plugins": "bridge, portmap"}
    assert not seen("cni-config-of-other-plugin", CniConfig(at=line(), plugins=("calico", "portmap")))


def test_no_interface_of_calico():
    assert seen("no-cali-interfaces", artifacts=[output("ip -br link | grep -c ^cali", "0", "wk-1")])
    assert not seen("no-cali-interfaces", artifacts=[output("ip -br link | grep -c ^cali", "12", "wk-1")])
    assert not seen("no-cali-interfaces", artifacts=[output("ip -br link | grep -c ^eni", "0", "wk-1")])
