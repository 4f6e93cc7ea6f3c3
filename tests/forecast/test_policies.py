"""Whether name lookups get through the policies of a cluster, as Calico reads them."""

from __future__ import annotations

from typing import Any

import pytest

from calivet.facts.kubernetes import Object
from calivet.forecast.policies import build_endpoint, find_api_blocker, find_blocker, list_directions
from tests.signs.made_pictures import line

SYSTEM = ("kube-system", "calico-system")
SERVER = build_endpoint("kube-system", {"k8s-app": "kube-dns"})
SHOP = build_endpoint("shop")
SOMEWHERE = build_endpoint(None, never=SYSTEM)
DNS = {"action": "Allow", "protocol": "UDP", "destination": {"ports": [53]}}


def flatten(value: Any, path: str) -> dict[str, Any]:
    """As the readers do."""
    if isinstance(value, dict) and value:
        return {where: one for key, part in value.items() for where, one in flatten(part, f"{path}.{key}").items()}
    if isinstance(value, list) and value:
        return {where: one for n, part in enumerate(value) for where, one in flatten(part, f"{path}[{n}]").items()}
    return {path: "{}" if value == {} else "[]" if value == [] else value}


def rule(name="default.deny", kind="GlobalNetworkPolicy", space=None, api="crd.projectcalico.org/v1", **spec):
    return Object(at=line(), kind=kind, name=name, namespace=space, api=api, values=flatten(spec, "spec"))


def kubernetes(name="deny", space="shop", **spec):
    return rule(name, "NetworkPolicy", space, "networking.k8s.io/v1", podSelector={}, **spec)


def blocks(*policies, client=SHOP):
    found = find_blocker(policies, client, SERVER)
    return found.name if found else None


DENY_ALL = rule(selector="all()", types=["Ingress", "Egress"])
SPARING = rule(namespaceSelector=f"projectcalico.org/name not in {{'{SYSTEM[0]}', '{SYSTEM[1]}'}}", types=["Egress"])


@pytest.mark.parametrize(
    "deny",
    [
        DENY_ALL,
        rule(selector="all()"),
        rule(types=["Egress"]),
        rule(selector="all()", types=["Ingress"]),
        rule(selector="projectcalico.org/namespace != 'nowhere'", types=["Ingress", "Egress"]),
        rule(selector="all()", order=1, egress=[{"action": "Deny"}]),
        rule(egress=[{"action": "Deny", "protocol": "UDP", "destination": {"ports": [53]}}, {"action": "Allow"}]),
        rule(egress=[{"action": "Deny", "destination": {"selector": "k8s-app == 'kube-dns'"}}, {"action": "Allow"}]),
        rule(egress=[{"action": "Log"}, {"action": "Allow", "destination": {"ports": [80, "8000:9000"]}}]),
        SPARING,
        kubernetes(policyTypes=["Ingress", "Egress"]),
        kubernetes(egress=[{"ports": [{"port": 443}]}]),
        kubernetes(space="kube-system"),
    ],
)
def test_lookups_are_dropped(deny):
    assert blocks(deny) == deny.name


@pytest.mark.parametrize(
    "policies",
    [
        [],
        [rule(selector="app == 'web'", types=["Egress"])],
        [rule(selector="projectcalico.org/namespace == 'bank'", types=["Egress"])],
        [rule(types=["Egress"], egress=[{"action": "Allow"}])],
        [rule(selector="all()", types=["Ingress"], applyOnForward=True)],
        [rule(selector="all()", serviceAccountSelector="role == 'x'", types=["Egress"])],
        [SPARING, rule("default.dns", order=10, types=["Egress"], egress=[DNS])],
        [DENY_ALL, rule("default.dns", selector="all()", types=["Ingress", "Egress"], egress=[DNS], ingress=[DNS])],
        [SPARING, kubernetes("dns", policyTypes=["Egress"], egress=[{"ports": [{"port": 53, "protocol": "UDP"}]}])],
        [SPARING, kubernetes("dns", policyTypes=["Egress"], egress=[{"to": [{"ipBlock": {"cidr": "10.96.0.10/32"}}]}])],
        [SPARING, kubernetes("all", policyTypes=["Egress"], egress=[{}])],
        [kubernetes(space="bank", policyTypes=["Egress"])],
        [kubernetes(policyTypes=["Ingress"])],
        [rule(tier="security", types=["Egress"], egress=[{"action": "Pass"}])],
        [rule(tier="security", types=["Egress"]), rule("security", "Tier", order=100, defaultAction="Pass")],
    ],
)
def test_lookups_may_pass(policies):
    assert blocks(*policies) is None


def test_what_comes_first_decides():
    allow = rule("default.allow", order=10, types=["Egress"], egress=[DNS])
    refuse = rule("default.refuse", order=5, types=["Egress"], egress=[{"action": "Deny"}])
    assert blocks(refuse, allow) == "default.refuse"
    assert blocks(rule("default.refuse", order=50, types=["Egress"], egress=[{"action": "Deny"}]), allow) is None
    early = rule("security.refuse", tier="security", types=["Egress"], egress=[{"action": "Deny"}])
    assert blocks(allow, early) == "security.refuse"


def test_to_let_them_leave_is_not_to_let_them_in():
    leaving = rule("default.dns", order=10, types=["Egress"], egress=[DNS])
    assert blocks(DENY_ALL, leaving) == "default.deny"
    entering = rule("default.server", order=10, selector="k8s-app == 'kube-dns'", ingress=[DNS])
    assert blocks(DENY_ALL, leaving, entering) is None


def test_a_namespace_that_is_not_known_may_be_spared():
    assert blocks(SPARING, client=SOMEWHERE)
    assert (
        blocks(rule(namespaceSelector="projectcalico.org/name != 'bank'", types=["Egress"]), client=SOMEWHERE) is None
    )


def test_what_was_printed_in_part_may_allow():
    part = Object(at=line(), kind="GlobalNetworkPolicy", name="x", partial=True, values={"spec.selector": "all()"})
    assert blocks(part) is None


@pytest.mark.parametrize(
    ("policy", "covers"),
    [
        (rule(selector="all()"), ["Ingress"]),
        (rule(egress=[DNS]), ["Egress"]),
        (rule(ingress=[DNS], egress=[DNS]), ["Ingress", "Egress"]),
        (rule(types=["Egress"]), ["Egress"]),
        (kubernetes(), ["Ingress"]),
        (kubernetes(egress=[{}]), ["Ingress", "Egress"]),
    ],
)
def test_directions_that_are_not_stated_are_implied(policy, covers):
    assert list_directions(policy) == covers


def to_api(*ports, protocol="TCP", **peers):
    egress = [{"ports": [{"protocol": protocol, "port": port} for port in ports], **peers}]
    policy = rule(
        "upstream",
        "NetworkPolicy",
        "kube-system",
        "networking.k8s.io/v1",
        podSelector={"matchLabels": {"k8s-app": "kube-dns"}},
        policyTypes=["Egress"],
        egress=egress,
    )
    return find_api_blocker([policy], SERVER)


def test_name_servers_that_may_only_look_up_names():
    assert to_api(53).name == "upstream"
    # One of the two ports that it may be at, a range of addresses: that may be enough.
    assert to_api(53, 443) is None
    assert to_api(6443) is None
    assert to_api(to=[{"ipBlock": {"cidr": "10.0.0.0/8"}}]) is None
    # Pods are meant by a selector, and the API server is none.
    assert to_api(6443, to=[{"namespaceSelector": {"matchLabels": {"team": "a"}}}]).name == "upstream"
