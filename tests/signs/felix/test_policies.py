import pytest
from msgspec.structs import replace

from calivet.facts.calico import LogSpan
from calivet.facts.fact import Command, Reach
from calivet.facts.kubernetes import Pod, Row
from calivet.signs.felix.policies import SIGNS
from tests.signs.made_pictures import line, output, picture, thing


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def policy(kind="NetworkPolicy", **values):
    return thing(kind, "rule", **values)


def test_a_node_port_in_a_policy_for_pods():
    (found,) = seen("policy-names-node-port", policy(**{"spec__ingress[0]__ports[0]__port": 30777}))
    assert found.values == {"name": "rule", "port": "30777"}
    assert not seen("policy-names-node-port", policy(**{"spec__ingress[0]__ports[0]__port": 8080}))
    hosts = policy("GlobalNetworkPolicy", **{"spec__preDNAT": True, "spec__ingress[0]__destination__ports[0]": 30777})
    assert not seen("policy-names-node-port", hosts)


def test_a_direction_without_rules():
    half = policy(
        **{"spec__policyTypes[0]": "Ingress", "spec__policyTypes[1]": "Egress", "spec__ingress[0]__ports[0]__port": 80}
    )
    (found,) = seen("policy-type-without-rules", half)
    assert found.values["direction"] == "Egress"
    whole = policy(**{"spec__policyTypes[0]": "Ingress", "spec__ingress[0]__ports[0]__port": 80})
    assert not seen("policy-type-without-rules", whole)


def test_egress_that_forgets_dns():
    web = {"spec__policyTypes[0]": "Egress", "spec__egress[0]__ports[0]__port": 443}
    assert seen("policy-egress-without-dns", policy(**web))
    assert not seen("policy-egress-without-dns", policy(**web, **{"spec__egress[1]__ports[0]__port": 53}))


def test_a_default_deny_counts_with_lost_traffic():
    deny = policy("GlobalNetworkPolicy", **{"spec__types[0]": "Ingress", "spec__types[1]": "Egress"})
    lost = Reach(at=line(), target="10.7.3.4", port=80, protocol="tcp", outcome="timeout")
    assert seen("deny-policy-and-lost-traffic", deny, lost)
    assert not seen("deny-policy-and-lost-traffic", deny)
    silent = output("kubectl exec web -- nslookup kubernetes", ";; connection timed out; no servers could be reached")
    assert seen("deny-policy-and-lost-traffic", deny, artifacts=[silent])


def test_lookups_that_fail_under_a_policy_without_dns():
    web = policy(**{"spec__policyTypes[0]": "Egress", "spec__egress[0]__ports[0]__port": 443})
    lookup = output("kubectl exec web -- nslookup kubernetes", ";; connection timed out; no servers could be reached")
    assert seen("lookup-fails-under-policy", web, artifacts=[lookup])
    assert not seen("lookup-fails-under-policy", artifacts=[lookup])
    assert not seen("lookup-fails-under-policy", web)
    deny = policy("GlobalNetworkPolicy", **{"spec__types[0]": "Egress"})
    assert seen("lookup-fails-under-policy", deny, artifacts=[lookup])


def test_a_policy_that_lost_its_head_is_still_a_policy():
    rules = {"spec__podSelector": "{}", "spec__policyTypes[0]": "Egress", "spec__egress[0]__ports[0]__port": 443}
    fragment = thing(None, "default", **rules)
    assert seen("policy-egress-without-dns", fragment)
    assert not seen("policy-egress-without-dns", thing(None, spec__podSelector="{}"))


def test_a_namespace_label_that_nobody_has():
    label = "spec__ingress[0]__from[0]__namespaceSelector__matchLabels__kubernetes.io/metadata.name"
    rule = policy(**{label: "gate"})
    bare = Row(at=line(), resource="namespace", name="gate", cells={"LABELS": "team=a,app=b"})
    (found,) = seen("policy-names-unlabelled-namespace", rule, bare)
    assert found.values["label"] == "kubernetes.io/metadata.name=gate"
    fine = Row(at=line(), resource="namespace", name="gate", cells={"LABELS": "kubernetes.io/metadata.name=gate"})
    assert not seen("policy-names-unlabelled-namespace", rule, fine)
    assert not seen("policy-names-unlabelled-namespace", rule)


def test_the_node_reaches_what_its_pods_do_not():
    answer = Reach(at=line(), host="wk-1", target="10.96.0.1", port=443, protocol="http", outcome="ok")
    log = LogSpan(at=line(), program="kube-controllers", last_message="error=dial tcp 10.96.0.1:443: i/o timeout")
    assert seen("node-reaches-service-pods-not", answer, log)
    assert not seen("node-reaches-service-pods-not", log)


DENY = {"spec__types[0]": "Egress", "spec__selector": "all()"}


def test_a_policy_for_all_pods_that_leaves_no_way_to_dns():
    (found,) = seen("every-pod-denied-dns", policy("GlobalNetworkPolicy", **DENY))
    assert found.values == {"global_policy": "rule"}
    assert not seen("every-pod-denied-dns", policy("GlobalNetworkPolicy", **DENY | {"spec__selector": "app == 'x'"}))
    assert not seen("every-pod-denied-dns", policy("NetworkPolicy", **DENY))
    lookups = {"spec__egress[0]__action": "Allow", "spec__egress[0]__destination__ports[0]": 53}
    other = lookups | {"spec__egress[0]__destination__ports[0]": 443}
    refusal = lookups | {"spec__egress[0]__action": "Deny"}
    deny = policy("GlobalNetworkPolicy", **DENY)
    assert not seen("every-pod-denied-dns", deny, policy(**DENY | lookups))
    assert not seen("every-pod-denied-dns", deny, policy(**DENY | {"spec__egress[0]__action": "Allow"}))
    assert seen("every-pod-denied-dns", deny, policy(**DENY | other))
    assert seen("every-pod-denied-dns", deny, policy(**DENY | refusal))


@pytest.mark.parametrize(
    ("selector", "everyone"),
    [
        ("projectcalico.org/namespace != 'nowhere'", True),
        ("has(projectcalico.org/namespace)", True),
        ("projectcalico.org/namespace != 'kube-system'", False),
        ("projectcalico.org/namespace not in {'kube-system'}", False),
        ("projectcalico.org/namespace != 'nowhere' && app == 'x'", False),
    ],
)
def test_a_selector_by_namespace_may_be_for_all_pods_too(selector, everyone):
    pods = [Pod(at=line(), name="web-1", namespace=space) for space in ("shop", "kube-system")]
    deny = policy("GlobalNetworkPolicy", **DENY | {"spec__selector": selector})
    assert bool(seen("every-pod-denied-dns", deny, *pods)) is everyone


LISTED = Command(at=line(), line="kubectl get networkpolicies.networking.k8s.io -A -o yaml", printed=2)
SPARING = {"spec__namespaceSelector": "projectcalico.org/name != 'kube-system'", "spec__types[0]": "Egress"}


def of_namespace(name, space, **values):
    return replace(thing("NetworkPolicy", name, **values), namespace=space)


def test_what_spares_the_system_is_a_fault_where_nothing_else_lets_lookups_through():
    deny, shop = policy("GlobalNetworkPolicy", **SPARING), Pod(at=line(), name="web-1", namespace="shop")
    assert seen("every-pod-denied-dns", deny, shop, LISTED)
    assert not seen("every-pod-denied-dns", deny, shop)
    mine = {"spec__podSelector": "{}", "spec__policyTypes[0]": "Egress", "spec__egress[0]": "{}"}
    assert not seen("every-pod-denied-dns", deny, shop, LISTED, of_namespace("all", "shop", **mine))


def test_a_policy_that_shuts_the_name_servers():
    deny = {"spec__podSelector": "{}", "spec__policyTypes[0]": "Ingress"}
    (found,) = seen("name-server-shut", of_namespace("deny", "kube-system", **deny), LISTED)
    assert found.values == {"name": "deny", "namespace": "kube-system"}
    assert not seen("name-server-shut", of_namespace("deny", "kube-system", **deny))
    assert not seen("name-server-shut", of_namespace("deny", "shop", **deny), LISTED)
    lookups = deny | {"spec__ingress[0]__ports[0]__port": 53, "spec__ingress[0]__ports[0]__protocol": "UDP"}
    servers = of_namespace("dns", "kube-system", **lookups)
    assert not seen("name-server-shut", of_namespace("deny", "kube-system", **deny), servers, LISTED)
