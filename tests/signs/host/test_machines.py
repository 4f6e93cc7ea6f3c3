"""What a machine is, against what is asked of it."""

from __future__ import annotations

import pytest

from calivet.facts.host import KernelModule
from calivet.facts.kubernetes import Container, Node, Pod
from calivet.signs.host.kernel import SIGNS
from tests.facts.drawing import sightings
from tests.signs.made_pictures import line, picture, pod, thing

BPF = thing("FelixConfiguration", spec__bpfEnabled=True)
GUARD = thing("FelixConfiguration", spec__wireguardEnabled="true")


def node(kernel: str) -> Node:
    return Node(at=line(kernel), name="hazel-1", kernel=kernel)


def seen(sign: str, *facts):
    return [sighting.values for sighting in SIGNS[sign](picture(*facts))]


@pytest.mark.parametrize(
    ("asked", "kernel", "mode"),
    [
        (BPF, "3.10.0-1160.el7.x86_64", "eBPF"),
        (BPF, "4.18.0-147.el8", "eBPF"),
        (GUARD, "5.4.0-42-generic", "WireGuard"),
    ],
)
def test_a_kernel_below_the_need(asked, kernel, mode):
    (values,) = seen("kernel-below-need", asked, node(kernel))
    assert (values["have"], values["mode"]) == (kernel, mode)


@pytest.mark.parametrize("kernel", ["5.15.0-91-generic", "4.18.0-348.el8.x86_64"])
def test_a_kernel_that_will_do(kernel):
    assert seen("kernel-below-need", BPF, node(kernel)) == []


def test_an_old_kernel_of_which_nothing_is_asked():
    assert seen("kernel-below-need", node("3.10.0-1160.el7.x86_64")) == []


def test_a_column_of_kernels_and_a_program_that_speaks_of_the_mode():
    text = """
$ kubectl get nodes -o custom-columns=NAME:.metadata.name,KERNEL:.status.nodeInfo.kernelVersion
NAME      KERNEL
hazel-1   5.14.0-284.el9.x86_64
hazel-2   4.19.0-12-amd64
$ kubectl logs -n calico-system calico-node-k2k2k --tail=1
2024-05-06 07:08:09.101 [PANIC][66] felix/table.go 650: Failed to program nftables, giving up after retries
"""
    (sighting,) = sightings("kernel-below-need", text)
    assert (sighting.node, sighting.values["mode"]) == ("hazel-2", "nftables")


def test_new_enough_for_anything():
    assert seen("kernel-new-enough", node("6.1.0-13-amd64")) == [{"have": "6.1.0-13-amd64"}]
    assert seen("kernel-new-enough", node("6.1.0-13-amd64"), node("4.19.0-1")) == []


def test_a_module_that_is_missed():
    absent = KernelModule(at=line(), name="ip_set", loaded=False)
    assert seen("needed-module-absent", absent) == [{"module": "ip_set"}]
    assert seen("needed-module-absent", KernelModule(at=line(), name="zfs", loaded=False)) == []
    assert seen("needed-module-absent", absent, KernelModule(at=line(), name="ip_set", loaded=True)) == []


def test_checksystem_names_it():
    text = "[root@hazel-1 ~]# calicoctl node checksystem\nChecking kernel modules...\n\t\txt_set              \t\t\t\t\tFAIL\n"
    (sighting,) = sightings("needed-module-absent", text)
    assert sighting.values == {"module": "xt_set"}


@pytest.mark.parametrize(("arch", "differs"), [("arm64", True), ("amd64", False)])
def test_an_image_of_another_architecture(arch, differs):
    facts = (
        Node(at=line(), name="hazel-1", arch=arch),
        Pod(at=line(), name="calico-node-k2k2k", node="hazel-1"),
        Container(
            at=line(), name="calico-node", pod="calico-node-k2k2k", image="mirror.example.org/calico/node-amd64:v3.8.2"
        ),
    )
    assert bool(seen("image-architecture-differs", *facts)) is differs


@pytest.mark.parametrize(("arch", "damaged"), [("amd64", True), ("arm64", False)])
def test_a_format_error_where_the_architecture_fits(arch, damaged):
    text = f"""$ kubectl get nodes -L kubernetes.io/arch
NAME      STATUS   ROLES    AGE   VERSION   ARCH
hazel-1   Ready    <none>   9d    v1.29.4   {arch}
hazel-2   Ready    <none>   9d    v1.29.4   amd64
$ kubectl get pods -n calico-system -o wide
NAME                READY   STATUS             RESTARTS   AGE   IP         NODE      NOMINATED NODE   READINESS GATES
calico-node-k2k2k   0/1     CrashLoopBackOff   9          9d    10.4.0.1   hazel-1   <none>           <none>
calico-node-m4m4m   1/1     Running            0          9d    10.4.0.2   hazel-2   <none>           <none>
$ kubectl logs -n calico-system calico-node-k2k2k
exec /usr/sbin/start_runit: exec format error
"""
    assert [one.node for one in sightings("format-unknown-though-it-fits", text)] == ["hazel-1"] * damaged


@pytest.mark.parametrize(
    ("code", "elsewhere", "damaged"), [(139, "Running", True), (1, "Running", False), (139, "Error", False)]
)
def test_a_program_that_crashes_on_one_node_alone(code, elsewhere, damaged):
    facts = (
        pod("calico-node-k2k2k", node="hazel-1", status="Init:CrashLoopBackOff", ready=0, containers=1),
        pod("calico-node-m4m4m", node="hazel-2", status=elsewhere, ready=int(elsewhere == "Running"), containers=1),
        Container(at=line(), name="install-cni", pod="calico-node-k2k2k", last_exit_code=code, restarts=4),
    )
    assert bool(seen("program-crashes-here-alone", *facts)) is damaged
