"""The fix of a wrong address: the method is chosen and proven where the evidence allows it."""

from __future__ import annotations

import msgspec
import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector
from tests.facts.drawing import pods
from tests.forecast.cluster import HERONS, Machine, evidence, resource

MANIFEST = "\n" + pods("calico-node-7tq4n 0/1 Running 0 9d 172.16.0.9 elsewhere")
OPERATOR = resource("Installation", "variant: Calico", plural="installations")


def fix(text, cause="wrong-ip-autodetected", nodes=()):
    """Where nothing says that the operator runs Calico, a manifest does: somebody who knows neither gets both steps."""
    catalogue, watch = prepare_detector()
    text = text if OPERATOR in text else text + MANIFEST
    evidence = gather_documents([Document("session.txt", text.split("\n"))])
    found = diagnose(evidence, catalogue, watch, nodes)
    return next(one.fix for one in found.findings if one.cause.id == cause)


def setting(steps):
    return [
        step for step in steps if "IP_AUTODETECTION_METHOD=" in step.run or "nodeAddressAutodetectionV4" in step.run
    ]


def test_the_method_with_its_proof_takes_the_place_of_the_general_advice():
    (step,) = setting(fix(evidence(*HERONS, version="v3.21.4")))
    assert step.run.endswith("IP=autodetect IP_AUTODETECTION_METHOD=cidr=10.44.0.0/23")
    assert "computed for all 3 nodes: heron-1 10.44.0.11/23 (eth0), heron-2 10.44.0.12/23 (eth0)" in step.why.en
    assert "已对全部 3 个节点推算：heron-1 10.44.0.11/23 (eth0)" in step.why.zh
    assert "{" not in step.why.en + step.why.zh + step.run


def test_an_expression_is_quoted_for_the_shell():
    (step,) = setting(fix(evidence(*HERONS, version="v3.11.1")))
    assert step.run.endswith("IP_AUTODETECTION_METHOD='interface=^eth0$'")


@pytest.mark.parametrize(
    ("version", "kept"),
    [("v3.28.2", {"kubernetes": "NodeInternalIP"}), ("v3.21.4", {"cidrs": ["10.44.0.0/23"]}), ("v3.11.1", {"interface": "^eth0$"})],
)  # fmt: skip
def test_the_operator_gets_one_method_and_loses_the_others(version, kept):
    (step,) = setting(fix(evidence(*HERONS, version=version, more=OPERATOR)))
    patch = msgspec.json.decode(step.run.partition("-p '")[2].removesuffix("'"))
    asked = patch["spec"]["calicoNetwork"]["nodeAddressAutodetectionV4"]
    assert {key: value for key, value in asked.items() if value is not None} == kept
    assert len(asked) == 6


def test_where_a_nodes_cards_are_not_known_the_general_advice_stays():
    unseen = [*HERONS[:2], Machine("heron-3", "10.44.0.13")]
    steps = setting(fix(evidence(*unseen)))
    assert [step.run.partition("IP_AUTODETECTION_METHOD=")[2] for step in steps] == ["kubernetes-internal-ip"]
    assert "computed" not in steps[0].why.en


def test_a_diagnosis_of_some_nodes_still_proves_for_all():
    text = evidence(*HERONS, version="v3.21.4")
    (step,) = setting(fix(text, nodes=["heron-1", "heron-2"]))
    assert "computed for all 3 nodes" in step.why.en


def test_many_nodes_are_not_all_listed():
    many = [Machine(f"n{n}", f"10.44.0.{n}", f"172.29.7.{n}/24" if n == 9 else f"10.44.0.{n}/24", (f"eth0 10.44.0.{n}/24", *([f"eth1 172.29.7.{n}/24"] if n == 9 else []))) for n in range(1, 10)]  # fmt: skip
    (step,) = setting(fix(evidence(*many)))
    assert "computed for all 9 nodes" in step.why.en
    assert step.why.en.endswith("5 more likewise")


def test_no_address_found_gets_the_same_proof():
    log = (
        "[root@desk ~]# kubectl -n kube-system logs calico-node-7tq4n -c calico-node\n"
        "2024-05-06 09:00:00.000 [INFO][9] startup/startup.go 94: Starting node heron-2 with version v3.28.2\n"
        "2024-05-06 09:00:00.100 [WARNING][9] startup/autodetection_methods.go 118: Unable to auto-detect an IPv4 address using interface regexes [eth7]: no valid host interfaces found\n"
        "2024-05-06 09:00:00.100 [WARNING][9] startup/startup.go 591: Couldn't autodetect an IPv4 address. If auto-detecting, choose a different autodetection method. Otherwise provide an explicit address.\n"
        "2024-05-06 09:00:00.200 [WARNING][9] startup/utils.go 48: Terminating\n"
        "[root@desk ~]# kubectl -n kube-system exec calico-node-7tq4n -- env\n"
        "IP=autodetect\nIP_AUTODETECTION_METHOD=interface=eth7\n"
    )
    running = pods("calico-node-7tq4n 0/1 CrashLoopBackOff 7 20m 10.44.0.12 heron-2")
    steps = setting(fix(evidence(*HERONS, more=running + log), cause="no-ip-autodetected"))
    assert [step.run.partition("IP_AUTODETECTION_METHOD=")[2] for step in steps] == ["kubernetes-internal-ip"]
    assert "computed for all 3 nodes" in steps[0].why.en


def test_where_it_is_not_known_who_installed_calico_each_step_says_for_whom_it_is():
    catalogue, watch = prepare_detector()
    found = diagnose(gather_documents([Document("session.txt", evidence(*HERONS).split("\n"))]), catalogue, watch)
    steps = setting(next(one.fix for one in found.findings if one.cause.id == "wrong-ip-autodetected"))
    told = [step.do or step.why for step in steps]
    assert [words.en.rpartition("(")[2] for words in told] == [
        "if Calico was installed from a manifest)",
        "if the Tigera operator manages Calico)",
    ]
    assert all(words.zh.startswith("若 Calico 由") for words in told)
