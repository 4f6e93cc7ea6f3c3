from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Row
from calivet.signs.computed.policies import SIGNS
from tests.signs.made_pictures import line, output, picture, pod, thing


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
    assert len(seen("network-policy-shown", deny)) == 1


def test_host_endpoints():
    endpoint = thing("HostEndpoint", "wk-1-eth0")
    row = Row(at=line(), resource="hostendpoint", name="wk-1-auto-hep")
    deny = policy("GlobalNetworkPolicy", spec__selector="all()")
    assert seen("host-endpoint-with-policy", endpoint, deny)
    assert not seen("host-endpoint-with-policy", endpoint)
    sick = pod("calico-node-ab1cd", node="wk-1", status="CrashLoopBackOff")
    (found,) = seen("host-endpoints-and-sick-calico", row, sick)
    assert found.values == {"name": "wk-1-auto-hep"}
    assert not seen("host-endpoints-and-sick-calico", row)
