"""Where no Calico is, calivet says so and names no fault."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, sign

KNOWN = catalogue(cause("fault", sign("gone", "proof", pattern="frobnicator is gone"), leads_to=[]))
FAULT = "[root@birch-1 ~]# dmesg\nkernel: the frobnicator is gone\n"
CILIUM = pods("cilium-8xkqz 1/1 Running 0 9d 10.71.0.11 birch-1")
CALICO = pods("calico-node-2bs6x 0/1 Running 0 9d 10.71.0.11 birch-1")


def test_another_network():
    found = diagnosed(KNOWN, FAULT + CILIUM)
    assert (found.verdict, found.reason, found.findings, found.candidates, found.next) == (
        "insufficient",
        "no-calico",
        [],
        [],
        [],
    )
    assert found.remark
    assert "Cilium" in found.remark.en


@pytest.mark.parametrize("text", [FAULT, FAULT + CILIUM + CALICO, FAULT + CALICO])
def test_calico_or_nothing_that_says_otherwise(text):
    assert diagnosed(KNOWN, text).verdict == "fault"


def test_much_of_a_machine_without_kubernetes():
    noise = "".join(f"systemd[1]: Started session {number} of user build.\n" for number in range(3_000))
    assert diagnosed(KNOWN, {"journal.txt": FAULT + noise}).reason == "no-calico"


def test_symptoms_without_a_cause():
    assert diagnosed(KNOWN, CALICO).reason == "symptoms-only"
    assert diagnosed(KNOWN, "calico was installed today\n").reason == "no-symptoms"


def test_several_commands_of_a_machine_that_never_speak_of_kubernetes_assert_nothing():
    machine = "[root@build7 ~]# uptime\n up 9 days\n[root@build7 ~]# docker ps\nnexus\n[root@build7 ~]# id\nroot\n"
    found = diagnosed(KNOWN, machine + FAULT.replace("birch-1", "build7"))
    assert (found.verdict, [one.cause.id for one in found.candidates]) == ("insufficient", ["fault"])
    assert diagnosed(KNOWN, machine + FAULT + CALICO).verdict == "fault"


@pytest.mark.parametrize(
    ("line", "network"),
    [
        ('failed to setup network for sandbox "ab": plugin type="azure-vnet" failed (add): SubnetFull', "Azure CNI"),
        ("10-kindnet.conflist", "kindnet"),
    ],
)
def test_a_plugin_that_is_no_leftover_where_nobody_speaks_of_calico(line, network):
    found = diagnosed(KNOWN, f"{FAULT}{line}\n")
    assert (found.reason, found.findings) == ("no-calico", [])
    assert found.remark
    assert network in found.remark.en
    assert diagnosed(KNOWN, f"{FAULT}{line}\n10-calico.conflist\n").reason != "no-calico"


def test_chains_of_calico_are_calico():
    listed = "365M  177G cali-FORWARD  all  --  *  *  0.0.0.0/0  0.0.0.0/0  /* cali:wUHhoiAYhphO9Mso */\n"
    assert diagnosed(KNOWN, FAULT + CILIUM + listed).reason != "no-calico"


def test_where_calico_is_named_in_passing_beside_another_network_nothing_is_asserted():
    shown = f"flannel 的 vtep 地址都一样。\n\n{FAULT}10.3.0.0/24 via 10.3.0.0 dev flannel.1 onlink\n"
    found = diagnosed(KNOWN, f"{shown}\n例如 calico 新版本也有 vxlan 模式。\n")
    assert (found.findings, [one.cause.id for one in found.candidates]) == ([], ["fault"])


def test_several_files_of_a_machine_that_never_speak_of_a_cluster():
    files = {"df.txt": "Filesystem Size Used Avail Use% Mounted on\n", "db.log": "the frobnicator is gone\n"}
    assert diagnosed(KNOWN, files).findings == []
    assert diagnosed(KNOWN, files).findings == diagnosed(KNOWN, files | {"kubelet.log": "kubelet starts\n"}).findings
    assert diagnosed(KNOWN, files | {"kubelet.log": "kubelet starts\nkernel: the frobnicator is gone\n"}).findings


BUILD = "".join(f"[2026-03-04T05:06:0{second}Z] step {second} of the build\n" for second in range(6))


@pytest.mark.parametrize(
    "text",
    [
        BUILD + "[2026-03-04T05:06:09Z] the frobnicator is gone\n",
        "flannel starts\n" * 4 + "the frobnicator is gone\n",
    ],
)
def test_what_no_program_of_a_node_says_has_no_owner(text):
    assert diagnosed(KNOWN, {"job.log": text}).findings == []


@pytest.mark.parametrize("more", ["kubelet[7]: started\n", "calico/node:v3.29.1\n"])
def test_a_node_or_calico_beside_it_owns_it(more):
    assert diagnosed(KNOWN, {"job.log": BUILD + "the frobnicator is gone\n" + more}).findings


def test_a_few_lines_are_what_somebody_asks_about():
    assert diagnosed(KNOWN, {"job.log": "the frobnicator is gone\n"}).findings


def test_the_network_that_a_log_is_called_after():
    found = diagnosed(KNOWN, {"flannel.log": BUILD + "kubelet: the frobnicator is gone\n"})
    assert (found.reason, found.findings) == ("no-calico", [])


def test_a_file_of_an_application_beside_others():
    quiet = {"orders.log": BUILD + "the frobnicator is gone\n", "pods.txt": CALICO.replace("0/1", "1/1")}
    assert diagnosed(KNOWN, quiet).findings == []
    assert diagnosed(KNOWN, quiet | {"orders.log": "kubelet[7]: the frobnicator is gone\n"}).findings
