"""Signs of what stops connections on the machine itself: the loopback, a held port, a firewall, a proxy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from calivet.facts.cluster_facts import ClusterFacts, is_healthy, once
from calivet.facts.cluster_network import list_waiting_sessions
from calivet.facts.fact import AskedUrl, Reach, Variable
from calivet.facts.host import FirewallRule, HostsEntry, Interface, Socket, Unit
from calivet.facts.kubernetes import Event, Pod, Row
from calivet.facts.networks import is_inside, parse_network
from calivet.facts.platform import find_platform
from calivet.facts.vocabulary.identifiers import find_url_addresses
from calivet.facts.vocabulary.messages import fails_at_localhost, find_listed_peers
from calivet.messages.command_line import quote_rule
from calivet.signs.sighting import Sighting

PORTS = (179, 5473, 9098, 9099)
_OWN = ("calico", "bird", "felix", "typha", "runsv", "confd", "docker-proxy", "conmon")
# A listing of so few entries may be a grep.
_WHOLE_FILE = 2
_HEALTH = (9098, 9099)
_SELF = ("127.0.0.1", "localhost")


def find_hosts_file_without_localhost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A hosts file that was shown and has no `127.0.0.1 localhost`."""
    files: dict[tuple[str, str | None], list[HostsEntry]] = defaultdict(list)
    for entry in cluster.all(HostsEntry):
        files[entry.at.artifact, entry.host].append(entry)
    for (_, host), entries in files.items():
        known = any(entry.address == "127.0.0.1" and "localhost" in entry.names for entry in entries)
        if len(entries) >= _WHOLE_FILE and not known:
            node = cluster.names.find_node_or_host(host)
            yield Sighting(line=entries[0].at, node=node)


def find_loopback_without_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """lo is down, has only other addresses, or stands bare in a listing that shows those of its neighbours."""
    for artifact in cluster.artifacts:
        devices = cluster.within(artifact, Interface)
        complete = "|" not in cluster.find_command_of(artifact.at(0)) and any(
            _has_ipv4(device) for device in devices if device.name != "lo"
        )
        for device in devices:
            own = any(address.startswith("127.") for address in device.addresses)
            if device.name == "lo" and (device.up is False or (not own and (complete or _has_ipv4(device)))):
                yield Sighting(line=device.at, node=cluster.names.find_node_or_host(device.host))


def find_loopback_does_not_answer(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A ping to the own loopback address is lost."""
    yield from (
        _build_loopback_sighting(reach, cluster) for reach in _list_loopback_tests(cluster) if reach.protocol == "icmp"
    )


def find_loopback_connect_lost(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A connection to the own loopback address is neither taken nor refused."""
    yield from (
        _build_loopback_sighting(reach, cluster) for reach in _list_loopback_tests(cluster) if reach.protocol != "icmp"
    )


def find_health_answers_by_address(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The health port answers at 127.0.0.1 while a probe that calls it by name fails."""
    ready = {pod.name for pod in cluster.all(Pod) if is_healthy(pod)}
    failing = any(fails_at_localhost(event.message) and event.object not in ready for event in cluster.all(Event))
    for reach in cluster.all(Reach):
        if failing and reach.target == "127.0.0.1" and reach.port in _HEALTH and reach.outcome == "ok":
            values = {"address": f"{reach.target}:{reach.port}"}
            yield Sighting(line=reach.at, node=cluster.names.find_node_or_host(reach.host), values=values)


def find_calico_port_held_by_other(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A port of Calico on which another program listens."""
    for socket in cluster.all(Socket):
        if socket.port not in PORTS or socket.state != "LISTEN" or socket.protocol != "tcp" or not socket.process:
            continue
        if not socket.process.startswith(_OWN):
            node = cluster.names.find_node_or_host(socket.host)
            yield Sighting(line=socket.at, node=node, values={"port": str(socket.port), "process": socket.process})


def _list_loopback_tests(cluster: ClusterFacts) -> Iterator[Reach]:
    """Tests that got nowhere; a program that took the connection and then kept silent is no fault of the loopback."""
    for reach in cluster.all(Reach):
        connected = "bytes received" in (reach.detail or "")
        if (
            reach.target in _SELF
            and not reach.pod
            and reach.outcome in ("loss", "timeout", "no-route")
            and not connected
        ):
            yield reach


def _build_loopback_sighting(reach: Reach, cluster: ClusterFacts) -> Sighting:
    values = {"outcome": reach.outcome, "port": str(reach.port or "")}
    return Sighting(line=reach.at, node=cluster.names.find_node_or_host(reach.host), values=values)


def _has_ipv4(device: Interface) -> bool:
    return any("." in address for address in device.addresses)


_OWN_CHAINS = ("INPUT", "FORWARD", "OUTPUT")
# A few dropped strays are on every machine.
MANY = 1_000
# ufw's unit is active even where ufw is switched off, so its own status line decides.
_FIREWALLS = ("firewalld", "SuSEfirewall2", "shorewall", "csf")
_OTHERS_CHAINS = ("cali", "KUBE-", "DOCKER", "CNI-")


def find_host_firewall_running(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A firewall service of the host is active."""
    yield from _find_firewalls(cluster, ("active", "activating"))


def find_host_firewall_stopped(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The firewall service of the host is not active."""
    yield from _find_firewalls(cluster, ("inactive", "failed"))


# What each way of moving packets between nodes needs of a zone; where it is not known, either way is fine.
_NEEDS = {"vxlan": ("4789/udp",), "ipip": ("179/tcp", "ipip"), "none": ("179/tcp",)}
_OPEN_ZONE = "target: ACCEPT"


def find_firewalld_lets_calico_through(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A zone of firewalld has the ports open that Calico needs: a firewall that runs so is a feature in use."""
    encapsulation = find_platform(cluster).answer("encapsulation")
    needed = [_NEEDS[encapsulation]] if encapsulation in _NEEDS else list(_NEEDS.values())[:2]
    for rule in cluster.all(FirewallRule):
        if rule.target != "firewalld":
            continue
        if _OPEN_ZONE in rule.rule or any(all(word in rule.rule for word in words) for words in needed):
            node = cluster.names.find_node_or_host(rule.host)
            yield Sighting(line=rule.at, node=node, values={"zone": rule.chain or ""})


def find_host_chain_drops(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A rule in one of the host's own chains, not in one of Calico's or Kubernetes', has dropped many packets."""
    for rule in cluster.all(FirewallRule):
        if rule.chain in _OWN_CHAINS and rule.target in ("DROP", "REJECT") and (rule.packets or 0) >= MANY:
            values = {"chain": rule.chain, "target": rule.target, "packets": str(rule.packets), **_quote_rule(rule)}
            yield Sighting(line=rule.at, node=cluster.names.find_node_or_host(rule.host), values=values)


def find_host_rule_rejects(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A rule in one of the host's own chains that drops or rejects, as `iptables -D` would take it."""
    for rule in cluster.all(FirewallRule):
        if rule.chain in ("INPUT", "FORWARD") and rule.target in ("DROP", "REJECT") and (told := _quote_rule(rule)):
            yield Sighting(line=rule.at, node=cluster.names.find_node_or_host(rule.host), values=told)


def _quote_rule(rule: FirewallRule) -> dict[str, str]:
    """What a command needs to delete it; a rule that only spares some is not for deleting."""
    told = quote_rule(rule.arguments) if rule.arguments and not rule.spares_some else None
    return {"rule": told} if told else {}


def find_bgp_blocked_by_host_rule(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A rule of the host's own has blocked connections to the BGP port, and a session of the host is down."""
    for rule in _list_rules_against_bgp(cluster):
        if rule.packets:
            yield from _build_rule_sightings(cluster, rule, {"packets": str(rule.packets)})


def find_bgp_shut_by_host_rule(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The same where the rules were listed without what they have met."""
    for rule in _list_rules_against_bgp(cluster):
        if rule.packets is None:
            yield from _build_rule_sightings(cluster, rule, {})


def _list_rules_against_bgp(cluster: ClusterFacts) -> Iterator[FirewallRule]:
    for rule in cluster.all(FirewallRule):
        others = (rule.chain or "").startswith(_OTHERS_CHAINS) or rule.spares_some
        if rule.target in ("DROP", "REJECT") and rule.of_bgp and not others:
            yield rule


def _build_rule_sightings(cluster: ClusterFacts, rule: FirewallRule, more: dict[str, str]) -> Iterator[Sighting]:
    """One for each end of the node's sessions that are down."""
    node = cluster.names.find_node_or_host(rule.host)
    values = {"target": rule.target or "", "node": node or "", **more, **_quote_rule(rule)}
    for end in _list_waiting_nodes(cluster, node):
        yield Sighting(line=rule.at, node=end, values=values)


def find_bgp_meets_closed_policy(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A chain of the host drops what no rule of it accepts, none accepts BGP, and a session of the host is down."""
    for rule in cluster.all(FirewallRule):
        if rule.rule.lower() != "policy drop" or (rule.chain or "").lower() != "input" or _lets_bgp_in(cluster, rule):
            continue
        node = cluster.names.find_node_or_host(rule.host)
        values = {"chain": rule.chain or "", "node": node or ""}
        ends = _list_waiting_nodes(cluster, node)
        yield from (Sighting(line=rule.at, node=end, values=values) for end in ends)


def _lets_bgp_in(cluster: ClusterFacts, policy: FirewallRule) -> bool:
    """Whether a rule beside the policy accepts BGP, or may: of a jump nobody knows where it ends."""
    beside = [rule for rule in cluster.all(FirewallRule) if rule.host == policy.host and rule.chain == policy.chain]
    accepted = [rule for rule in beside if (rule.target or "").upper() == "ACCEPT"]
    return any(rule.of_bgp or rule.names_no_kind for rule in accepted)


def _list_waiting_nodes(cluster: ClusterFacts, node: str | None) -> list[str | None]:
    """The node and those at the other ends of its sessions that are down; none where all are up."""
    ends = _collect_session_ends(cluster).get(node, {})
    return [end for end in ends if end or not node]


@once
def _collect_session_ends(cluster: ClusterFacts) -> dict[str | None, dict[str | None, None]]:
    """Each end of the sessions that are down, with itself and those at the other ends."""
    ends: dict[str | None, dict[str | None, None]] = {}
    told = [(peer.host, peer.address) for peer in list_waiting_sessions(cluster)]
    told += [
        (event.node or cluster.find_node_of_pod(event.object), address)
        for event in cluster.all(Event)
        for address in find_listed_peers(event.message)
    ]
    for host, address in told:
        near, far = cluster.names.find_node_or_host(host), cluster.names.node(address)
        for node in (near, far):
            ends.setdefault(node, {node: None}).update({near: None, far: None})
    return ends


def _find_firewalls(cluster: ClusterFacts, states: tuple[str, ...]) -> Iterator[Sighting]:
    for unit in cluster.all(Unit):
        if unit.name in _FIREWALLS and unit.active in states:
            node = cluster.names.find_node_or_host(unit.host)
            yield Sighting(line=unit.at, node=node, values={"unit": unit.name})


_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def find_proxy_catches_cluster(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A proxy is set, and an address of the cluster that was asked is not excepted from it."""
    settings: dict[tuple[str | None, str | None], dict[str, Variable]] = defaultdict(dict)
    for variable in cluster.all(Variable):
        settings[variable.host, variable.owner][variable.name.lower()] = variable
    addresses = _list_cluster_addresses(cluster)
    # Most nodes have the same exceptions, so each list is gone through once.
    first_missed = cache(lambda exceptions: next((one for one in addresses if not is_excepted(one, exceptions)), None))
    for (host, _), variables in settings.items():
        proxy = next((variables[name] for name in _PROXIES if name in variables and variables[name].value), None)
        exceptions = variables["no_proxy"].value if "no_proxy" in variables else ""
        missed = first_missed(exceptions) if proxy else None
        if proxy and missed and missed not in proxy.value:
            node = cluster.names.find_node_or_host(host)
            line = variables.get("no_proxy", proxy).at
            yield Sighting(line=line, node=node, values={"address": missed})


def is_excepted(address: str, exceptions: str) -> bool:
    """Whether Go's client leaves this address out of the proxy: it knows addresses and ranges, but no wildcards."""
    for word in exceptions.replace(",", " ").split():
        where = parse_network(word)
        if word == "*" or (where and is_inside(address, where)):
            return True
    return False


def _list_cluster_addresses(cluster: ClusterFacts) -> list[str]:
    """Addresses that Calico or kubelet asked, and the address of the service `kubernetes`."""
    found: dict[str, None] = {}
    for row in cluster.all(Row):
        if row.name == "kubernetes" and row.cells.get("CLUSTER-IP"):
            found[row.cells["CLUSTER-IP"]] = None
    asked = [address for event in cluster.all(Event) for address in find_url_addresses(event.message)]
    asked += [one.address for one in cluster.all(AskedUrl)]
    found |= {address: None for address in asked if not address.startswith("127.")}
    return list(found)


SIGNS = {
    "hosts-file-without-localhost": find_hosts_file_without_localhost,
    "loopback-without-address": find_loopback_without_address,
    "loopback-does-not-answer": find_loopback_does_not_answer,
    "loopback-connect-lost": find_loopback_connect_lost,
    "health-answers-by-address": find_health_answers_by_address,
    "calico-port-held-by-other": find_calico_port_held_by_other,
    "host-firewall-running": find_host_firewall_running,
    "host-firewall-stopped": find_host_firewall_stopped,
    "firewalld-lets-calico-through": find_firewalld_lets_calico_through,
    "host-chain-drops": find_host_chain_drops,
    "host-rule-rejects": find_host_rule_rejects,
    "bgp-shut-by-host-rule": find_bgp_shut_by_host_rule,
    "bgp-blocked-by-host-rule": find_bgp_blocked_by_host_rule,
    "bgp-meets-closed-policy": find_bgp_meets_closed_policy,
    "proxy-catches-cluster": find_proxy_catches_cluster,
}
