"""How the runtime answered calivet's own probe."""

from __future__ import annotations

import pytest

from tests.facts.drawing import sightings

HEAD = "# calivet-probe 1 host=birch-1 user={user} time=2024-05-06T07:08:09Z\n"
SECTION = "[{user}@birch-1 ~]# {command}\n{output}#= {end}\n"
NODE = """
[root@bastion ~]# kubectl get nodes -o wide
NAME      STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE   KERNEL-VERSION   CONTAINER-RUNTIME
birch-1   Ready    <none>   90d   v1.24.6   10.71.0.11    <none>        Debian     6.1.0            {}
"""
REFUSED = 'ctr: failed to dial "/run/containerd/containerd.sock": connection refused\n'


def probed(command, end, *, user="root", pace="0.01", output="", runtime="containerd://1.6.20"):
    quick = "".join(
        SECTION.format(user=user, command="uptime", output="", end=f"exit=0 seconds={pace}") for _ in range(7)
    )
    asked = SECTION.format(user=user, command=command, output=output, end=end)
    stream = f"{HEAD.format(user=user)}{quick}{asked}# calivet-probe end sections=8 seconds=2.0\n"
    return {"cluster.txt": NODE.format(runtime), "probes/birch-1.txt": stream}


def where(sign, files):
    return [(seen.node, seen.values["command"]) for seen in sightings(sign, files)]


@pytest.mark.parametrize("command", ["ctr version", "crictl info", "crictl ps -a"])
def test_no_answer_on_a_machine_that_is_quick_otherwise(command):
    assert where("runtime-silent", probed(command, "exit=124 seconds=5.00 timeout")) == [("birch-1", command)]


def test_no_answer_on_a_machine_where_everything_is_slow_may_be_the_machine():
    assert where("runtime-silent", probed("ctr version", "exit=124 seconds=5.00 timeout", pace="2.50")) == []


def test_another_command_that_hangs_is_not_the_runtime():
    assert where("runtime-silent", probed("df -h", "exit=124 seconds=5.00 timeout")) == []


def test_refused():
    assert where("runtime-refuses", probed("ctr version", "exit=1 seconds=0.02", output=REFUSED)) == [
        ("birch-1", "ctr version")
    ]
    assert where("runtime-silent", probed("ctr version", "exit=1 seconds=0.02", output=REFUSED)) == []


def test_who_may_not_ask_is_refused_by_the_kernel_not_by_the_runtime():
    assert where("runtime-refuses", probed("ctr version", "exit=1 seconds=0.02", user="ada")) == []


def test_an_idle_docker_beside_the_runtime_of_kubelet_is_no_fault():
    assert where("runtime-refuses", probed("docker version", "exit=1 seconds=0.02")) == []
    assert where("runtime-refuses", probed("docker version", "exit=1 seconds=0.02", runtime="docker://24.0.7"))


@pytest.mark.parametrize("end", ["exit=0 seconds=0.02", "absent ctr", "skipped the time of the whole run is over"])
def test_a_runtime_that_answers_or_was_not_asked(end):
    assert where("runtime-refuses", probed("ctr version", end)) == []
    assert where("runtime-silent", probed("ctr version", end)) == []
