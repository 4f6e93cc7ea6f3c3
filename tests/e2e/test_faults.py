"""The answer comes all the same: from an API server that is busy, breaks, cuts, hangs, forgets or dies half-way."""

from __future__ import annotations

import pytest

from tests.cli.running import process
from tests.e2e.asking import Answer, diagnose
from tests.e2e.bed.bed import Bed
from tests.e2e.bed.fault import Fault, broken, busy, cut, outlived, silent, small_pages
from tests.e2e.scenarios.places import all_is_well
from tests.e2e.scenarios.routing import a_bridge_was_taken_for_the_card

LISTS = "^/api/v1/(nodes|pods|namespaces/kube-system/events)"


@pytest.fixture
def cluster(filler):
    made = a_bridge_was_taken_for_the_card.build()
    filler.fill(made)
    return made


def through(bed: Bed, *faults: Fault) -> Answer:
    bed.injector.faults = list(faults)
    return diagnose(bed.kubeconfig(server=bed.injector.url), "--request-timeout", "5s")


def is_as_good_as_ever(answer: Answer) -> bool:
    return answer.causes()[:1] == ["wrong-ip-autodetected"] and answer.findings[0].nodes == ["worker-2"]


@pytest.mark.parametrize(
    "faults",
    [
        (busy(LISTS, times=3),),
        (broken(LISTS, times=2),),
        (busy(LISTS, times=2), broken("/log", times=2), broken("/apis/crd", times=2)),
        (cut("^/api/v1/pods", after=900, times=1),),
        (cut("^/api/v1/nodes", after=0, times=1), cut("/log", after=100, times=2)),
    ],
    ids=["busy", "broken", "both in between", "cut in a list", "cut at once and in logs"],
)
def test_what_passes_is_tried_again(bed, cluster, faults):
    answer = through(bed, *faults)
    assert is_as_good_as_ever(answer)
    assert not [item for item in answer.not_seen if item.what in {"nodes.txt", "pods.txt"}]


def test_lists_of_many_pages_are_read_to_the_end(bed, cluster):
    assert is_as_good_as_ever(through(bed, small_pages("^/api/v1/nodes", 1)))
    assert sum("continue=" in asked for asked in bed.injector.asked) >= 3


def test_a_list_that_outlived_its_snapshot_goes_on(bed, cluster):
    answer = through(bed, small_pages("^/api/v1/nodes", 1), outlived("^/api/v1/nodes", bed.etcd.compact))
    assert is_as_good_as_ever(answer)
    assert "nodes.txt" not in [item.what for item in answer.not_seen]


@pytest.mark.parametrize("path", ["/events", "/apis/crd.projectcalico.org/v1/ippools"])
def test_what_stays_broken_is_named_and_the_rest_is_used(bed, cluster, path):
    answer = through(bed, broken(path))
    assert is_as_good_as_ever(answer)
    assert "500" in answer.missed() or "etcdserver" in answer.missed()


def test_what_never_comes_costs_no_more_than_its_time(bed, cluster):
    bed.injector.faults = [silent("/configmaps/")]
    answer = diagnose(bed.kubeconfig(server=bed.injector.url), "--request-timeout", "3s")
    assert is_as_good_as_ever(answer)
    assert "configmaps" in answer.missed()


@pytest.mark.parametrize("reach", ["refused", "no route", "silent"])
def test_a_sick_node_that_cannot_be_reached_is_named(bed, cluster, reach):
    cluster.nodes["worker-2"].kubelet.reach = reach
    answer = diagnose(bed.kubeconfig(), "--request-timeout", "3s")
    assert answer.verdict in {"fault", "insufficient"}
    assert "worker-2" in answer.missed()


def test_the_api_server_dies_half_way(bed, cluster):
    """It is killed when the first kubelet is asked; what was read by then gives the answer, what was not is named."""
    doomed = bed.another_apiserver("dies-half-way")
    bed.kubelets.on_request = lambda node, path: doomed.kill()
    answer = diagnose(bed.kubeconfig(server=doomed.url), "--request-timeout", "5s", ask=process)
    bed.kubelets.on_request = None
    assert answer.ranked()[:1] == ["wrong-ip-autodetected"]
    assert any(place in answer.missed() for place in ("kubelets/", "pods/", "logs/"))


def test_nothing_is_written_to_the_cluster(bed, cluster):
    through(bed)
    reviews = "/apis/authorization.k8s.io/v1/selfsubject"
    others = [asked for asked in bed.injector.asked if not asked.startswith(("GET ", f"POST {reviews}"))]
    assert bed.injector.asked
    assert others == []


def test_secrets_are_never_asked_for(bed, cluster):
    through(bed)
    assert not [asked for asked in bed.injector.asked if "/secrets" in asked]


def test_a_healthy_cluster_is_not_called_sick_by_a_bad_connection(bed, filler):
    filler.fill(all_is_well.build())
    answer = through(bed, busy(LISTS, times=2), broken("/log"), cut("/apis/", after=10, times=3))
    assert answer.verdict in {"healthy", "insufficient"}
    assert answer.causes() == []
