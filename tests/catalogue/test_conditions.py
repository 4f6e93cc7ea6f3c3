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
    ("decided_by", "first", "kind"), [("operator", SAVED, Kind.HAND), ("anyone", GONE, Kind.CHANGE)]
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
