"""A large cluster: who is at fault, of how many, and for whom the commands are."""

from __future__ import annotations

from functools import cache

from calivet.evidence.artifact import Document
from calivet.evidence.decoding.decode import decode
from calivet.evidence.gather import gather_documents
from calivet.messages.words import Words
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import Diagnosis
from calivet.reports.diagnosis.text import to_text
from calivet.reports.layout.terminal import Layout
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import nodes, pods

COUNT = 60
NAMES = [f"kw-{number:03}" for number in range(1, COUNT + 1)]
KINDS = "bcdfghjkmn"


def draw(state: str, *, well: frozenset[str] = frozenset()) -> str:
    """All nodes, and the state of calico-node on them."""
    rows = [
        f"calico-node-{KINDS[at // 10]}{KINDS[at % 10]}x2z {'1/1 Running' if name in well else state} 0 9d 10.20.0.{at + 1} {name}"
        for at, name in enumerate(NAMES)
    ]
    return nodes(*(f"{name} Ready 10.20.0.{at + 1}" for at, name in enumerate(NAMES))) + pods(*rows)


@cache
def examine(text: str) -> Diagnosis:
    return diagnose(gather_documents([Document("session.txt", decode(text.encode()))]), *prepare_detector())


def write(answer: Diagnosis, language: str = "en") -> str:
    return to_text(answer, Layout(language, 100, colour=False))


def test_only_the_nodes_that_hold_the_rule_are_blamed():
    event = (
        "$ kubectl describe pod -n kube-system calico-node-cmx2z | tail -1\n"
        "  Warning  Unhealthy  2m (x80 over 15m)  kubelet  Readiness probe failed: calico/node is not ready: BIRD is not "
        "ready: BGP not established with 10.20.0.1,10.20.0.2,10.20.0.3\n"
    )
    rules = "".join(
        f"[root@{name} ~]# iptables -S INPUT\n-P INPUT ACCEPT\n-A INPUT -p tcp -m tcp --dport 179 -j DROP\n"
        for name in NAMES[:3]
    )
    answer = examine(draw("0/1 Running") + event + rules)
    assert [finding.cause.id for finding in answer.findings] == ["firewall-on-host"]
    assert answer.findings[0].nodes == NAMES[:3]


def test_a_fault_of_the_cluster_is_not_laid_on_eight_nodes():
    flag = (
        "$ kubectl get clusterinformations.crd.projectcalico.org default -o yaml\napiVersion: crd.projectcalico.org/v1\n"
        "kind: ClusterInformation\nmetadata:\n  name: default\nspec:\n  datastoreReady: false\n"
    )
    answer = examine(draw("0/1 Running") + flag)
    assert answer.findings[0].nodes == NAMES
    assert "60 nodes: kw-001 … kw-060" in write(answer)


def test_nodes_that_the_command_leaves_out_are_counted_on_the_screen():
    well = frozenset({"kw-007", "kw-031", "kw-032"})
    off = "".join(f"[root@{name} ~]# cat /proc/sys/net/ipv4/ip_forward\n0\n" for name in NAMES if name not in well)
    answer = examine(draw("0/1 Running", well=well) + off)
    step = answer.findings[0].fix[0]
    assert step.do == Words(
        "Enable forwarding now, and as the last setting applied at boot; the other 17 nodes likewise",
        "立即开启转发，并在开机时最后加载以免被覆盖；其余 17 个节点同样处理",
    )
    assert "57 of 60 nodes: kw-001 … kw-060 (all but kw-007, kw-031, kw-032)" in " ".join(write(answer).split())
    assert "the other 17 nodes likewise" in " ".join(write(answer).split())
