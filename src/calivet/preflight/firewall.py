"""Other hands on the node's rules and interfaces: firewalls, hand-written rules, NetworkManager."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.catalogue.words import Words
from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.host import CommandRun, FirewallRule
from calivet.preflight.by_signs import fails_by, seen
from calivet.preflight.host import Host
from calivet.preflight.requirement import Requirement, Result, fails, passes, unchecked
from calivet.preflight.services import LOOKED_FOR, listed, running
from calivet.preflight.unread import answered, not_read

RULES = r"^(?:iptables-(?:legacy-|nft-)?save|nft list ruleset)"
_REFUSED = expression(r"^ip[\w-]*save.*(?:denied|must be root|nitializ|[Ff]ailed|fatal)|^Fatal: ")
_UNMANAGED = r"unmanaged-devices"
_BLOCKING = ("DROP", "REJECT")
_CHAINS = {"INPUT": "INPUT", "input": "INPUT", "FORWARD": "FORWARD", "forward": "FORWARD"}
_BLOCKS_THE_REST = expression(r"^(?:\[\d+:\d+\] )?-A (?P<chain>INPUT|FORWARD) -j (?:DROP|REJECT)\b")
# Docker sets the policy of FORWARD to DROP; Calico's rules stand before it and accept what pods may send.
_DOCKER = expression(r"-A FORWARD .*-j DOCKER-|\bjump DOCKER-")
_LETS_BGP_IN = expression(r"\b(?:179|bgp)\b.*(?:-j ACCEPT|\baccept\b)")
# By where a packet comes from, or in a chain of somebody's own: who is let in there cannot be told.
_LETS_SOME_IN = expression(
    r"-A INPUT .*(?:-s|--match-set) .*-j ACCEPT|\bsaddr .*\baccept\b"
    r"|-A INPUT .*-j (?!cali-|KUBE-|DOCKER|ACCEPT|DROP|REJECT|LOG|RETURN)\S"
)

UFW = Words("ufw is active", "ufw 已启用")
FIREWALLD = Words("firewalld is running", "firewalld 正在运行")
BLOCKS = Words(
    "the node's own {chain} chain blocks whatever no rule lets in", "节点自身的 {chain} 链拦截所有未放行的流量"
)
UNCLEAR = Words(
    "the node's own {chain} chain blocks whatever no rule lets in; whether that lets the other nodes in is not clear",
    "节点自身的 {chain} 链拦截所有未放行的流量；其规则是否放行其他节点不清楚",
)
MANAGED = Words(
    "NetworkManager runs and is not told to leave cali* alone", "NetworkManager 正在运行，且没有配置不管理 cali* 接口"
)


def _services(host: Host) -> Result:
    for sighting in seen("host-firewall-running", host.picture, host):
        return fails_by("host-firewall-running", sighting)
    ufw = next((rule for rule in host.all(FirewallRule) if rule.target == "ufw"), None)
    if ufw and ufw.rule.startswith("active"):
        return fails(UFW, ufw.at)
    if firewalld := running(host, "firewalld"):
        return fails(FIREWALLD, firewalld)
    # Its unit is active whether or not it is switched on, and only root is told which.
    if not ufw and any(run.command.startswith("ufw ") and not run.absent for run in host.all(CommandRun)):
        return not_read(host, r"^ufw ")
    known = listed(host)
    return passes(known) if known else not_read(host, LOOKED_FOR)


def _rules(host: Host) -> Result:
    shown = list(host.lines(RULES))
    for chain, line in _blocking_chains(host, shown):
        if chain == "FORWARD" and any(_DOCKER.search(one.text) for one in shown):
            continue
        if chain == "INPUT" and any(_LETS_BGP_IN.search(one.text) for one in shown):
            continue
        if chain == "INPUT" and any(_LETS_SOME_IN.search(one.text) for one in shown):
            return unchecked(UNCLEAR, line, chain=chain)
        return fails(BLOCKS, line, chain=chain)
    read = rules_read(host)
    return passes(read.at) if read else not_read(host, RULES)


def rules_read(host: Host) -> CommandRun | None:
    """The listing of the rules. One that an ordinary user gets is empty, and so is one that the kernel refuses."""
    refused = any(_REFUSED.search(line.text) for line in host.lines(RULES))
    return answered(host, RULES) if host.is_root and not refused else None


def _blocking_chains(host: Host, shown: list[Line]) -> Iterator[tuple[str, Line]]:
    for rule in host.all(FirewallRule):
        if rule.rule.lower() == f"policy {rule.target}".lower() and rule.target in _BLOCKING and rule.chain in _CHAINS:
            yield _CHAINS[rule.chain], rule.at
    for line in shown:
        if found := _BLOCKS_THE_REST.match(line.text):
            yield found["chain"], line


def _network_manager(host: Host) -> Result:
    manager = running(host, "NetworkManager")
    if manager is None:
        known = listed(host)
        return passes(known) if known else not_read(host, LOOKED_FOR)
    told = next((line for line in host.lines(_UNMANAGED) if "cali" in line.text), None)
    if told:
        return passes(told)
    return fails(MANAGED, manager) if answered(host, _UNMANAGED, 1) else not_read(host, _UNMANAGED)


REQUIREMENTS = (
    Requirement(
        "firewall",
        Words("Firewall services", "防火墙服务"),
        "firewall-on-host",
        _services,
    ),
    Requirement(
        "host-rules",
        Words("Packet rules of the node's own", "节点自身的过滤规则"),
        "firewall-on-host",
        _rules,
    ),
    Requirement(
        "network-manager",
        Words("NetworkManager", "NetworkManager"),
        "networkmanager-interferes",
        _network_manager,
    ),
)
