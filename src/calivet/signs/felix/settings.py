"""Signs in Felix's settings beside what the rest of the cluster is told: each is valid alone, together they do harm."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.cluster_facts import ClusterFacts, is_healthy
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Object
from calivet.facts.machines import list_nft_systems
from calivet.facts.platform import find_platform
from calivet.signs.sighting import Sighting

_PLUGINS_PREFIX = "cali"
"""How Calico's own plugin names the host's end of a pod's network, whatever Felix is told."""
_OWN_NETWORKS = ("calico", "canal")
_CLEANUP = "spec.bpfKubeProxyIptablesCleanupEnabled"
_BPF = "spec.bpfEnabled"
_DATAPLANE = "spec.calicoNetwork.linuxDataplane"
_BACKEND = "spec.iptablesBackend"


def find_pod_interfaces_unknown_to_felix(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix is told to look after interfaces of another name than those that Calico's plugin makes."""
    network = find_platform(cluster).answer("network")
    for line, written in _list_prefixes(cluster) if network in (None, *_OWN_NETWORKS) else ():
        prefixes = [one.strip() for one in written.split(",") if one.strip()]
        if prefixes and not any(_PLUGINS_PREFIX.startswith(prefix) for prefix in prefixes):
            yield Sighting(line=line, values={"prefix": written})


def _list_prefixes(cluster: ClusterFacts) -> Iterator[tuple[Line, str]]:
    path = "spec.interfacePrefix"
    for thing in _list_felix(cluster):
        if path in thing.values:
            yield thing.find_line_of(path), str(thing.values[path])
    for variable in cluster.all(Variable):
        if variable.name == "FELIX_INTERFACEPREFIX":
            yield variable.at, variable.value


def find_kube_proxy_beside_bpf(cluster: ClusterFacts) -> Iterator[Sighting]:
    """eBPF is on, kube-proxy writes its rules, and Felix is left to take them away: each undoes the other's work."""
    settings = [thing for thing in _list_felix(cluster) if thing.name in (None, "default") and not thing.partial]
    proxies = [pod for pod in cluster.list_latest_pods("kube-proxy") if is_healthy(pod)]
    mode = find_platform(cluster).answer("kube_proxy")
    for thing in settings if proxies and mode in (None, "iptables") else ():
        if thing.values.get(_BPF) is True and str(thing.values.get(_CLEANUP)).lower() != "false":
            yield Sighting(line=thing.find_line_of(_BPF), values={"pods": str(len(proxies))})


def find_dataplane_of_installation_differs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator is told one data plane and Felix the other; it does not overrule what somebody else has written."""
    wanted = [thing for thing in cluster.all(Object) if thing.kind == "Installation" and not thing.partial]
    for thing in _list_felix(cluster) if wanted else ():
        asked = str(wanted[-1].values.get(_DATAPLANE) or "Iptables")
        is_on = thing.values.get(_BPF)
        if thing.name == "default" and isinstance(is_on, bool) and is_on is not (asked == "BPF"):
            values = {"asked": asked, "setting": str(is_on).lower()}
            yield Sighting(line=thing.find_line_of(_BPF), values=values)


def find_legacy_backend_on_nft_system(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix is told to write to the old tables on systems whose own tools write to the new ones."""
    told = [thing for thing in _list_felix(cluster) if str(thing.values.get(_BACKEND)).lower() == "legacy"]
    systems = list_nft_systems(cluster)
    if told and systems:
        yield Sighting(line=told[0].find_line_of(_BACKEND), values={"system": systems[0]})


def _list_felix(cluster: ClusterFacts) -> list[Object]:
    return [thing for thing in cluster.all(Object) if thing.kind == "FelixConfiguration"]


SIGNS = {
    "pod-interfaces-unknown-to-felix": find_pod_interfaces_unknown_to_felix,
    "kube-proxy-beside-bpf": find_kube_proxy_beside_bpf,
    "dataplane-of-installation-differs": find_dataplane_of_installation_differs,
    "legacy-backend-on-nft-system": find_legacy_backend_on_nft_system,
}
