from calivet.facts.kubernetes import Condition, Row
from calivet.signs.install.installation import SIGNS
from tests.signs.made_pictures import line, output, picture, pod, thing


def seen(name, *facts, artifacts=None):
    return list(SIGNS[name](picture(*facts, artifacts=artifacts)))


def condition(kind, status, reason=None, name="calico"):
    return Condition(at=line(), kind="tigerastatus", object=name, type=kind, status=status, reason=reason, message="x")


def test_only_the_operators_own_reasons_count_as_its_fault():
    assert seen("operator-says-degraded", condition("Degraded", "True", "InvalidConfigurationError"))
    assert not seen("operator-says-degraded", condition("Degraded", "True", "PodFailure"))
    assert not seen("operator-says-degraded", condition("Degraded", "True"))
    assert not seen("operator-says-degraded", condition("Degraded", "False", "InvalidConfigurationError"))
    assert seen("operator-status-degraded", condition("Degraded", "True"))


def test_available_is_said_only_where_nothing_is_degraded():
    good = (condition("Available", "True"), condition("Degraded", "False"))
    assert seen("operator-says-available", *good)
    assert not seen("operator-says-available", *good, condition("Degraded", "True", name="ippools"))
    assert not seen("operator-says-available", condition("Available", "True"))


def test_two_installations_side_by_side():
    old = pod("calico-node-bt7wl", namespace="kube-system", status="Running", ready=1, containers=1)
    new = pod("calico-node-q4x2b", namespace="calico-system", status="Running", ready=0, containers=1)
    assert seen("two-calico-installations", old, new)
    assert not seen("two-calico-installations", new)
    (found,) = seen("operator-install-beside-manifest", old, new)
    assert found.values == {"pod": "calico-node-q4x2b"}
    same = [
        pod("canal-w8k2t", namespace="kube-system", status="Running", node="wk-1"),
        pod("calico-node-q4x2b", namespace="calico-system", status="Running", ready=1, containers=1, node="wk-1"),
    ]
    assert seen("operator-install-beside-manifest", *same)
    moved = pod("calico-node-q4x2b", namespace="calico-system", status="Running", ready=1, containers=1, node="wk-2")
    assert not seen("operator-install-beside-manifest", same[0], moved)
    row = Row(at=line(), resource="daemonset", name="calico-node", namespace="kube-system")
    assert seen("two-calico-installations", row, new)


def test_two_daemonsets_that_both_want_pods():
    def row(namespace, name, desired):
        return Row(at=line(), resource="daemonset", name=name, namespace=namespace, cells={"DESIRED": desired})

    own = row("calico-system", "calico-node", "3")
    (found,) = seen("two-calico-daemonsets", own, row("kube-system", "rke2-canal", "2"))
    assert found.values == {"first": "calico-system/calico-node", "second": "kube-system/rke2-canal"}
    assert not seen("two-calico-daemonsets", own, own)
    assert not seen("two-calico-daemonsets", own, row("kube-system", "calico-node", "0"))
    assert not seen("two-calico-daemonsets", own, row("calico-system", "calico-node-windows", "2"))


def test_an_operator_that_made_nothing():
    operator = pod("tigera-operator-6bb888d6fc-9xw2q", namespace="tigera-operator", status="Running")
    all_pods = output("kubectl get pods -A", "NAMESPACE NAME READY STATUS")
    wanted = thing("Installation")
    assert seen("operator-installed-nothing", operator, wanted, artifacts=[all_pods])
    assert not seen("operator-installed-nothing", operator, artifacts=[all_pods])
    assert not seen("operator-installed-nothing", operator, wanted)
    filtered = output("kubectl get pods -A | grep tigera", "x")
    assert not seen("operator-installed-nothing", operator, wanted, artifacts=[filtered])
    node = pod("calico-node-q4x2b", namespace="calico-system", status="Pending")
    assert not seen("operator-installed-nothing", operator, wanted, node, artifacts=[all_pods])
