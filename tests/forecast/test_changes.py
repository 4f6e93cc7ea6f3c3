"""KEY=VALUE: what may be tried, and what is said of the rest."""

from __future__ import annotations

import pytest

from calivet.forecast.changes import KEYS, ChangeError, apply_changes, change, find_value
from calivet.forecast.settings import read_settings
from tests.facts.drawing import picture_of
from tests.forecast.cluster import DESK, HERONS, evidence, resource


@pytest.mark.parametrize(
    ("written", "key", "value"),
    [
        ("IP_AUTODETECTION_METHOD=cidr=10.0.0.0/8,fd00::/8", "IP_AUTODETECTION_METHOD", "cidr=10.0.0.0/8,fd00::/8"),
        ("ip_autodetection_method=first-found", "IP_AUTODETECTION_METHOD", "first-found"),
        ("IP6_AUTODETECTION_METHOD=interface=eth0", "IP6_AUTODETECTION_METHOD", "interface=eth0"),
        ("IP=autodetect", "IP", "autodetect"),
        ("IP=10.0.0.1/24", "IP", "10.0.0.1/24"),
        ("IP=", "IP", ""),
        ("ipipMode=crosssubnet", "ipipMode", "CrossSubnet"),
        ("nodeToNodeMeshEnabled=FALSE", "nodeToNodeMeshEnabled", "false"),
        ("livenessProbe.initialDelaySeconds=0", "livenessProbe.initialDelaySeconds", "0"),
    ],
)
def test_what_is_understood(written, key, value):
    found = change(written)
    assert (found.key, found.value) == (key, value)


@pytest.mark.parametrize(
    "written",
    [
        "IP_AUTODETECTION_METHOD=eth0",
        "IP_AUTODETECTION_METHOD=can-reach=",
        "IP_AUTODETECTION_METHOD=cidr=10.0.0.1",
        "IP_AUTODETECTION_METHOD=interface=eth(",
        "IP=fd00::1",
        "IP6=10.0.0.1",
        "IP=here",
        "ipipMode=Sometimes",
        "nodeToNodeMeshEnabled=perhaps",
        "livenessProbe.failureThreshold=0",
        "livenessProbe.failureThreshold=many",
        "livenessProbe.periodSeconds=-1",
    ],
)
def test_what_is_not_says_what_would_be(written):
    with pytest.raises(ChangeError) as raised:
        change(written)
    assert raised.value.possible == KEYS[written.partition("=")[0]]


def test_an_unknown_key_names_the_known():
    with pytest.raises(ChangeError) as raised:
        change("CALICO_IPV4POOL_CIDR=10.0.0.0/8")
    assert raised.value.possible == tuple(KEYS)
    assert not raised.value.known


ENVIRONMENT = DESK + "kubectl -n kube-system exec calico-node-x2x4z -c calico-node -- env\n"
INSTALLATION = "calicoNetwork:\n  bgp: Disabled\n  nodeAddressAutodetectionV4:\n    {method}\n"


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("", "IP_AUTODETECTION_METHOD", "first-found"),
        ("", "IP", "autodetect"),
        ("", "IP6", ""),
        ("", "ipipMode", None),
        ("", "nodeToNodeMeshEnabled", "true"),
        ("", "livenessProbe.periodSeconds", None),
        (ENVIRONMENT + "IP=none\n", "IP", "none"),
        (ENVIRONMENT + "FELIX_HEALTHENABLED=true\nDATASTORE_TYPE=kubernetes\n", "IP", ""),
        (ENVIRONMENT + "IP_AUTODETECTION_METHOD=can-reach=10.1.1.1\n", "IP_AUTODETECTION_METHOD", "can-reach=10.1.1.1"),
        (resource("Installation", INSTALLATION.format(method="interface: eth1")), "IP_AUTODETECTION_METHOD", "interface=eth1"),
        (resource("Installation", INSTALLATION.format(method="kubernetes: NodeInternalIP")), "IP_AUTODETECTION_METHOD", "kubernetes-internal-ip"),
        (resource("Installation", INSTALLATION.format(method="cidrs: [10.0.0.0/8, 10.9.0.0/16]")), "IP_AUTODETECTION_METHOD", "cidr=10.0.0.0/8,10.9.0.0/16"),
        (resource("Installation", INSTALLATION.format(method="firstFound: true")), "IP_AUTODETECTION_METHOD", "first-found"),
        (resource("BGPConfiguration", "nodeToNodeMeshEnabled: false"), "nodeToNodeMeshEnabled", "false"),
        (resource("IPPool", "cidr: 10.9.0.0/16\nipipMode: CrossSubnet"), "ipipMode", "CrossSubnet"),
    ],
)  # fmt: skip
def test_what_is_set_now(text, key, value):
    assert find_value(read_settings(picture_of(evidence(*HERONS, more=text))), key) == value


def test_the_operator_without_bgp_runs_no_bird():
    text = resource("Installation", INSTALLATION.format(method="firstFound: true"))
    assert not read_settings(picture_of(evidence(*HERONS, more=text))).has_bgp


@pytest.mark.parametrize(
    "written",
    ["IP_AUTODETECTION_METHOD=interface=eth7", "nodeToNodeMeshEnabled=false", "livenessProbe.periodSeconds=30"],
)
def test_a_change_changes_just_that(written):
    before = read_settings(picture_of(evidence(*HERONS)))
    asked = change(written)
    after = apply_changes(before, [asked])
    assert find_value(after, asked.key) == asked.value
    assert all(
        find_value(after, key) == find_value(before, key)
        for key in KEYS
        if key.split(".")[0] != asked.key.split(".")[0]
    )
