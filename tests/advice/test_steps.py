"""What holds for every step of the catalogue: who reads it pastes it as root."""

from __future__ import annotations

import ipaddress
import re

import pytest

from calivet.catalogue.load import find_risk_problems
from tests.advice.rendering import list_step_commands
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
CHINESE = re.compile(r"[\u4e00-\u9fff]")
_ADDRESS = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?(?![\w.]*[A-Za-z])")
# Values that one site has and another has not, as they would stand in a command.
SITE_VALUES = re.compile(
    r"asNumber\W{1,6}\d|(?<!add-)(?<!remove-)interface=\^?[a-z]|can-reach=\d|ipipMode\W{1,4}(?:Always|CrossSubnet)"
    r"|\bmtu\W{1,4}[1-9]\d{3}|blockSize\W{1,4}\d"
)
# A gap is <in-small-letters>: words in capitals look like names and are pasted as such.
CAPITALS = re.compile(
    r"(?<![\w$.-])(?:NAME|ROUTE|DEVICE|(?:NEW|THE|FREE|YOUR|PEER|SOME|OLD)_[A-Z_]+|[A-Z]+_(?:ADDRESS|RANGE|NAME))(?![\w=:,-])"
)


def list_commands_of(cause):
    """Every command that its page or a report shows."""
    yield from (command for step in cause.fix for _, command in list_step_commands(step))
    yield from (check.run for check in cause.verify)


def is_everywhere(address: str) -> bool:
    """Whether it means the same on every machine."""
    network = ipaddress.ip_network(address, strict=False)
    return network.is_loopback or network.is_unspecified or network.is_link_local


@pytest.mark.parametrize("cause", CATALOGUE.causes.values(), ids=lambda cause: cause.id)
class TestCause:
    def test_no_value_of_another_site(self, cause):
        for command in list_commands_of(cause):
            assert [found for found in _ADDRESS.findall(command) if not is_everywhere(found)] == [], command
            assert SITE_VALUES.findall(command) == [], command

    def test_a_gap_cannot_be_taken_for_a_name(self, cause):
        for command in list_commands_of(cause):
            assert CAPITALS.findall(command) == [], command

    def test_the_same_command_has_the_same_risk(self, cause):
        assert list(find_risk_problems(cause, CATALOGUE.risks.values())) == []

    def test_every_step_says_what_is_done_in_both_languages(self, cause):
        for step in cause.fix:
            assert step.do, step.run
            assert step.do.en[:1].isupper(), step.do.en
            assert not step.do.en.endswith("."), step.do.en
            assert not CHINESE.search(step.do.en)
            assert CHINESE.search(step.do.zh), step.do.zh

    def test_what_is_taken_by_hand_has_no_command(self, cause):
        assert [step.run for step in cause.fix if step.where == "manual" and step.run] == []

    def test_what_is_put_back_was_kept(self, cause):
        for step in cause.fix:
            kept = re.findall(r">\s*([\w./-]+\.ya?ml)", step.save)
            assert all(name in step.undo for name in kept), step.undo


# From manifests/crds.yaml of 3.20 and manifests/v3_projectcalico_org.yaml of 3.33.
KINDS = """bgpconfigurations bgppeers blockaffinities caliconodestatuses clusterinformations felixconfigurations
globalnetworkpolicies globalnetworksets hostendpoints ipamblocks ipamhandles ippools ipreservations
kubecontrollersconfigurations networkpolicies networksets""".split()
ONE_GROUP_ONLY = {
    "crd.projectcalico.org": {*KINDS, "ipamconfigs"},
    "projectcalico.org": {*KINDS, "ipamconfigurations", "tiers"},
}
KIND = re.compile(
    r"(?<![\"\w])([a-z]+)\.(\{api_group\}|\$g|crd\.projectcalico\.org|(?<!crd\.)projectcalico\.org)(?=[ ,;\n]|$)"
)


def test_every_kind_is_there_in_the_oldest_and_in_the_newest_release():
    commands: list[str] = [command for cause in CATALOGUE.causes.values() for command in list_commands_of(cause)]
    commands += [question.run for question in CATALOGUE.questions.values()]
    asked = {(kind, group, command) for command in commands for kind, group in KIND.findall(command)}
    assert len(asked) > 40
    wrong = [
        (kind, command)
        for kind, group, command in asked
        if kind not in ONE_GROUP_ONLY.get(group, set(KINDS)) and not command.endswith("2>/dev/null")
    ]
    assert [one for one in wrong if not one[0].startswith(("crd", "migration", "v"))] == []


def test_what_is_run_in_calico_node_is_there_in_every_release():
    """Since 3.33 one program, `calico`, does what `calico-node` did."""
    commands = [command for cause in CATALOGUE.causes.values() for command in list_commands_of(cause)]
    commands += [question.run for question in CATALOGUE.questions.values()]
    asked = [command for command in commands if re.search(r"-- .*calico-node -\w", command)]
    assert len(asked) > 3
    assert [command for command in asked if "else" not in command or "calico component node " not in command] == []


@pytest.mark.parametrize(
    "cause", ["cni-config-conflict", "ip-pool-selection", "ipam-inconsistent", "network-policy-blocks"]
)
def test_a_workload_is_never_calico_node(cause):
    """{pod} is always calico-node's: where a pod of a workload is meant, it is {workload}."""
    commands = list(list_commands_of(CATALOGUE.causes[cause]))
    assert [
        command for command in commands if re.search(r"(?:delete|describe|get) pods? [^|;&]*\{pod\}", command)
    ] == []


def test_no_sign_fires_on_what_is_harmless():
    harmless = [
        (name, re.compile(one.trace.pattern, re.IGNORECASE))
        for name, one in CATALOGUE.harmless.items()
        if one.trace.pattern
    ]
    both = [
        (cause.id, sign.id, name, line)
        for cause in CATALOGUE.causes.values()
        for sign in cause.signs
        if sign.strength != "weak"
        for line in sign.fires
        for name, pattern in harmless
        if pattern.search(line)
    ]  # fmt: skip
    assert both == []


def test_no_harmless_message_is_a_sign():
    signs = [
        (cause.id, sign.id, re.compile(sign.pattern, re.IGNORECASE))
        for cause in CATALOGUE.causes.values()
        for sign in cause.signs
        if sign.pattern and sign.scope not in ("note", "cure") and sign.strength != "weak"
    ]
    both = [
        (name, cause, sign, line)
        for name, one in CATALOGUE.harmless.items()
        for line in one.trace.fires
        for cause, sign, pattern in signs
        if pattern.search(line)
    ]  # fmt: skip
    assert both == []


def test_the_words_of_a_step_never_show_a_template():
    for cause in CATALOGUE.causes.values():
        for step in cause.fix:
            for words in (step.do, step.why, step.interrupts):
                assert not words or not re.search(r"<end>|\{end\}", words.en + words.zh)
