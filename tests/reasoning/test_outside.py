"""What is broken and not Calico's is listed with its line, and is never a finding."""

from __future__ import annotations

import pytest

from calivet.reasoning.outside import MOST, list_outside
from tests.facts.drawing import nodes, picture_of, pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, sign

KNOWN = catalogue(cause("fault", sign("gone", "proof", pattern="frobnicator is gone"), leads_to=[]))
GOOD = nodes("birch-1 Ready 10.71.0.11") + pods("calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1")
ROOT = "[root@bastion ~]# "


def told(text):
    return [one.what.en for one in list_outside(picture_of(text), [])]


def pod(row):
    return pods(f"{row} 9d 10.244.1.7 birch-1", namespace="shop")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (pod("db-0 0/1 OOMKilled 14"), "pod shop/db-0 was killed for lack of memory (OOMKilled), 14 restarts"),
        (pod("db-0 0/1 CrashLoopBackOff 3"), "pod shop/db-0 keeps crashing, 3 restarts"),
        (pod("db-0 0/1 CrashLoopBackOff 1"), "pod shop/db-0 keeps crashing, 1 restart"),
        (
            f"{ROOT}kubectl logs db-0\npanic: runtime error: invalid memory address or nil pointer dereference\n",
            "an application panics: runtime error: invalid memory address or nil pointer dereference",
        ),
        (pod("db-0 0/1 ImagePullBackOff 0"), "pod shop/db-0 cannot get its image"),
        (pod("db-0 0/1 Evicted 0"), "pod shop/db-0 was evicted"),
        (
            f'{ROOT}kubectl apply -f a.yaml\nError from server: failed calling webhook "v.guard.example": timeout\n',
            "the webhook v.guard.example does not answer",
        ),
        (
            f'{ROOT}kubectl -n shop describe rs api\nError creating: pods "api-": exceeded quota: team-a, used: 2\n',
            "the quota team-a is used up",
        ),
        (
            f'{ROOT}kubectl -n lab logs dns-0\n[FATAL] plugin/loop: Loop (127.0.0.1:4 -> :53) detected for zone "."\n',
            "CoreDNS forwards to itself (its loop plugin stops it)",
        ),
        (f"{ROOT}curl https://shop.example\ncurl: (60) SSL: certificate has expired\n", "a certificate has expired"),
        ("node green-4 has been powered off for a memory exchange\n", "green-4 is powered off"),
    ],
)
def test_each_kind_is_told(text, what):
    assert told(GOOD + text) == [what]


def test_each_comes_with_its_line_and_in_both_languages():
    (one,) = list_outside(picture_of(GOOD + pod("db-0 0/1 OOMKilled 14")), [])
    assert one.line.text.startswith("db-0")
    assert one.what.zh == "Pod shop/db-0 因内存不足被杀（OOMKilled），重启 14 次"


@pytest.mark.parametrize(
    "text",
    [
        "",
        pods("calico-node-7tq4n 0/1 CrashLoopBackOff 9 9d 10.71.0.12 birch-2"),
        pods("calico-typha-6d7c9f9d5b-rrxm6 0/1 ImagePullBackOff 0 9d <none> <none>"),
        pod("web-0 0/1 ContainerCreating 0"),
        f"{ROOT}kubectl -n kube-system logs calico-node-2bs6x\npanic: runtime error: index out of range\n",
        f'{ROOT}kubectl get events\n1m Warning Failed pod/x Failed to pull image "calico/node:v3.28.1": not found\n',
        "Jan 02 10:00:00 birch-1 kubelet[8]: E0102 x509: certificate has expired or is not yet valid\n",
    ],
)
def test_what_is_calicos_or_follows_from_the_network_is_not_told(text):
    assert told(GOOD + text) == []


def test_beside_a_finding_a_crash_may_be_its_consequence():
    text = GOOD + pod("db-0 0/1 CrashLoopBackOff 3") + pod("img-0 0/1 ErrImagePull 0")
    fault = "[root@birch-1 ~]# dmesg\nkernel: frobnicator is gone\n"
    assert len(diagnosed(KNOWN, text).outside) == 2
    found = diagnosed(KNOWN, text + fault)
    assert found.findings
    assert [one.what.en for one in found.outside] == ["pod shop/img-0 cannot get its image"]


def test_it_is_never_a_finding():
    found = diagnosed(KNOWN, GOOD + pod("db-0 0/1 OOMKilled 14"))
    assert (found.verdict, found.findings, len(found.outside)) == ("healthy", [], 1)


def test_not_more_than_anybody_reads():
    rows = [f"db-{number} 0/1 Evicted 0 9d 10.244.1.7 birch-1" for number in range(3 * MOST)]
    assert len(told(GOOD + pods(*rows, namespace="shop"))) == MOST
