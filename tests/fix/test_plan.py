"""Every step of every cause has its place in a plan: calivet takes it, or says why it does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from calivet.fix.commands import does_change, list_machines, only_interrupts
from calivet.fix.plan import Kind, Plan, PlannedStep, build_plan, order_nodes
from calivet.messages.command_line import find_gaps, quote_rule
from calivet.messages.words import Words
from calivet.reasoning.advice import Advice
from calivet.reasoning.diagnosis import Finding
from calivet.reasoning.finding_values import collect_other_nodes, collect_values
from calivet.reports.fix import encode_plans, write_plans, write_plans_markdown
from calivet.reports.layout.terminal import Layout
from tests.advice.platforms import draw_platform
from tests.advice.rendering import make_samples
from tests.cli.running import calivet
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
LOOKS = """Ask Check Compare Count Find Give Lay List Look Make Mount Name Read Repair Rule See Stay Tell Test Try Upgrade
Change Correct Exclude Mend Open Pull Stop Allow Add Fix Let""".split()
"""How the steps begin that only look; some of them say what to do about what is seen."""
PLATFORMS = ("unknown", "manifest", "operator", "rke2", "talos", "docker")
CORPUS = Path(__file__).parents[2] / "corpus"


class Planned(Struct, frozen=True):
    """A step, and whose it is."""

    cause: str
    platform: str
    step: PlannedStep


def plan_for(cause_id: str, platform: str) -> Plan:
    """The plan for a cause on such a cluster, all values known."""
    cause, picture = CATALOGUE.causes[cause_id], draw_platform(platform)
    nodes = picture.names.nodes
    values = collect_values(picture, nodes, []) | make_samples(cause)
    advice = Advice(picture, [values, *collect_other_nodes(picture, nodes, values)], cause.fix)
    finding = Finding(
        cause=cause, confidence=0.99, nodes=nodes, summary=Words("", ""), evidence=[], explains=[], chain=[],
        fix=advice.select_steps(cause.fix), verify=advice.select_checks(cause.verify), advice=advice,
    )  # fmt: skip
    return build_plan(finding, {})


@pytest.fixture(scope="module")
def planned() -> list[Planned]:
    return list(_plan_all())


def _plan_all() -> Iterator[Planned]:
    for platform in PLATFORMS:
        for cause in CATALOGUE.causes:
            for step in plan_for(cause, platform).steps:
                yield Planned(cause, platform, step)


def test_what_saves_undoes_or_interrupts_is_never_taken_for_a_look(planned):
    wrong = [
        (one.cause, one.platform, one.step.number)
        for one in planned
        if one.step.kind is Kind.LOOK and (one.step.step.save or one.step.step.undo or one.step.step.risk != "safe")
    ]
    assert wrong == []


def test_a_look_is_worded_as_one(planned):
    first = {one.step.step.do.en.split()[0] for one in planned if one.step.kind is Kind.LOOK and one.step.step.do}
    assert first <= set(LOOKS)


def test_only_what_has_all_its_values_is_taken(planned):
    for one in planned:
        step = one.step.step
        gaps = [gap for command in (step.run, step.save, step.undo) for gap in find_gaps(command)]
        if one.step.kind is Kind.CHANGE:
            assert gaps == [], (one.cause, one.platform)
            assert "<" not in step.run.replace("<<", "").replace("</dev", "").replace("< ", ""), step.run


def test_what_is_left_to_people_says_why(planned):
    assert all(one.step.reason for one in planned if one.step.kind is Kind.HAND)
    assert {one.step.kind for one in planned} == set(Kind)


def test_most_causes_have_a_step_for_calivet(planned):
    able = {one.cause for one in planned if one.step.kind in (Kind.CHANGE, Kind.OPEN)}
    assert len(able) >= 80, sorted(set(CATALOGUE.causes) - able)


def test_a_step_on_nodes_is_taken_node_by_node():
    step = plan_for("sysctl-ip-forward-off", "manifest").steps[0]
    assert [part.node for part in step.parts] == ["birch-2", "birch-1"]
    assert all(f"ssh {part.node} " in part.step.run and "for node in" not in part.step.run for part in step.parts)


def test_of_several_nodes_only_those_that_are_named_are_touched():
    cause, picture = CATALOGUE.causes["sysctl-ip-forward-off"], draw_platform("manifest")
    values = collect_values(picture, picture.names.nodes, [])
    advice = Advice(picture, [values, *collect_other_nodes(picture, picture.names.nodes, values)], cause.fix)
    finding = Finding(
        cause=cause, confidence=0.99, nodes=picture.names.nodes, summary=Words("", ""), evidence=[], explains=[],
        chain=[], fix=advice.select_steps(cause.fix), verify=[], advice=advice,
    )  # fmt: skip
    plan = build_plan(finding, {}, ["birch-2"])
    assert plan.nodes == ["birch-2"]
    assert all("birch-1" not in step.step.run for step in plan.steps)
    assert [part.node for step in plan.list_changes() for part in step.parts] == ["birch-2"] * len(plan.list_changes())


@pytest.mark.parametrize("cause", ["wrong-ip-autodetected", "mtu-mismatch", "node-overload"])
def test_what_an_add_on_manager_owns_is_changed_where_it_reads(cause):
    """And calivet takes that step; where there is such an object already the command itself changes nothing."""
    steps = [step for step in plan_for(cause, "rke2").steps if "HelmChartConfig" in step.step.run]
    assert steps
    assert {step.kind for step in steps} == {Kind.CHANGE}


def test_a_step_for_the_cluster_is_taken_once():
    step = plan_for("checksum-offload-bug", "manifest").steps[0]
    assert [part.node for part in step.parts] == [""]
    assert step.parts[0].step == step.step


def test_what_was_seen_on_one_node_alone_is_done_there_alone():
    """And the steps after it keep their numbers."""
    cause, picture = CATALOGUE.causes["firewall-on-host"], draw_platform("manifest")
    nodes = picture.names.nodes
    values = collect_values(picture, nodes, [])
    first = {**values, "node": nodes[1], "rule": quote_rule("INPUT -p tcp --dport 179 -j DROP") or ""}
    advice = Advice(picture, [first, {**values, "node": nodes[0]}], cause.fix)
    finding = Finding(
        cause=cause, confidence=0.99, nodes=nodes, summary=Words("", ""), evidence=[], explains=[], chain=[],
        fix=advice.select_steps(cause.fix), verify=[], advice=advice,
    )  # fmt: skip
    plan = build_plan(finding, {})
    step = next(step for step in plan.steps if "iptables -D" in step.step.run)
    assert [part.node for part in step.parts] == [nodes[1]]
    assert all(part.step.run for step in plan.list_changes() for part in step.parts)


def test_the_control_plane_comes_last():
    assert order_nodes(["a", "b", "c", "a"], {"a"}) == ["b", "c", "a"]
    assert plan_for("kubelet-swap-on", "manifest").control_plane == ["birch-1"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_plan_can_be_written(language):
    plans = [plan_for(cause, "manifest") for cause in CATALOGUE.causes]
    text, page = write_plans(plans, Layout(language, 100, colour=False)), write_plans_markdown(plans, language)
    tree = json.loads(encode_plans(plans, language))
    assert [plan["cause"] for plan in tree["plans"]] == list(CATALOGUE.causes)
    for plan in plans:
        assert plan.cause in text
        assert plan.cause in page
        for step in plan.steps:
            assert all(line.strip() in text for line in step.step.run.splitlines())


def test_a_plan_from_evidence_touches_nothing_and_names_every_step():
    case = next(
        path.parent
        for path in sorted(CORPUS.glob("*/expect.yaml"))
        if "cause: bgp-as-mismatch" in path.read_text("utf-8")
    )
    run = calivet("fix", "--plan", case / "evidence", "-o", "json")
    plan = json.loads(run.out)["plans"][0]
    assert (run.code, plan["cause"]) == (1, "bgp-as-mismatch")
    missing = next(step["missing"] for step in plan["steps"] if step["kind"] == "open")
    filled = calivet("fix", "--plan", case / "evidence", "-o", "json", "--set", f"{missing[0]}=64600")
    step = json.loads(filled.out)["plans"][0]["steps"][1]
    assert step["kind"] == "change"
    assert "64600" in step["run"]


def test_a_value_that_is_more_than_a_word_is_refused():
    run = calivet("fix", "--plan", CORPUS, "--set", "as-number=$(reboot)")
    assert run.code == 64
    assert "NAME=VALUE" in run.err


def test_a_cause_that_was_not_found_is_said():
    case = next(
        path.parent
        for path in sorted(CORPUS.glob("*/expect.yaml"))
        if "cause: bgp-as-mismatch" in path.read_text("utf-8")
    )
    run = calivet("fix", "clock-skew", "--plan", case / "evidence")
    assert run.code == 3
    assert "bgp-as-mismatch" in run.err


def test_no_check_is_taken_for_a_change():
    """It would be left out, and nobody would know whether it passes."""
    wrong = [
        (cause, platform, check.run)
        for platform in PLATFORMS
        for cause in CATALOGUE.causes
        for check in plan_for(cause, platform).verify
        if does_change(check.run)
    ]
    assert wrong == []


def test_what_docker_depends_on_is_restarted_before_it():
    """Alone it would wait for a containerd that hangs."""
    runs = [step.step.run for step in plan_for("runtime-unresponsive", "docker").steps]
    first = next(place for place, run in enumerate(runs) if "restart containerd" in run)
    assert first < next(place for place, run in enumerate(runs) if "restart docker" in run)
    assert not any("restart docker" in step.step.run for step in plan_for("runtime-unresponsive", "manifest").steps)


@pytest.mark.parametrize("service", ["systemd-networkd", "NetworkManager"])
def test_a_service_that_does_not_run_is_not_started(service):
    """It would take over the cards of the machine."""
    steps = [step.step.run for step in plan_for("networkmanager-interferes", "manifest").steps]
    touching = [run for run in steps if f"start {service}" in run or f"reload {service}" in run]
    assert touching
    assert all(f"systemctl is-active -q {service} &&" in run for run in touching)


@pytest.mark.parametrize("cause", ["apiserver-down", "kubelet-cert-expired", "tls-ca-mismatch"])
def test_what_is_done_on_the_control_plane_is_done_once_and_there(cause):
    """Whatever nodes the cause was seen on: the command is the same for all of them."""
    plan = plan_for(cause, "manifest")
    there = [step for step in plan.list_changes() if list_machines(step.step.run) == ["birch-1"]]
    for step in there:
        assert len({part.step.run for part in step.parts}) == len(step.parts)
        if len(step.parts) == 1:
            assert step.parts[0].node == "birch-1"
    assert any(len(step.parts) == 1 for step in there)


def test_the_control_plane_is_known_where_the_cause_is_elsewhere():
    cause, picture = CATALOGUE.causes["tls-ca-mismatch"], draw_platform("manifest")
    values = collect_values(picture, ["birch-2"], []) | make_samples(cause)
    advice = Advice(picture, [values], cause.fix)
    finding = Finding(
        cause=cause, confidence=0.99, nodes=["birch-2"], summary=Words("", ""), evidence=[], explains=[], chain=[],
        fix=advice.select_steps(cause.fix), verify=[], advice=advice,
    )  # fmt: skip
    assert build_plan(finding, {}).control_plane == ["birch-1"]


@pytest.mark.parametrize(
    ("command", "passes"),
    [
        ("sudo systemctl restart containerd kubelet", True),
        ("sudo sh -c 'systemctl daemon-reload && systemctl restart kubelet'", True),
        ("sudo systemctl reboot", True),
        ("sudo ip link delete cni0", False),
        ("sudo sh -c 'systemctl stop x; rm -f /etc/x'", False),
        ("sudo crictl rmi --prune", False),
    ],
)
def test_what_only_interrupts_is_told_from_what_stays(command, passes):
    assert only_interrupts(command) is passes
