"""A step whose condition somebody has to judge is neither the first thing to do nor one that calivet takes."""

from __future__ import annotations

import pytest

from calivet.catalogue.check import find_problems
from calivet.fix.plan import Kind, build_plans
from calivet.messages.words import Words
from calivet.reports.diagnosis.first_screen import find_first_step
from tests.reasoning.made_up import catalogue, cause, diagnosed, sign, step

GONE = "kubectl delete node birch-1"
SAVED = "kubectl uncordon birch-1"
LOG = """[root@bastion ~]# kubectl logs -n kube-system calico-node-2bs6x
2024-03-05 10:11:13.345 [ERROR][8] startup/startup.go 99: the frobnicator is gone
"""


@pytest.mark.parametrize(
    ("decided_by", "first", "kind"), [("operator", SAVED, Kind.DECIDE), ("anyone", GONE, Kind.CHANGE)]
)
def test_who_decides(decided_by, first, kind):
    steps = [step(GONE, where="cluster", decided_by=decided_by), step(SAVED, where="cluster")]
    known = catalogue(cause("fault", sign("gone", "proof"), fix=steps))
    diagnosis = diagnosed(known, LOG)
    chosen = find_first_step(diagnosis.findings[0])
    assert chosen is not None
    assert chosen.run == first
    assert [one.kind for one in build_plans(diagnosis)[0].steps] == [kind, Kind.CHANGE]


@pytest.mark.parametrize("said", ["only if", "only where"])
@pytest.mark.parametrize(("decided_by", "problems"), [("operator", 0), ("anyone", 1)])
def test_a_condition_in_words_says_who_decides(decided_by, problems, said):
    condition = Words(f"Delete the node, {said} it is gone", "仅当节点已下线时删除")
    known = catalogue(cause("fault", sign("gone"), fix=[step(GONE, do=condition, decided_by=decided_by)]))
    assert len([one for one in find_problems(known) if "decided_by" in one]) == problems


@pytest.mark.parametrize(
    ("before", "what"),
    [
        (step("", do=Words("Ask for the port to be opened", "请网络管理员放行端口"), where="manual"), "a step by hand"),
        (step("ip route add default via <gateway>"), "a command with a gap"),
        (step("kubectl edit installation default", where="cluster"), "an editor"),
    ],
)
def test_a_restart_is_not_the_first_thing_to_do_where_the_cure_stands_before_it(before, what):
    restart = step("kubectl rollout restart daemonset calico-node -n kube-system", where="cluster")
    known = catalogue(cause("fault", sign("gone", "proof"), fix=[step("ip route"), before, restart]))
    finding = diagnosed(known, LOG).findings[0]
    assert find_first_step(finding) is finding.fix[1], what


def test_where_the_cure_needs_a_judgement_the_first_thing_is_to_look():
    steps = [step("ip route"), step(GONE, where="cluster", decided_by="operator"), step(SAVED, where="cluster")]
    known = catalogue(cause("fault", sign("gone", "proof"), fix=steps))
    chosen = find_first_step(diagnosed(known, LOG).findings[0])
    assert chosen is not None
    assert chosen.run == "ip route"
