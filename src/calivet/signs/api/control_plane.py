"""Signs of the control plane and of Calico's datastore: etcd, the API server, the custom resources."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import CniConfig
from calivet.facts.cluster_facts import ClusterFacts, is_healthy, is_sick
from calivet.facts.fact import Variable
from calivet.facts.host import EtcdDiskWait
from calivet.facts.kubernetes import DefinedKinds, DefinitionMade, EtcdServers, Object, Pod, ServerCheck, UnknownKind
from calivet.facts.platform import find_newest_calico
from calivet.facts.vocabulary.identifiers import find_endpoints_without_scheme, find_etcd_hosts
from calivet.signs.sighting import Sighting

_ETCD_NAMES = ("ETCD_ENDPOINTS", "ETCD_AUTHORITY")
SHOWN = 3


def find_apiserver_sick(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A kube-apiserver pod that was seen in a bad state."""
    return _find_sick_pods(cluster, "apiserver")


def find_api_server_answers(cluster: ClusterFacts) -> Iterator[Sighting]:
    """It told whoever asked that it is there, and no other API server of the cluster was seen in a bad state."""
    answered = [check for check in cluster.all(ServerCheck) if check.name == "ping" and check.ok]
    if answered and not any(is_sick(pod) for pod in cluster.pods("apiserver")):
        yield Sighting(line=answered[-1].at)


def find_etcd_sick(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An etcd pod that was seen in a bad state."""
    return _find_sick_pods(cluster, "etcd")


def find_typha_none_ready(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Typha pods are there, and none of them was ever seen ready."""
    pods = [pod for pod in cluster.pods("typha") if is_sick(pod) or is_healthy(pod)]
    if pods and not any(is_healthy(pod) for pod in pods):
        yield _build_pod_sighting(pods[0])


def find_some_calico_nodes_healthy(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node is sick on some nodes and works on others."""
    pods = cluster.list_latest_pods("calico-node")
    healthy = [pod for pod in pods if is_healthy(pod)]
    if healthy and any(is_sick(pod) for pod in pods):
        named = ", ".join(pod.node or pod.name for pod in healthy[:SHOWN])
        yield Sighting(line=healthy[0].at, values={"healthy": named})


def find_calico_etcd_mode(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Calico is told to keep its data in etcd."""
    for variable in cluster.all(Variable):
        chosen = variable.name == "DATASTORE_TYPE" and variable.value.lower().startswith("etcd")
        if chosen or (variable.name in _ETCD_NAMES and variable.value):
            yield Sighting(line=variable.at, values={"setting": variable.name})
    for thing in cluster.all(Object):
        if any(path.endswith("etcd_endpoints") and "://" in str(value) for path, value in thing.values.items()):
            yield Sighting(line=thing.at, values={"setting": "etcd_endpoints"})
    for config in cluster.all(CniConfig):
        if (config.datastore or "").startswith("etcd"):
            yield Sighting(line=config.at, values={"setting": "datastore_type"})


def find_calico_kubernetes_mode(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Calico is told to keep its data in the Kubernetes API."""
    for variable in cluster.all(Variable):
        if variable.name == "DATASTORE_TYPE" and variable.value.lower() == "kubernetes":
            yield Sighting(line=variable.at)
    for config in cluster.all(CniConfig):
        if config.datastore == "kubernetes":
            yield Sighting(line=config.at)


def _find_sick_pods(cluster: ClusterFacts, role: str) -> Iterator[Sighting]:
    return (_build_pod_sighting(pod) for pod in cluster.pods(role) if is_sick(pod))


def _build_pod_sighting(pod: Pod) -> Sighting:
    return Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "status": _format_status(pod)})


def _format_status(pod: Pod) -> str:
    return f"{pod.status} {pod.ready}/{pod.containers}" if pod.status == "Running" else str(pod.status)


def find_even_etcd_members(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An even number of etcd members: one loss more costs the quorum, and two can lose their leader to each other."""
    members = cluster.list_latest_pods("etcd")
    if members and len(members) % 2 == 0:
        values = {"count": str(len(members)), "members": ", ".join(pod.name for pod in members)}
        yield Sighting(line=members[0].at, values=values)


# With a good disk hardly any write takes longer; a tenth of them is what makes elections and time limits run out.
_LATE = (0.05, 0.13)
_SHARE = 0.1
_ENOUGH_WRITES = 1000


def find_etcd_waits_for_disk(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A tenth of etcd's writes took longer than an eighth of a second."""
    latest: dict[tuple[str, str, float], EtcdDiskWait] = {}
    for step in cluster.all(EtcdDiskWait):
        key = step.at.artifact, step.what, step.total
        if _LATE[0] <= step.within <= _LATE[1] and (key not in latest or step.within > latest[key].within):
            latest[key] = step
    for step in latest.values():
        late = 1 - step.count / step.total if step.total >= _ENOUGH_WRITES else 0.0
        if late >= _SHARE:
            values = {"what": step.what.replace("_", " "), "share": f"{late:.0%}", "limit": f"{step.within:g} s"}
            yield Sighting(line=step.at, node=cluster.names.node(step.host), values=values)


_KEYS = ("etcd_endpoints", "ETCD_ENDPOINTS")
_OWN = ("127.0.0.1", "localhost", "[::1]")


def find_etcd_moved_away(cluster: ClusterFacts) -> Iterator[Sighting]:
    """None of the addresses where Calico looks for etcd is one that the API server uses."""
    told = list(_list_calico_endpoints(cluster))
    used = {host for servers in cluster.all(EtcdServers) for host in servers.hosts}
    for line, written in told:
        theirs = set(find_etcd_hosts(written))
        if theirs and used and not theirs & used and not used & set(_OWN):
            values = {"calico": ", ".join(sorted(theirs)), "server": ", ".join(sorted(used))}
            yield Sighting(line=line, values=values)


def find_etcd_without_scheme(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An address of etcd without http:// or https:// before it, which Calico's client cannot use."""
    for line, written in _list_calico_endpoints(cluster):
        if bare := find_endpoints_without_scheme(written):
            yield Sighting(line=line, values={"endpoint": bare[0]})


def _list_calico_endpoints(cluster: ClusterFacts) -> Iterator[tuple[Line, str]]:
    for variable in cluster.all(Variable):
        if variable.name in _KEYS:
            yield variable.at, variable.value
    for thing in cluster.all(Object):
        for path, value in thing.values.items():
            if path.endswith(_KEYS) and isinstance(value, str):
                yield thing.at, value


# A list shorter than this is an excerpt about something else.
_ENOUGH_DEFINITIONS = 5
# What every release needs, and what came with one: (first release, kinds).
_NEEDED: tuple[tuple[tuple[int, int], tuple[str, ...]], ...] = (
    ((3, 0), ("felixconfigurations", "ippools", "clusterinformations", "globalnetworkpolicies", "hostendpoints")),
    ((3, 4), ("globalnetworksets", "networkpolicies", "bgpconfigurations")),
    ((3, 8), ("networksets",)),
    ((3, 15), ("kubecontrollersconfigurations",)),
    ((3, 21), ("caliconodestatuses", "ipreservations")),
    ((3, 26), ("bgpfilters",)),
    ((3, 29), ("tiers",)),
)


def find_calico_crds_incomplete(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A list of Calico's definitions that lacks what its version needs."""
    # Unknown counts as a version that needs what all since 3.8 need.
    version = find_newest_calico(cluster, unknown=(3, 8))
    for listed in cluster.all(DefinedKinds):
        missing = [kind for first, kinds in _NEEDED if first <= version for kind in kinds if kind not in listed.kinds]
        if len(listed.kinds) >= _ENOUGH_DEFINITIONS and missing:
            yield Sighting(line=listed.at, values={"missing": ", ".join(missing)})


def find_crd_defined_after_all(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A kind that was not known to somebody, and whose definition was made all the same: he came too early."""
    missed = {unknown.kind for unknown in cluster.all(UnknownKind)}
    made = (one for one in cluster.all(DefinitionMade) if one.plural.removesuffix("s") in missed)
    if first := next(made, None):
        yield Sighting(line=first.at, values={"kind": first.plural})


SIGNS = {
    "api-server-answers": find_api_server_answers,
    "apiserver-sick": find_apiserver_sick,
    "etcd-sick": find_etcd_sick,
    "typha-none-ready": find_typha_none_ready,
    "some-calico-nodes-healthy": find_some_calico_nodes_healthy,
    "calico-etcd-mode": find_calico_etcd_mode,
    "calico-kubernetes-mode": find_calico_kubernetes_mode,
    "even-etcd-members": find_even_etcd_members,
    "etcd-waits-for-disk": find_etcd_waits_for_disk,
    "etcd-moved-away": find_etcd_moved_away,
    "etcd-without-scheme": find_etcd_without_scheme,
    "calico-crds-incomplete": find_calico_crds_incomplete,
    "crd-defined-after-all": find_crd_defined_after_all,
}
