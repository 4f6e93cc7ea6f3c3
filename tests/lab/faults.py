"""What is done to a lab: real rules of real packet filters, links that carry less, daemons killed or frozen."""

from __future__ import annotations

from tests.lab import bird, containerd
from tests.lab.lab import Lab
from tests.lab.plan import GATEWAY

NFT_DROPS = """\
table inet filter {
	chain input {
		type filter hook input priority filter; policy accept;
		tcp dport 179 counter drop
	}
}
"""
SWITCH_DROPS = """\
table bridge filter {
	chain forward {
		type filter hook forward priority filter; policy accept;
		tcp dport 179 drop
	}
}
"""
SWITCH_DROPS_PINGS = SWITCH_DROPS.replace("tcp dport 179 drop", "ip protocol icmp drop")
NARROW = 1400
"""Bytes that a link carries, where the nodes' cards take 1500."""
SECOND_SWITCH = f"""\
link add br1 up type bridge
link add trunk0 mtu {NARROW} master br0 up type veth peer name trunk1 mtu {NARROW}
link set trunk1 master br1 up
link set alder-0 master br1
"""


def way_drops_bgp(lab: Lab) -> None:
    """As a security group or a firewall between the nodes would: no node can see the rule."""
    lab.switch.run("nft", "-f", "-", text=SWITCH_DROPS)


def way_drops_pings(lab: Lab) -> None:
    """As networks do whose keepers think ping dangerous: nothing is wrong with that."""
    lab.switch.run("nft", "-f", "-", text=SWITCH_DROPS_PINGS)


def link_is_narrow(lab: Lab) -> None:
    """alder is on a switch of its own, and the line between the two throws what is too large away without a word."""
    lab.switch.wire(SECOND_SWITCH)


def router_is_narrow(lab: Lab) -> None:
    """Between alder and the others stands a router with a narrow link, which says so to who sends more."""
    lab.switch.run("ip", "link", "set", "br0", "mtu", str(NARROW))
    lab.switch.run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1", "net.ipv4.conf.br0.send_redirects=0")
    alder, *others = lab.nodes.values()
    for other in others:
        alder.machine.wire(f"route add {other.plan.address} via {GATEWAY}\n")
        other.machine.wire(f"route add {alder.plan.address} via {GATEWAY}\n")


def nft_drops_bgp(lab: Lab) -> None:
    """A rule on the node that all others dial."""
    lab["alder"].run("nft", "-f", "-", text=NFT_DROPS)


def iptables_rejects_bgp(lab: Lab) -> None:
    """As firewalld answers to what it does not know."""
    _reject(lab, "icmp-host-prohibited")


def iptables_resets_bgp(lab: Lab) -> None:
    """As if nothing listened there."""
    _reject(lab, "tcp-reset")


def _reject(lab: Lab, answer: str) -> None:
    rule = ("-A", "INPUT", "-p", "tcp", "--dport", "179", "-j", "REJECT", "--reject-with", answer)
    lab["alder"].run("iptables", *rule)


def bird_dies(lab: Lab) -> None:
    """On the node that all others dial."""
    bird.kill(lab["alder"])


def runtime_dies(lab: Lab) -> None:
    """containerd is gone, its socket is not."""
    containerd.kill(lab["cedar"])


def runtime_freezes(lab: Lab) -> None:
    """containerd is there and does nothing."""
    containerd.freeze(lab["cedar"])
