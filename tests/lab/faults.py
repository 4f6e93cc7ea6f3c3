"""What is done to a running lab: real rules of real packet filters, daemons killed or frozen, an address taken twice."""

from __future__ import annotations

from tests.lab import bird, containerd
from tests.lab.lab import Lab

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


def way_drops_bgp(lab: Lab) -> None:
    """As a security group or a firewall between the nodes would: no node can see the rule."""
    lab.switch.run("nft", "-f", "-", text=SWITCH_DROPS)


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
