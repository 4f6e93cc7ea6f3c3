"""Tests of the signs that nobody translates the service address."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.fact import Fact
from calivet.facts.host import Route, VirtualServer
from calivet.facts.kubernetes import Pod
from calivet.signs.api.api_server import SIGNS
from calivet.signs.sighting import Sighting
from tests.signs.made_pictures import picture as made_picture
from tests.signs.made_pictures import thing

LIST = "kubectl get pods -n kube-system -o wide"


def at(number: int) -> Line:
    return Line("session.txt", number, "a line")


def artifact(command: str, lines: int = 10, kinds: tuple[str, ...] = ()) -> Artifact:
    return Artifact("session.txt", 1, [command, *["x"] * lines], host="w9", command=command, kinds=list(kinds))


def pod(number: int, name: str, node: str, status: str = "Running") -> Pod:
    ready = int(status == "Running")
    return Pod(at=at(number), name=name, node=node, status=status, ready=ready, containers=1)


def seen(sign: str, artifacts: list[Artifact], *facts: object) -> list[str | None]:
    return [sighting.node for sighting in SIGNS[sign](made_picture(*facts, artifacts=artifacts))]  # type: ignore[arg-type]


SICK = pod(2, "calico-node-aaaaa", "w9", "CrashLoopBackOff")


def test_node_without_kube_proxy_beside_nodes_with_it() -> None:
    whole = artifact(LIST, kinds=("kubectl-get",))
    assert seen("kube-proxy-absent", [whole], SICK, pod(3, "kube-proxy-bbbbb", "w8")) == ["w9"]
    assert seen("kube-proxy-absent", [whole], SICK, pod(3, "kube-proxy-bbbbb", "w9")) == []


def test_nothing_follows_from_a_filtered_list() -> None:
    part = artifact(LIST + " | grep calico", kinds=("kubectl-get",))
    assert seen("kube-proxy-absent", [part], SICK, pod(3, "kube-proxy-bbbbb", "w8")) == []


def test_cluster_with_its_own_api_server_and_no_kube_proxy_at_all() -> None:
    whole = artifact(LIST, kinds=("kubectl-get",))
    others = [pod(3, "kube-apiserver-m1", "m1"), pod(4, "etcd-m1", "m1"), pod(5, "coredns-5dd5756b68-aaaaa", "m1")]
    assert seen("kube-proxy-absent", [whole], SICK, *others) == ["w9"]
    # Distributions that run kube-proxy inside their agent show no API server pod either.
    assert seen("kube-proxy-absent", [whole], SICK, *others[2:]) == []


def test_sick_kube_proxy_matters_where_calico_node_is_sick() -> None:
    sick_proxy = pod(3, "kube-proxy-bbbbb", "w9", "CrashLoopBackOff")
    assert seen("kube-proxy-sick", [], SICK, sick_proxy) == ["w9"]
    assert seen("kube-proxy-sick", [], pod(2, "calico-node-aaaaa", "w9"), sick_proxy) == []


def test_empty_answer_to_a_search_for_the_rule() -> None:
    command = "iptables-save | grep 10.99.0.1"
    assert seen("service-rule-missing", [artifact(command, lines=0)]) == ["w9"]
    assert seen("service-rule-missing", [artifact(command, lines=2)]) == []


def test_ipvs_list_without_the_api_server() -> None:
    table = artifact("ipvsadm -Ln", kinds=("ipvs",))
    dns = VirtualServer(at=at(3), host="w9", address="10.99.0.10", port="53", backends=("10.1.1.1:53",))
    api = VirtualServer(at=at(4), host="w9", address="10.99.0.1", port="443", backends=("10.7.8.20:6443",))
    empty = VirtualServer(at=at(4), host="w9", address="10.99.0.1", port="443")
    other = VirtualServer(at=at(4), host="w9", address="localhost", port="31999")
    assert seen("service-rule-missing", [table], dns) == ["w9"]
    assert seen("service-rule-missing", [table], dns, empty) == ["w9"]
    assert seen("service-rule-missing", [table], dns, api) == []
    assert seen("service-rule-missing", [table], other) == [], "a list that was broken off"


def test_default_route_is_missed_only_in_a_whole_table() -> None:
    local = Route(at=at(2), host="w9", destination="10.7.8.0/24", device="eth0")
    default = Route(at=at(3), host="w9", destination="default", via="10.7.8.1")
    assert seen("no-default-route", [artifact("ip route")], local) == ["w9"]
    assert seen("no-default-route", [artifact("ip route")], local, default) == []
    assert seen("no-default-route", [artifact("ip route | grep bird")], local) == []


def test_rules_that_were_counted() -> None:
    command = "iptables-save -t nat | grep -c KUBE-SVC"
    none, some = (Artifact("s.txt", 1, [f"$ {command}", count], host="w9", command=command) for count in ("0", "41"))
    assert seen("service-rule-missing", [none]) == ["w9"]
    assert seen("service-rule-missing", [some]) == []


def test_no_kube_proxy_in_a_whole_list_and_no_ebpf() -> None:
    table = artifact(LIST, kinds=("kubectl-get",))
    pods = [
        pod(2, "calico-node-ab1cd", "w9"),
        pod(3, "kube-apiserver-w1", "w1"),
        pod(4, "etcd-w1", "w1"),
        pod(5, "coredns-5d78c9869d-x2x4z", "w9"),
    ]
    felix = thing("FelixConfiguration", spec__floatingIPs="Disabled")
    bpf = thing("FelixConfiguration", spec__bpfEnabled=True)

    def found(*facts: Fact) -> list[Sighting]:
        return list(SIGNS["nobody-programs-services"](made_picture(*facts, artifacts=[table])))

    assert found(*pods, felix)
    assert not found(*pods)  # its settings were not seen
    assert not found(*pods, bpf)
    assert not found(*pods, felix, pod(6, "kube-proxy-q1w2e", "w9"))
    assert not found(*(one for one in pods if "apiserver" not in one.name), felix)


def test_one_well_node_without_kube_proxy() -> None:
    whole = artifact("kubectl get pods -A -o wide", kinds=("kubectl-get",))
    agents = [pod(number, f"calico-node-aaaa{number}", f"w{number}") for number in (2, 3, 4)]
    proxies = [pod(5, "kube-proxy-bbbb5", "w2"), pod(6, "kube-proxy-bbbb6", "w3")]
    assert seen("node-without-kube-proxy", [whole], *agents, *proxies) == ["w4"]
    assert seen("node-without-kube-proxy", [whole], *agents, *proxies, pod(7, "kube-proxy-bbbb7", "w4")) == []
    # Where most have none, services are programmed by somebody else.
    assert seen("node-without-kube-proxy", [whole], *agents, proxies[0]) == []
    # Its kube-proxy is sick, which is another fault; or its calico-node is not up yet.
    crashing = pod(7, "kube-proxy-bbbb7", "w4", "CrashLoopBackOff")
    assert seen("node-without-kube-proxy", [whole], *agents, *proxies, crashing) == []
    joining = [*agents[:2], pod(4, "calico-node-aaaa4", "w4", "Init:0/2")]
    assert seen("node-without-kube-proxy", [whole], *joining, *proxies) == []
    ebpf = thing("FelixConfiguration", spec__bpfEnabled=True)
    assert seen("node-without-kube-proxy", [whole], *agents, *proxies, ebpf) == []
