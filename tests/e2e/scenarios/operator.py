"""Calico as the Tigera operator installs it, and what goes wrong only there."""

from __future__ import annotations

from typing import Any

from tests.e2e.kinds import CALICO as STORED
from tests.e2e.kinds import OPERATOR
from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import NO_NETWORK, agent_crashes, application
from tests.e2e.scenarios.calico_objects import resource
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import CALICO, NETWORK, healthy, start
from tests.e2e.scenarios.manifest import manifest
from tests.e2e.scenarios.moments import ago, written
from tests.e2e.scenarios.scenario import scenario
from tests.e2e.scenarios.surroundings import endpoints, service

SYSTEM = "calico-system"
FINE = ("AllObjectsAvailable", "All objects available")
OUTSIDE = "IPPool 172.30.0.0/16 is not within the platform's configured pod network CIDR(s) [10.244.0.0/16]"
INVALID = f"Invalid Installation provided: {OUTSIDE}"
REFUSES = f"""
{{"level":"error","ts":"@now@","logger":"controller_installation","msg":"Invalid Installation provided","Request.Namespace":"","Request.Name":"default","reason":"InvalidConfigurationError","error":"{OUTSIDE}"}}
"""
NO_NODES = """
[ERROR][9] startup/startup.go 451: Connection to the datastore is unauthorized error=connection is unauthorized: nodes "foo" is forbidden: User "system:serviceaccount:calico-system:calico-node" cannot get resource "nodes" in API group "" at the cluster scope
"""
DECOY = """
Error: ImagePullBackOff is not a colour
connection to typha refused
"""


def operator_install(workers: int = 3, *, network: str = NETWORK) -> Cluster:
    """Calico in calico-system, with Typha, kept by the operator."""
    cluster = healthy(workers, agent=manifest("calico-node-operator", calico=CALICO), network=network)
    cluster.definitions = (STORED, OPERATOR)
    cluster.others = [other for other in cluster.others if other["metadata"]["name"] != "calico-config"]
    machines = [node for node in cluster.nodes.values() if not node.role][:2]
    typha = manifest("calico-typha", calico=CALICO, namespace=SYSTEM)
    for node in machines:
        start(cluster.launch(typha, node), node)
    plane = cluster.nodes["plane-1"]
    start(cluster.launch(manifest("tigera-operator"), plane), plane)
    cluster.others += [
        service("calico-typha", "10.96.44.7", {"k8s-app": "calico-typha"}, 5473, SYSTEM),
        endpoints("calico-typha", SYSTEM, [node.address for node in machines], 5473),
        installation("10.244.0.0/16"),
        tigera_status("calico"),
        tigera_status("ippools"),
    ]
    return cluster


def installation(cidr: str) -> dict[str, Any]:
    """What the operator is told to install."""
    pools = [{"name": "default-ipv4-ippool", "cidr": cidr, "encapsulation": "IPIP", "natOutgoing": "Enabled"}]
    network = {"bgp": "Enabled", "ipPools": pools, "nodeAddressAutodetectionV4": {"firstFound": True}}
    told = resource("Installation", "default", OPERATOR, variant="Calico", calicoNetwork=network)
    return told | {"status": {"variant": "Calico", "calicoVersion": CALICO, "mtu": 1480}}


def tigera_status(name: str, *, degraded: str = "", reason: str = "") -> dict[str, Any]:
    """How the operator thinks a part of it is doing."""
    states = {
        "Available": ("False", reason, "") if degraded else ("True", *FINE),
        "Progressing": ("False", *FINE),
        "Degraded": ("True", reason, degraded) if degraded else ("False", *FINE),
    }
    conditions = [
        {"type": kind, "status": status, "reason": why, "message": message, "lastTransitionTime": written(ago(days=2))}
        for kind, (status, why, message) in states.items()
    ]
    return resource("TigeraStatus", name, OPERATOR) | {"status": {"conditions": conditions}}


@scenario(None)
def kept_by_the_operator() -> Cluster:
    """Calico in calico-system, and all is well."""
    return operator_install()


@scenario("operator-misconfigured")
def the_operator_is_told_nonsense() -> Cluster:
    """The pool lies outside the range that kubeadm was given, so the operator refuses to go on."""
    cluster = operator_install(workers=2)
    states = [
        tigera_status(name, degraded=INVALID, reason="InvalidConfigurationError") for name in ("calico", "ippools")
    ]
    kept = [other for other in cluster.others if other["kind"] not in {"Installation", "TigeraStatus"}]
    cluster.others = [*kept, installation("172.30.0.0/16"), *states]
    for name in ("calico-node", "calico-typha", "calico-kube-controllers"):
        cluster.remove(name)
        del cluster.workloads[name]
    for node in cluster.nodes.values():
        node.not_ready(NO_NETWORK, since=ago(hours=1))
    operator = cluster.pod("tigera-operator")
    operator["tigera-operator"].run(5 * REFUSES, since=operator.created)
    return cluster


@scenario("rbac-forbidden", "worker-2", also=("token-invalid",))
def a_namespace_is_called_like_it() -> Cluster:
    """calico-dashboard is somebody's application that fails by itself; the real fault is in calico-system."""
    cluster = operator_install()
    decoy = application(cluster, "calico-node-dashboard", "worker-1", "calico-dashboard")
    decoy["app"].crash(DECOY, times=12)
    agent_crashes(cluster, "worker-2", words.STARTUP + NO_NODES + words.END)
    return cluster
