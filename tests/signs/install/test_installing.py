from calivet.facts.host import File
from calivet.facts.kubernetes import Container, Event
from calivet.signs.install.cni_files import SIGNS
from tests.signs.made_pictures import line, output, picture, pod


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def container(name, **fields):
    return Container(at=line(name), name=name, pod="calico-node-ab1cd", init=True, **fields)


def test_upgrade_ipam_is_stuck_only_after_minutes():
    running = container("upgrade-ipam", state="running")
    old = pod("calico-node-ab1cd", node="wk-1", status="Init:0/3", age=1800.0)
    young = pod("calico-node-ab1cd", node="wk-1", status="Init:0/3", age=20.0)
    (found,) = seen("upgrade-ipam-still-running", running, old)
    assert found.node == "wk-1"
    assert not seen("upgrade-ipam-still-running", running, young)
    assert not seen("upgrade-ipam-still-running", container("install-cni", state="running"), old)
    started = Event(at=line(), reason="Started", message="Started container upgrade-ipam", age=2160.0)
    assert seen("upgrade-ipam-still-running", running, started)


def test_a_failing_flexvol_driver():
    assert seen("flexvol-container-failing", container("flexvol-driver", reason="CrashLoopBackOff"))
    assert seen("flexvol-container-failing", container("flexvol-driver", last_exit_code=2))
    assert not seen("flexvol-container-failing", container("flexvol-driver", reason="Completed", exit_code=0))


def test_the_nodename_file_on_the_host_matters_where_the_plugin_misses_it():
    shown = output("cat /var/lib/calico/nodename; echo", "wk-1", "wk-1")
    missed = output("journalctl -u kubelet", "cni.go: stat /var/lib/calico/nodename: no such file or directory: check")
    (found,) = seen("nodename-file-on-host", artifacts=[shown, missed])
    assert found.values == {"name": "wk-1"}
    assert not seen("nodename-file-on-host", artifacts=[shown])
    gone = output("cat /var/lib/calico/nodename", "cat: /var/lib/calico/nodename: No such file or directory", "wk-1")
    assert not seen("nodename-file-on-host", artifacts=[gone, missed])


def test_all_calico_nodes_ready():
    good = pod("calico-node-ab1cd", status="Running", ready=1, containers=1)
    bad = pod("calico-node-ef2gh", status="Running", ready=0, containers=1)
    assert seen("calico-nodes-all-ready", good)
    assert not seen("calico-nodes-all-ready", good, bad)
    assert not seen("calico-nodes-all-ready")


def test_the_listed_folder_lacks_the_file():
    folder = File(at=line(), host="wk-1", path="/var/lib/calico", exists=True)
    empty = File(at=line(), host="wk-1", path="/var/lib/calico/*", exists=False)
    name = File(at=line(), host="wk-1", path="/var/lib/calico/nodename", exists=True)
    assert seen("nodename-folder-empty", folder, empty)
    assert not seen("nodename-folder-empty", folder, name)
    assert not seen("nodename-folder-empty")
