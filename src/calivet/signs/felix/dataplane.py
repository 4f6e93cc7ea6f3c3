"""Signs of Felix and its data planes: eBPF, iptables, WireGuard, and a Felix that keeps restarting."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import (
    BpfDevices,
    DataplaneMode,
    FelixRestarts,
    FelixRevived,
    HealthReport,
    IptablesBackend,
    LogSpan,
    MissingWireguardKey,
    NodeAddress,
    Pool,
    WireguardUnsupported,
)
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import map_node_addresses
from calivet.facts.fact import EmptySearch, Variable
from calivet.facts.host import FirewallRule, Interface, Route
from calivet.facts.kubernetes import Container, Node, Object, Pod, has_crashed
from calivet.facts.node_of_line import build_log_span_table
from calivet.facts.platform import Minor, find_newest_calico, find_platform
from calivet.facts.vocabulary.commands import find_packet_filter_backend
from calivet.facts.vocabulary.identifiers import is_card, is_foreign_device, may_pattern_fit
from calivet.facts.vocabulary.messages import abbreviate, lacks_bpf_mounts
from calivet.signs.install.cni_files import find_failing_containers
from calivet.signs.sighting import Sighting

_NEWEST: Minor = (9, 0)
# The default has grown: bonds are in it from 3.30 on, PCI domains (enP) from 3.26 on.
_DEFAULTS: tuple[tuple[Minor, str], ...] = (
    ((3, 30), r"^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)"),
    ((3, 26), r"^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan).*)"),
    ((0, 0), r"^((en|wl|ww|sl|ib)[opsx].*|(eth|wlan|wwan).*)"),
)
_PATTERNS = ("bpfDataIfacePattern", "bpfL3IfacePattern")
_VARIABLES = ("FELIX_BPFDATAIFACEPATTERN", "FELIX_BPFL3IFACEPATTERN")


def find_main_card_not_in_pattern(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The card with the node's address, in eBPF mode, is none that Felix attaches its programs to."""
    plane = find_platform(cluster).data_plane
    if plane is None or plane.value != "ebpf":
        return
    patterns = _list_patterns(cluster)
    for node, card, line in _list_main_cards(cluster) if patterns else ():
        if is_card(card) and not any(may_pattern_fit(pattern, card) for pattern in patterns):
            yield Sighting(line=line, node=node, values={"card": card, "pattern": patterns[0]})


def find_main_card_unknown_to_bpf(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The card with the node's address is not among those that Felix has told the eBPF programs of."""
    dumps = cluster.all(BpfDevices)
    for node, card, _ in _list_main_cards(cluster) if dumps else ():
        own = [dump for dump in dumps if (_find_node(dump, cluster) or node) == node or node is None]
        if is_card(card) and own and not any(card in dump.names for dump in own):
            seen = ", ".join(own[-1].names[:4]) or "-"
            yield Sighting(line=own[-1].at, node=node, values={"card": card, "known": seen})


def _find_node(dump: BpfDevices, cluster: ClusterFacts) -> str | None:
    return cluster.names.node(dump.host) or cluster.find_node_of_pod(dump.pod)


@once
def _list_patterns(cluster: ClusterFacts) -> list[str]:
    """As written; where the configuration was seen and has none for data interfaces, the default of the version."""
    found: dict[str, str] = {}
    for thing in cluster.all(Object):
        for name in _PATTERNS:
            if written := thing.values.get(f"spec.{name}"):
                found[name] = str(written)
    for variable in cluster.all(Variable):
        if variable.name.upper() in _VARIABLES:
            found[_PATTERNS[_VARIABLES.index(variable.name.upper())]] = variable.value
    if not found and not _is_configuration_seen(cluster):
        return []
    version = find_newest_calico(cluster, unknown=_NEWEST)
    default = next(text for since, text in _DEFAULTS if version >= since)
    return [found.get(_PATTERNS[0], default), *(found[name] for name in _PATTERNS[1:] if name in found)]


def _is_configuration_seen(cluster: ClusterFacts) -> bool:
    return any(thing.kind == "FelixConfiguration" and not thing.partial for thing in cluster.all(Object))


def _list_main_cards(cluster: ClusterFacts) -> Iterator[tuple[str | None, str, Line]]:
    """Each machine's card with the node's address; where none is known, that of the default route, or the only one."""
    addresses = set(map_node_addresses(cluster).values())
    found: dict[tuple[str | None, str], Line] = {}
    for told in cluster.all(NodeAddress):
        if told.interface:
            found.setdefault((cluster.names.node(told.node), told.interface), told.at)
    for card in cluster.all(Interface):
        if any(address.partition("/")[0] in addresses for address in card.addresses):
            found.setdefault((cluster.names.find_node_or_host(card.host), card.name), card.at)
    known = {node for node, _ in found}
    for route in cluster.all(Route):
        node = cluster.names.find_node_or_host(route.host)
        if route.destination == "default" and route.device and route.table is None and node not in known:
            found.setdefault((node, route.device), route.at)
    known = {node for node, _ in found}
    yield from ((node, card, line) for (node, card), line in found.items())
    yield from ((node, card.name, card.at) for node, card in _list_only_cards(cluster) if node not in known)


def _list_only_cards(cluster: ClusterFacts) -> Iterator[tuple[str | None, Interface]]:
    """The card of each machine that has but one with an address."""
    cards: dict[str | None, dict[str, Interface]] = {}
    for card in cluster.all(Interface):
        if is_card(card.name) and not is_foreign_device(card.name) and any("." in one for one in card.addresses):
            cards.setdefault(cluster.names.find_node_or_host(card.host), {})[card.name] = card
    yield from ((node, next(iter(own.values()))) for node, own in cards.items() if len(own) == 1)


_INIT_FAILED = ("Init:CrashLoopBackOff", "Init:Error")
_BPF_CONTAINERS = ("mount-bpffs", "ebpf-bootstrap")


def find_bpf_mode_on(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The eBPF data plane is asked for."""
    yield from _find_bpf_settings(cluster, ("true", "bpf"))


def find_bpf_mode_off(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The data plane is said to be another than eBPF."""
    yield from _find_bpf_settings(cluster, ("false", "iptables", "nftables"))


def _find_bpf_settings(cluster: ClusterFacts, wanted: tuple[str, ...]) -> Iterator[Sighting]:
    for variable in cluster.all(Variable):
        if variable.name == "FELIX_BPFENABLED" and variable.value.lower() in wanted:
            yield Sighting(line=variable.at)
    for thing in cluster.all(Object):
        for path, value in thing.values.items():
            if path.endswith(("bpfEnabled", "linuxDataplane")) and str(value).lower() in wanted:
                yield Sighting(line=thing.at)


_TUNNEL_SWITCHES = {"spec.ipipEnabled": "IPIP", "spec.vxlanEnabled": "VXLAN"}
_TUNNEL_VARIABLES = {"FELIX_IPINIPENABLED": "IPIP", "FELIX_VXLANENABLED": "VXLAN"}
"""They go before every FelixConfiguration."""


def find_tunnel_of_pool_switched_off(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A pool asks for a tunnel that Felix is told not to have."""
    asked = {}
    for pool in cluster.all(Pool):
        for kind, mode in (("IPIP", pool.ipip), ("VXLAN", pool.vxlan)):
            if pool.disabled is not True and (mode or "Never") != "Never":
                asked[kind] = pool
    for variable in cluster.all(Variable):
        if variable.value.lower() == "true":
            asked.pop(_TUNNEL_VARIABLES.get(variable.name, ""), None)
    for thing in cluster.all(Object):
        for path, kind in _TUNNEL_SWITCHES.items():
            is_off = str(thing.values.get(path)).lower() == "false"
            if thing.kind == "FelixConfiguration" and is_off and kind in asked:
                values = {"setting": path.removeprefix("spec."), "tunnel": kind, "cidr": asked[kind].cidr}
                node = _find_node_of_settings(cluster, thing)
                yield Sighting(line=thing.find_line_of(path), node=node, values=values)


_ALIKE_EVERYWHERE = {"spec.vxlanPort": 4789, "spec.vxlanVNI": 4096}
_OF_NODE = "node."


def find_vxlan_differs_on_node(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Pods' packets go through VXLAN, and a node has a port or a network id of its own: its tunnel meets no other."""
    asked = any((pool.vxlan or "Never") != "Never" for pool in cluster.all(Pool) if pool.disabled is not True)
    settings = [thing for thing in cluster.all(Object) if thing.kind == "FelixConfiguration"] if asked else []
    common = {path: value for thing in settings if thing.name == "default" for path, value in thing.values.items()}
    for thing in settings:
        for path, usual in _ALIKE_EVERYWHERE.items():
            own, others = thing.values.get(path), common.get(path, usual)
            if (thing.name or "").startswith(_OF_NODE) and own is not None and str(own) != str(others):
                node = _find_node_of_settings(cluster, thing)
                values = {"setting": path.removeprefix("spec."), "own": str(own), "others": str(others)}
                yield Sighting(line=thing.find_line_of(path), node=node, values=values)


def _find_node_of_settings(cluster: ClusterFacts, thing: Object) -> str | None:
    """The node that a FelixConfiguration is for; None for that of all."""
    _, is_own, node = (thing.name or "").partition(_OF_NODE)
    return cluster.names.node(node) if is_own else None


def find_bpf_init_container_failing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The container that prepares eBPF ended with an error."""
    crashed = {container.at for container in cluster.all(Container) if has_crashed(container)}
    yield from (one for one in find_failing_containers(cluster, _BPF_CONTAINERS) if one.line not in crashed)
    stuck = {pod.name for pod in cluster.pods("calico-node") if (pod.status or "") in _INIT_FAILED}
    for span in cluster.all(LogSpan):
        if span.container in _BPF_CONTAINERS and span.worst in ("ERROR", "FATAL") and span.pod in stuck:
            values = {"pod": span.pod or "", "container": span.container or "", "reason": abbreviate(span.last_message)}
            yield Sighting(line=span.last_at or span.at, node=cluster.find_node_of_pod(span.pod), values=values)


def find_bpf_preparation_failed(cluster: ClusterFacts) -> Iterator[Sighting]:
    """eBPF is wanted, and the mounts that it needs could not be made."""
    if not _is_bpf_wanted(cluster):
        return
    for span in cluster.all(LogSpan):
        if span.program.startswith("init") and lacks_bpf_mounts(span.last_message):
            node = cluster.names.node(span.host) or cluster.find_node_of_pod(span.pod)
            yield Sighting(line=span.last_at or span.at, node=node)


def _is_bpf_wanted(cluster: ClusterFacts) -> bool:
    """Whether settings, notes or short outputs ask for eBPF."""
    if any(find_bpf_mode_off(cluster)):
        return False
    spoken_of = (told.mentioned and told.mode == "eBPF" for told in cluster.all(DataplaneMode))
    return any(find_bpf_mode_on(cluster)) or any(spoken_of)


def find_no_calico_rules_where_looked(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator looked for Calico's rules with the host's own tool and found none."""
    for search in cluster.all(EmptySearch):
        if search.what == "calico-rules":
            yield Sighting(line=search.at, node=cluster.names.find_node_or_host(search.host))


def find_felix_and_host_backends_differ(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix works with one backend and the host's iptables with the other."""
    first = {told.program: told for told in reversed(cluster.all(IptablesBackend))}
    felix, host = first.get("felix"), first.get("iptables")
    if felix and host and felix.nft != host.nft:
        values = {"felix": felix.word, "host": host.word, "host_backend": "NFT" if host.nft else "Legacy"}
        yield Sighting(line=felix.at, node=cluster.names.find_node_or_host(felix.host), values=values)


def find_rules_in_both_backends(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Rules of Kubernetes or Calico were shown from both backends of one machine."""
    shown: dict[str | None, dict[str, FirewallRule]] = {}
    for rule in cluster.all(FirewallRule):
        own = (rule.chain or "").startswith(("cali-", "KUBE-"))
        if own and (backend := find_packet_filter_backend(cluster.find_command_of(rule.at))):
            shown.setdefault(rule.host, {})[backend] = rule
    for host, backends in shown.items():
        if len(backends) > 1:
            yield Sighting(line=next(iter(backends.values())).at, node=cluster.names.find_node_or_host(host))


def find_dataplane_loop_timed_out(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix's data plane loop was reported as timed out."""
    for report in cluster.all(HealthReport):
        if report.timed_out and (report.component or "") in ("InternalDataplaneMainLoop", "int_dataplane"):
            yield Sighting(line=report.at, node=cluster.names.node(report.host))


_DEVICES = ("wireguard.cali", "wg-v6.cali")
_KEYS = ("projectcalico.org/WireguardPublicKey", "wireguardPublicKey")


def find_wireguard_wanted_in_vain(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The settings ask for encryption, and Felix says that its kernel cannot: traffic goes out in the clear."""
    told = [thing.values.get("spec.wireguardEnabled") for thing in cluster.all(Object)]
    told += [one.value for one in cluster.all(Variable) if one.name == "FELIX_WIREGUARDENABLED"]
    wanted = any(str(value).lower() == "true" for value in told)
    spans = build_log_span_table(cluster)
    for said in cluster.all(WireguardUnsupported) if wanted else ():
        around = next(spans.around(said.at), None)
        node = cluster.names.find_node_or_host(said.host) or (cluster.find_node_of_pod(around.pod) if around else None)
        yield Sighting(line=said.at, node=node, values={"unsupported": "WireGuard"})


def find_wireguard_device_without_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A WireGuard device that has no address, where another node's has one."""
    devices = [interface for interface in cluster.all(Interface) if interface.name in _DEVICES and interface.exists]
    if not any(device.addresses for device in devices):
        return
    for device in devices:
        if not device.addresses:
            node = cluster.names.find_node_or_host(device.host)
            yield Sighting(line=device.at, node=node, values={"node": node or ""})


def find_wireguard_key_without_device(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A published key of a node that has no device any more."""
    gone = {
        cluster.names.find_node_or_host(interface.host)
        for interface in cluster.all(Interface)
        if interface.name in _DEVICES and not interface.exists
    }
    for node, line in _list_keys(cluster):
        if node in gone or (node is None and gone):
            named = node or next(iter(gone)) or ""
            yield Sighting(line=line, node=named, values={"node": named})


def find_wireguard_keys_incomplete(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Some nodes have published a key, others that were seen whole have not."""
    yield from find_missing_keys(cluster)
    with_key = {node.name for node in cluster.all(Node) if _KEYS[0] in node.annotations}
    without = [node for node in cluster.all(Node) if node.annotations and node.name not in with_key]
    if with_key and without:
        values = {"with_key": ", ".join(sorted(with_key)[:4])}
        yield Sighting(line=without[0].at, node=without[0].name, values=values)


def find_missing_keys(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A table of the nodes' keys in which some have none."""
    for missing in cluster.all(MissingWireguardKey):
        values = {"with_key": ", ".join(missing.others[:4])}
        yield Sighting(line=missing.at, node=cluster.names.find_node_or_host(missing.node), values=values)


def _list_keys(cluster: ClusterFacts) -> Iterator[tuple[str | None, Line]]:
    for node in cluster.all(Node):
        if _KEYS[0] in node.annotations:
            yield node.name, node.at
    for thing in cluster.all(Object):
        for path in thing.values:
            if path.endswith(_KEYS):
                yield cluster.names.node(thing.name), thing.at


TWICE = 2


def find_felix_ends_unheard(cluster: ClusterFacts) -> Iterator[Sighting]:
    """One container's log in which Felix starts again under another number, and never said why it ended."""
    for seen in cluster.all(FelixRestarts):
        pod = _find_pod(seen, cluster)
        if not seen.at_once and not _has_restarted(pod, cluster):
            yield Sighting(line=seen.at, node=cluster.find_node_of_pod(pod), values={"times": str(seen.times)})


def find_felix_ends_at_once(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix lives for seconds, time after time, while its container lives on."""
    for seen in cluster.all(FelixRestarts):
        if seen.at_once:
            yield Sighting(line=seen.at, node=cluster.find_node_of_pod(_find_pod(seen, cluster)))


def find_felix_revived_inside(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix is far younger than the other processes of its container: it ended and runit brought it back."""
    for seen in cluster.all(FelixRevived):
        node = cluster.names.node(seen.host) or cluster.find_node_of_pod(seen.pod)
        yield Sighting(line=seen.at, node=node, values={"young": seen.young, "old": seen.old})


def _find_pod(seen: FelixRestarts, cluster: ClusterFacts) -> str | None:
    """Whose log or container this is."""
    span = next(build_log_span_table(cluster).around(seen.at), None)
    return (span.pod if span else None) or seen.pod


def _has_restarted(pod: str | None, cluster: ClusterFacts) -> bool:
    """A container that was started as often explains the starts by itself."""
    return any((one.restarts or 0) >= TWICE for one in cluster.all(Pod) if one.name == pod)


SIGNS = {
    "main-card-not-in-bpf-pattern": find_main_card_not_in_pattern,
    "main-card-unknown-to-bpf": find_main_card_unknown_to_bpf,
    "tunnel-of-pool-switched-off": find_tunnel_of_pool_switched_off,
    "vxlan-differs-on-node": find_vxlan_differs_on_node,
    "bpf-mode-on": find_bpf_mode_on,
    "bpf-mode-off": find_bpf_mode_off,
    "bpf-init-container-failing": find_bpf_init_container_failing,
    "bpf-preparation-failed": find_bpf_preparation_failed,
    "no-calico-rules-where-looked": find_no_calico_rules_where_looked,
    "felix-and-host-backends-differ": find_felix_and_host_backends_differ,
    "rules-in-both-backends": find_rules_in_both_backends,
    "dataplane-loop-timed-out": find_dataplane_loop_timed_out,
    "wireguard-wanted-in-vain": find_wireguard_wanted_in_vain,
    "wireguard-device-without-address": find_wireguard_device_without_address,
    "wireguard-key-without-device": find_wireguard_key_without_device,
    "wireguard-keys-incomplete": find_wireguard_keys_incomplete,
    "felix-ends-unheard": find_felix_ends_unheard,
    "felix-ends-at-once": find_felix_ends_at_once,
    "felix-revived-inside": find_felix_revived_inside,
}
