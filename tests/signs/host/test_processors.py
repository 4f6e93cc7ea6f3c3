"""A processor against what the images were built for."""

from __future__ import annotations

import pytest

from tests.facts.drawing import pods, sightings

HEAD = (
    "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 ht syscall nx lm"
)
KVM64 = f"{HEAD} rep_good nopl xtopology cpuid tsc_known_freq pni cx16 x2apic hypervisor pti"
PENRYN = f"{HEAD} constant_tsc pni dtes64 monitor ds_cpl vmx est tm2 ssse3 cx16 xtpr pdcm sse4_1 lahf_lm tpr_shadow"
SECOND = f"{HEAD} constant_tsc pni ssse3 cx16 sse4_1 sse4_2 x2apic popcnt aes hypervisor lahf_lm pti"
SICK = pods(
    "calico-node-k2k2k 0/1 Init:CrashLoopBackOff 12 1h 10.4.4.9 attic-1",
    "calico-node-m3m3m 1/1 Running 0 1h 10.4.4.8 attic-2",
)
LOADER = """
Subdirectories of glibc-hwcaps directories, in priority order:
  x86-64-v4
  x86-64-v3{}
  x86-64-v2{}
"""


def missing(text: str) -> list[tuple[str | None, str]]:
    return [(one.node, one.values["missing"]) for one in sightings("cpu-below-second-level", text)]


@pytest.mark.parametrize(
    "shown",
    [
        "[root@attic-1 ~]# lscpu\nArchitecture:  x86_64\nFlags:         {}\n",
        "[root@attic-1 ~]# lscpu\n架构：          x86_64\n标记：          {}\n",
        "attic-1$ lscpu | grep Flags\n  Flags:                 {}\n",
        "[root@attic-1 ~]# grep -m1 flags /proc/cpuinfo\nflags\t\t: {}\n",
        "$ ansible all -a 'grep -m1 flags /proc/cpuinfo'\nattic-1 | CHANGED | rc=0 >>\nflags\t\t: {}\n",
    ],
)
def test_a_cpu_of_the_first_level(shown):
    assert missing(shown.format(KVM64)) == [("attic-1", "lahf_lm, popcnt, sse4_1, sse4_2, ssse3")]
    assert missing(shown.format(PENRYN)) == [("attic-1", "popcnt, sse4_2")]
    assert missing(shown.format(SECOND)) == []


def test_a_list_that_is_cut_off_proves_nothing():
    cut = "[root@attic-1 ~]# lscpu | grep Flags | cut -c1-170\nFlags:   {}\n"
    assert missing(cut.format(f"{HEAD} constant_tsc rep_goo")) == []
    assert missing(cut.format(SECOND[:-40])) == []


def test_a_list_that_the_terminal_wrapped():
    words = SECOND.split()
    wrapped = " ".join(words[:20]) + "\n" + " ".join(words[20:])
    assert missing(f"[root@attic-1 ~]# lscpu\nFlags:  {wrapped}\nL1d cache:  32K\n") == []


def test_another_family_of_processors():
    assert missing("[root@attic-1 ~]# lscpu\nArchitecture:  aarch64\nFlags:         fp asimd evtstrm aes\n") == []


def test_what_the_loader_supports():
    asked = "[root@attic-1 ~]# /lib64/ld-linux-x86-64.so.2 --help | tail -n 4"
    (seen,) = sightings("loader-below-second-level", asked + LOADER.format("", ""))
    assert seen.node == "attic-1"
    assert sightings("loader-below-second-level", asked + LOADER.format("", " (supported, searched)")) == []


IMAGE = """
$ kubectl -n kube-system get ds calico-node -o wide
NAME          DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR   AGE   CONTAINERS    IMAGES                          SELECTOR
calico-node   2         2         1       2            1           <none>          1h    calico-node   quay.io/calico/node:{}   k8s-app=calico-node
[root@{} ~]# lscpu
Flags:  {}
"""


def test_new_images_on_an_old_machine():
    (seen,) = sightings("old-cpu-under-new-images", SICK + IMAGE.format("v3.31.1", "attic-1", KVM64))
    assert (seen.node, seen.values["version"]) == ("attic-1", "v3.31.1")


@pytest.mark.parametrize(
    "given", [("v3.29.4", "attic-1", KVM64), ("v3.31.1", "attic-2", KVM64), ("v3.31.1", "attic-1", SECOND)]
)
def test_old_images_a_healthy_node_or_a_newer_machine(given):
    assert sightings("old-cpu-under-new-images", SICK + IMAGE.format(*given)) == []


def test_a_program_that_runs_is_not_one_that_cannot():
    running = SICK.replace("Init:CrashLoopBackOff", "Running              ")
    assert sightings("old-cpu-under-new-images", running + IMAGE.format("v3.31.1", "attic-1", KVM64)) == []


def test_images_that_only_their_names_tell():
    text = "$ kubectl get ds -A -o jsonpath='{..image}'\nquay.io/calico/node:v3.31.0 quay.io/calico/cni:v3.31.0\n[root@attic-1 ~]# lscpu\nFlags:  "
    assert sightings("old-cpu-under-new-images", f"{SICK}{text}{KVM64}\n")


DESCRIBED = """
$ kubectl -n kube-system describe pod calico-node-k2k2k
Name:             calico-node-k2k2k
Namespace:        kube-system
Node:             attic-1/10.4.4.9
Init Containers:
  install-cni:
    Image:          quay.io/calico/cni:v3.31.1
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    {}
      Started:      Mon, 03 Nov 2025 08:41:19 +0100
      Finished:     Mon, 03 Nov 2025 08:41:{} +0100
"""


def test_a_program_that_the_loader_ends():
    (seen,) = sightings("calico-not-loaded", DESCRIBED.format(127, 19))
    assert (seen.node, seen.values["container"]) == ("attic-1", "install-cni")
    assert sightings("calico-not-loaded", DESCRIBED.format(127, 24)) == []
    assert sightings("calico-not-loaded", DESCRIBED.format(1, 19)) == []
