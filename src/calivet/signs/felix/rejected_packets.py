"""Signs of packets that a node throws away on arrival: tunnels from strangers, and ways back that differ."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.cluster_network import list_counted, map_node_addresses
from calivet.facts.fact import Reach
from calivet.facts.host import FirewallRule, Interface, Packet, Sysctl
from calivet.facts.vocabulary.identifiers import TUNNELS
from calivet.signs.sighting import Sighting

_FROM_STRANGERS = ("IPIP packets from non-Calico hosts", "VXLAN packets from non-allowed hosts")
_BLOCKS = ("DROP", "REJECT")
_LOST = ("timeout", "loss")
_RPF_COUNTER = "IPReversePathFilter"
_STRICT = "1"
TWO = 2


def find_tunnel_packets_rejected(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix's rule against tunnels from strangers has thrown packets away."""
    for rule in _list_blocking_rules(cluster):
        if any(words in rule.rule for words in _FROM_STRANGERS):
            yield _build_rule_sighting(rule, cluster)


def find_tunnel_packets_rejected_and_traffic_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same, and something was not reached, or such a stranger's packet was captured as it came in."""
    if _is_traffic_lost(cluster) or any(_list_packets_of_strangers(cluster)):
        yield from find_tunnel_packets_rejected(cluster)


def find_tunnel_source_unknown(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A packet in a tunnel comes to a node from an address that Calico has for none."""
    for packet in _list_packets_of_strangers(cluster):
        if node := cluster.names.node(packet.target):
            yield Sighting(line=packet.at, node=node, values={"source": packet.source, "target": packet.target})


def _list_packets_of_strangers(cluster: ClusterFacts) -> Iterator[Packet]:
    """Packets in tunnels, captured on a node or sent to one, whose source is the address that Calico has for none."""
    known = set(map_node_addresses(cluster).values())
    for packet in cluster.all(Packet) if len(known) >= TWO else ():
        is_ours = packet.target in known or cluster.names.node(packet.host) is not None
        if packet.tunnel and is_ours and packet.source not in known:
            yield packet


def find_reverse_path_rule_drops(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Felix's own check of the way back has thrown packets away."""
    for rule in _list_blocking_rules(cluster):
        if "rpfilter" in rule.rule and "invert" in rule.rule:
            yield _build_rule_sighting(rule, cluster)


def find_reverse_path_rule_drops_and_traffic_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same, and something was not reached."""
    if _is_traffic_lost(cluster):
        yield from find_reverse_path_rule_drops(cluster)


def find_reverse_path_counter(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kernel counts packets whose way back would have been another one."""
    for counter in list_counted(cluster):
        if counter.name == _RPF_COUNTER and counter.value:
            node = cluster.names.find_node_or_host(counter.host)
            yield Sighting(line=counter.at, node=node, values={"packets": str(counter.value)})


def find_reverse_path_counter_and_traffic_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The kernel counts such packets where its filter is strict on several cards, and something was not reached."""
    if not _is_traffic_lost(cluster):
        return
    strict = {seen.node for seen in find_strict_filter_on_several_cards(cluster)}
    yield from (seen for seen in find_reverse_path_counter(cluster) if seen.node in strict)


def find_strict_filter_on_several_cards(cluster: ClusterFacts) -> Iterator[Sighting]:
    """rp_filter is strict on a machine with several cards that have addresses."""
    for setting in cluster.all(Sysctl):
        card = _find_filtered_card(setting.key)
        if card is None or setting.value.strip() != _STRICT or setting.file:
            continue
        cards = _list_cards(cluster, setting.host)
        if len(cards) >= TWO and (card in ("all", "default") or card in cards):
            values = {"setting": f"{setting.key} = {setting.value}", "cards": ", ".join(sorted(cards)[:4])}
            yield Sighting(line=setting.at, node=cluster.names.find_node_or_host(setting.host), values=values)


def find_filter_not_strict(cluster: ClusterFacts) -> Iterator[Sighting]:
    """rp_filter is off or loose wherever it was shown."""
    shown = [one for one in cluster.all(Sysctl) if _find_filtered_card(one.key) and not one.file]
    if shown and all(one.value.strip() != _STRICT for one in shown):
        yield Sighting(line=shown[0].at, node=cluster.names.find_node_or_host(shown[0].host))


def _is_traffic_lost(cluster: ClusterFacts) -> bool:
    return any(reach.outcome in _LOST for reach in cluster.all(Reach))


def _find_filtered_card(key: str) -> str | None:
    """eth1 of net.ipv4.conf.eth1.rp_filter."""
    head, tail = "net.ipv4.conf.", ".rp_filter"
    return key[len(head) : -len(tail)] if key.startswith(head) and key.endswith(tail) else None


def _list_cards(cluster: ClusterFacts, host: str | None) -> set[str]:
    """The cards of a machine that have an address; pods' and tunnels' ends are none."""
    return {
        card.name
        for card in cluster.on(host, Interface)
        if card.name not in (*TUNNELS, "lo") and not card.name.startswith(("cali", "docker", "veth", "virbr", "kube-"))
        if any(":" not in address for address in card.addresses)
    }


@once
def _list_blocking_rules(cluster: ClusterFacts) -> list[FirewallRule]:
    return [rule for rule in cluster.all(FirewallRule) if rule.packets and (rule.target or "").upper() in _BLOCKS]


def _build_rule_sighting(rule: FirewallRule, cluster: ClusterFacts) -> Sighting:
    node = cluster.names.find_node_or_host(rule.host)
    return Sighting(line=rule.at, node=node, values={"packets": str(rule.packets)})


SIGNS = {
    "tunnel-packets-rejected": find_tunnel_packets_rejected,
    "tunnel-packets-rejected-and-traffic-lost": find_tunnel_packets_rejected_and_traffic_lost,
    "tunnel-source-unknown": find_tunnel_source_unknown,
    "reverse-path-rule-drops": find_reverse_path_rule_drops,
    "reverse-path-rule-drops-and-traffic-lost": find_reverse_path_rule_drops_and_traffic_lost,
    "reverse-path-counter": find_reverse_path_counter,
    "reverse-path-counter-and-traffic-lost": find_reverse_path_counter_and_traffic_lost,
    "strict-filter-on-several-cards": find_strict_filter_on_several_cards,
    "filter-not-strict": find_filter_not_strict,
}
