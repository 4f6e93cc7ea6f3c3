"""Signs of an installation that is not whole, is there twice, does not fit, or is on its way out.

Also of leftovers of another network, and of Windows nodes without what they need.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from textwrap import shorten

from calivet.facts.calico import CniConfig, Pool
from calivet.facts.cluster_facts import ClusterFacts, is_sick, once
from calivet.facts.cluster_network import list_pools
from calivet.facts.fact import Command, Version
from calivet.facts.host import FirewallRule, Interface, Route
from calivet.facts.kubernetes import Condition, Node, Object, Row
from calivet.facts.networks import do_overlap, parse_network
from calivet.facts.platform import find_last_version, find_other_networks, find_platform, parse_minor_version
from calivet.facts.roles import find_role_of_name
from calivet.facts.vocabulary.commands import lists_all_pods
from calivet.facts.vocabulary.other_networks import find_chain_entered, find_owner_of_device
from calivet.forecast.settings import list_pool_modes, read_settings
from calivet.signs.sighting import Sighting

_LONGEST = 240
# These only repeat what a pod or another part of the cluster suffers from.
_ECHOES = ("PodFailure", "ResourceNotReady", "InternalServerError", "Unknown", "AllObjectsAvailable", "")
_AGENTS = ("calico-node", "canal", "rke2-canal")
_OPERATOR_NAMESPACE, _MANIFEST_NAMESPACE = "calico-system", "kube-system"


def find_operator_says_degraded(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A degraded status whose reason is the operator's own."""
    for condition in cluster.all(Condition):
        if condition.kind in ("tigerastatus", "installation") and _is_degraded(condition):
            values = {
                "name": condition.object,
                "message": shorten(condition.message or "", _LONGEST, placeholder="..."),
            }
            yield Sighting(line=condition.at, values=values)


def find_operator_status_degraded(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A status that is degraded for whatever reason."""
    for condition in cluster.all(Condition):
        if condition.kind == "tigerastatus" and condition.type == "Degraded" and condition.status == "True":
            yield Sighting(line=condition.at, values={"name": condition.object})


def find_operator_says_available(cluster: ClusterFacts) -> Iterator[Sighting]:
    """TigeraStatus calico is available, and nothing is degraded."""
    if any(find_operator_status_degraded(cluster)):
        return
    latest = {
        condition.type: condition
        for condition in cluster.all(Condition)
        if condition.kind == "tigerastatus" and condition.object == "calico"
    }
    states = {kind: condition.status for kind, condition in latest.items()}
    if states.get("Available") == "True" and states.get("Degraded") == "False":
        yield Sighting(line=latest["Available"].at)


def find_two_calico_installations(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node of an operator and of a manifest installation side by side."""
    seen = {pod.namespace: pod.at for pod in cluster.pods("calico-node") if pod.namespace}
    for row in cluster.all(Row):
        if row.resource == "daemonset" and row.name == "calico-node" and row.namespace:
            seen[row.namespace] = row.at
    if _OPERATOR_NAMESPACE in seen and _MANIFEST_NAMESPACE in seen:
        values = {"namespaces": f"{_MANIFEST_NAMESPACE}, {_OPERATOR_NAMESPACE}"}
        yield Sighting(line=seen[_MANIFEST_NAMESPACE], values=values)


def find_operator_install_beside_manifest(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator's calico-node beside one that a manifest left: on the same node, or sick while the other runs."""
    pods = list({pod.name: pod for pod in cluster.pods("calico-node")}.values())
    old = {pod.node for pod in pods if pod.namespace == _MANIFEST_NAMESPACE and pod.status == "Running"}
    for pod in pods:
        clash = (pod.node in old) if pod.node else is_sick(pod)
        if old and pod.namespace == _OPERATOR_NAMESPACE and clash:
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name})


def find_two_calico_daemonsets(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Two DaemonSets of Calico that both want pods; one that wants none is only an empty shell."""
    wanted = {
        f"{row.namespace}/{row.name}": row
        for row in cluster.all(Row)
        if row.resource == "daemonset" and row.namespace and row.name in _AGENTS and _wants_pods(row)
    }
    if len(wanted) > 1:
        first, second = sorted(wanted)[:2]
        yield Sighting(line=wanted[second].at, values={"first": first, "second": second})


def find_operator_installed_nothing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All pods were listed and the operator is among them, but no calico-node."""
    operators = [pod for pod in cluster.pods("operator") if pod.status == "Running"]
    if operators and not cluster.pods("calico-node") and _are_all_listed(cluster) and _is_calico_wanted(cluster):
        yield Sighting(line=operators[0].at, node=operators[0].node)


def _wants_pods(row: Row) -> bool:
    return row.cells.get("DESIRED", "0") != "0"


def _is_degraded(condition: Condition) -> bool:
    return condition.type == "Degraded" and condition.status == "True" and (condition.reason or "") not in _ECHOES


def _are_all_listed(cluster: ClusterFacts) -> bool:
    return any(lists_all_pods(command.line) for command in cluster.all(Command))


def _is_calico_wanted(cluster: ClusterFacts) -> bool:
    """Whether an Installation was seen that asks for Calico."""
    asked = any(thing.kind == "Installation" for thing in cluster.all(Object))
    return asked or any(row.resource == "installation" for row in cluster.all(Row)) or _is_namespace_made(cluster)


def _is_namespace_made(cluster: ClusterFacts) -> bool:
    return any(find_role_of_name(row.name or "") == "operator" for row in cluster.all(Row))


_PARTS = ("calico-node", "calico-cni", "kube-controllers", "typha", "pod2daemon", "calico-apiserver")
# Oldest and newest Kubernetes minor that each Calico minor was tested with.
_TESTED = {
    (2, 6): (6, 8), (3, 0): (8, 9), (3, 1): (8, 10), (3, 2): (10, 11), (3, 3): (10, 12), (3, 4): (11, 13),
    (3, 5): (11, 13), (3, 6): (12, 14), (3, 7): (12, 14), (3, 8): (13, 15), (3, 9): (13, 16), (3, 10): (14, 16),
    (3, 11): (14, 16), (3, 12): (15, 17), (3, 13): (15, 17), (3, 14): (16, 18), (3, 15): (16, 18), (3, 16): (16, 19),
    (3, 17): (17, 19), (3, 18): (18, 20), (3, 19): (19, 21), (3, 20): (19, 21), (3, 21): (20, 22), (3, 22): (21, 23),
    (3, 23): (21, 23), (3, 24): (22, 25), (3, 25): (23, 28), (3, 26): (24, 28), (3, 27): (27, 29), (3, 28): (27, 30),
    (3, 29): (29, 31), (3, 30): (31, 33), (3, 31): (32, 34),
}  # fmt: skip
# Neighbouring minors work in practice; beyond these many it is worth a word.
_LEEWAY = 3
_RIVALS = ("flannel", "cilium", "weave", "weave-net", "kube-router", "antrea", "kindnet", "kindnetd")
"""Networks that give pods addresses and routes themselves."""


def find_calico_parts_differ(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Calico's parts, or its pods among themselves, that are of different minor releases."""
    seen: dict[str, Version] = {}
    for version in cluster.all(Version):
        if version.program in _PARTS and parse_minor_version(version.version):
            seen[f"{version.program} {version.version}"] = version
    if len({parse_minor_version(version.version) for version in seen.values()}) > 1:
        yield Sighting(line=next(iter(seen.values())).at, values={"versions": ", ".join(sorted(seen))})


def find_images_of_one_pod_differ(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node and the plugin beside it in one DaemonSet are of different minor releases: nobody ships that."""
    daemonsets = {thing.name for thing in cluster.all(Object) if thing.kind == "DaemonSet" and not thing.partial}
    shipped: dict[str, dict[str, Version]] = defaultdict(dict)
    for version in cluster.all(Version):
        if version.owner in daemonsets and version.program in _PARTS and parse_minor_version(version.version):
            shipped[str(version.owner)][version.program] = version
    for parts in shipped.values():
        if len({parse_minor_version(part.version) for part in parts.values()}) > 1:
            told = ", ".join(sorted(f"{part.program} {part.version}" for part in parts.values()))
            yield Sighting(line=next(iter(parts.values())).at, values={"versions": told})


def find_kubernetes_far_from_tested(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A Kubernetes minor well outside the range that this Calico was tested with."""
    calico = find_last_version(cluster)
    tested = _TESTED.get(parse_minor_version(calico.version) or (0, 0)) if calico else None
    kubernetes = next((node.version for node in cluster.all(Node) if node.version), None)
    minor = parse_minor_version(kubernetes or "")
    if calico and tested and kubernetes and minor and not tested[0] - _LEEWAY <= minor[1] <= tested[1] + _LEEWAY:
        values = {
            "calico": calico.version,
            "kubernetes": kubernetes,
            "tested": f"1.{tested[0]}-1.{tested[1]}",
        }
        yield Sighting(line=calico.at, values=values)


_CONFIGURATIONS = ("IPAMConfig", "IPAMConfiguration")


def find_windows_without_strict_affinity(cluster: ClusterFacts) -> Iterator[Sighting]:
    """There is a Windows node, and IPAM does not keep blocks to their nodes."""
    nodes = _list_windows_nodes(cluster)
    if not nodes:
        return
    for thing in cluster.all(Object):
        if thing.kind in _CONFIGURATIONS and thing.values.get("spec.strictAffinity") is False:
            yield Sighting(line=thing.find_line_of("spec.strictAffinity"), node=nodes[0].name)
    for row in cluster.all(Row):
        if row.cells.get("PROPERTY") == "StrictAffinity" and row.cells.get("VALUE") == "false":
            yield Sighting(line=row.at, node=nodes[0].name)


def find_windows_with_ipip(cluster: ClusterFacts) -> Iterator[Sighting]:
    """There is a Windows node, and every pool uses IP-in-IP, which Windows has not."""
    modes = list_pool_modes(cluster)
    if modes and all(mode.wrapping == "IPIP" for mode in modes):
        for node in _list_windows_nodes(cluster):
            yield Sighting(line=node.at, node=node.name, values={"cidr": modes[0].cidr})


def _list_windows_nodes(cluster: ClusterFacts) -> list[Node]:
    return [
        node for node in cluster.all(Node) if "windows" in f"{node.os} {node.labels.get('kubernetes.io/os')}".lower()
    ]


def find_foreign_network_rules(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A jump into the chains of a network that does not run any more, unless it was counted and never met."""
    for rule in cluster.all(FirewallRule) if _is_calico_alone(cluster) else ():
        entered = find_chain_entered(rule.chain, rule.target, rule.rule) if rule.packets != 0 else None
        if entered:
            network, chain = entered
            values = {"network": network, "chain": chain}
            yield Sighting(line=rule.at, node=cluster.names.find_node_or_host(rule.host), values=values)


def find_foreign_network_devices(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A device of a network that does not run any more."""
    for device in cluster.all(Interface) if _is_calico_alone(cluster) else ():
        network = find_owner_of_device(device.name) if device.exists and device.up is not False else None
        if network:
            values = {"network": network, "device": device.name}
            yield Sighting(line=device.at, node=cluster.names.find_node_or_host(device.host), values=values)


def find_foreign_network_routes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A route of such a network that lies in a range which is Calico's now."""
    pools = [pool.network for pool in list_pools(cluster)]
    for route in cluster.all(Route) if pools and _is_calico_alone(cluster) else ():
        network = find_owner_of_device(route.device)
        where = parse_network(route.destination) if network else None
        if network and where and where.prefixlen and any(do_overlap(where, pool) for pool in pools):
            values = {"network": network, "device": str(route.device), "route": route.destination}
            yield Sighting(line=route.at, node=cluster.names.find_node_or_host(route.host), values=values)


def find_other_network_beside_calico(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Another network's agents run where Calico itself makes the pods' networks and routes: the plugin is Calico's."""
    own = [config for config in cluster.all(CniConfig) if "calico" in config.plugins]
    is_networking = read_settings(cluster).backend != "none" and bool(cluster.all(Pool))
    if own and is_networking and all(config.ipam in (None, "calico-ipam") for config in own):
        for told in find_other_networks(cluster):
            if told.value in _RIVALS:
                yield Sighting(line=told.line, values={"network": told.value})
                return


def find_other_network_runs(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Another network is still at work."""
    for told in find_other_networks(cluster):
        yield Sighting(line=told.line, values={"network": told.value})


@once
def _is_calico_alone(cluster: ClusterFacts) -> bool:
    """Whether pods get their network from Calico and no other network was seen at work."""
    return find_platform(cluster).answer("network") == "calico" and not any(find_other_network_runs(cluster))


_DELETED, _PHASE = "metadata.deletionTimestamp", "status.phase"
_ACCOUNT_KINDS = ("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
_OWN_NAMES = ("calico", "canal", "tigera")
_OWN_NAMESPACES = ("calico-system", "calico-apiserver", "tigera-operator")
_OWN_GROUPS = ("operator.tigera.io/", "crd.projectcalico.org/", "projectcalico.org/")
_OWN_DEFINITIONS = (".projectcalico.org", ".tigera.io")


def find_calico_account_terminating(cluster: ClusterFacts) -> Iterator[Sighting]:
    """An account of Calico, or what gives it its rights, that is being deleted: its tokens are refused already."""
    for thing in cluster.all(Object):
        own = thing.kind in _ACCOUNT_KINDS and (thing.name or "").startswith(_OWN_NAMES)
        if own and thing.values.get(_DELETED):
            yield _describe(thing)


def find_calico_object_terminating(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A namespace, definition or resource of Calico that is being deleted and held back by a finalizer."""
    for thing in cluster.all(Object):
        if thing.kind not in _ACCOUNT_KINDS and thing.values.get(_DELETED) and _is_calicos(thing) and _is_held(thing):
            yield _describe(thing)


def find_datastore_migration_unfinished(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A DatastoreMigration that has begun and is not complete."""
    for thing in cluster.all(Object):
        phase = thing.values.get(_PHASE)
        if thing.kind == "DatastoreMigration" and phase and phase != "Complete":
            message = str(thing.values.get("status.message") or "")[:120]
            values = {"name": thing.name or "", "phase": str(phase), "message": message}
            yield Sighting(line=thing.find_line_of(_PHASE), values=values)


def _describe(thing: Object) -> Sighting:
    values = {"kind": thing.kind or "", "name": thing.name or "", "finalizers": ", ".join(_list_finalizers(thing))}
    return Sighting(line=thing.find_line_of(_DELETED), values=values)


def _list_finalizers(thing: Object) -> list[str]:
    prefixes = ("metadata.finalizers[", "spec.finalizers[")
    return [str(value) for path, value in thing.values.items() if path.startswith(prefixes)]


def _is_held(thing: Object) -> bool:
    """Pods and the like carry the time for the seconds in which they end; only a finalizer holds for good."""
    return bool(_list_finalizers(thing))


def _is_calicos(thing: Object) -> bool:
    if thing.kind == "Namespace":
        return thing.name in _OWN_NAMESPACES
    if thing.kind == "CustomResourceDefinition":
        return (thing.name or "").endswith(_OWN_DEFINITIONS)
    return (thing.api or "").startswith(_OWN_GROUPS)


SIGNS = {
    "operator-says-degraded": find_operator_says_degraded,
    "operator-status-degraded": find_operator_status_degraded,
    "operator-says-available": find_operator_says_available,
    "two-calico-installations": find_two_calico_installations,
    "operator-install-beside-manifest": find_operator_install_beside_manifest,
    "two-calico-daemonsets": find_two_calico_daemonsets,
    "operator-installed-nothing": find_operator_installed_nothing,
    "calico-parts-differ": find_calico_parts_differ,
    "images-of-one-pod-differ": find_images_of_one_pod_differ,
    "kubernetes-far-from-tested": find_kubernetes_far_from_tested,
    "windows-without-strict-affinity": find_windows_without_strict_affinity,
    "windows-with-ipip": find_windows_with_ipip,
    "foreign-network-rules": find_foreign_network_rules,
    "foreign-network-devices": find_foreign_network_devices,
    "foreign-network-routes": find_foreign_network_routes,
    "other-network-runs": find_other_network_runs,
    "other-network-beside-calico": find_other_network_beside_calico,
    "calico-account-terminating": find_calico_account_terminating,
    "calico-object-terminating": find_calico_object_terminating,
    "datastore-migration-unfinished": find_datastore_migration_unfinished,
}
