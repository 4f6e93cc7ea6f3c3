from calivet.facts.fact import Command, Reach
from calivet.facts.kubernetes import Row
from calivet.signs.felix.policies import SIGNS
from tests.signs.made_pictures import line, picture, pod, thing


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def test_host_endpoints():
    endpoint = thing("HostEndpoint", "wk-1-eth0")
    row = Row(at=line(), resource="hostendpoint", name="wk-1-auto-hep")
    deny = thing("GlobalNetworkPolicy", "deny", spec__selector="all()")
    assert seen("host-endpoint-with-policy", endpoint, deny)
    assert not seen("host-endpoint-with-policy", endpoint)
    sick = pod("calico-node-ab1cd", node="wk-1", status="CrashLoopBackOff")
    (found,) = seen("host-endpoints-and-sick-calico", row, sick)
    assert found.values == {"name": "wk-1-auto-hep"}
    assert not seen("host-endpoints-and-sick-calico", row)


def test_only_failsafe_ports_answer():
    def reach(port, outcome):
        return Reach(at=line(), host="cp-1", target="10.4.9.8", port=port, protocol="tcp", outcome=outcome)

    (found,) = seen("only-failsafe-ports-answer", reach(22, "ok"), reach(10250, "timeout"))
    assert found.values == {"target": "10.4.9.8", "port": "10250"}
    assert not seen("only-failsafe-ports-answer", reach(22, "timeout"), reach(10250, "timeout"))
    assert not seen("only-failsafe-ports-answer", reach(22, "ok"), reach(10250, "refused"))


LISTED = Command(at=line(), line="kubectl get globalnetworkpolicies.crd.projectcalico.org -o yaml", printed=1)


def test_a_host_endpoint_that_nothing_allows_anything():
    bare = thing("HostEndpoint", "wk-1-eth0", spec__node="wk-1", metadata__labels__role="db")
    (found,) = seen("host-endpoint-with-nothing", LISTED, bare)
    assert found.values == {"name": "wk-1-eth0"}
    assert not seen("host-endpoint-with-nothing", bare)
    own = thing("HostEndpoint", "wk-1-eth0", **{"spec__profiles[0]": "projectcalico-default-allow"})
    assert not seen("host-endpoint-with-nothing", LISTED, own)
    policy = thing("GlobalNetworkPolicy", "db", spec__selector="role == 'db'")
    assert not seen("host-endpoint-with-nothing", LISTED, bare, policy)
    assert seen(
        "host-endpoint-with-nothing", LISTED, bare, thing("GlobalNetworkPolicy", "web", spec__selector="role == 'web'")
    )
