"""BIRD on a node of the lab, with the configuration that Calico's confd would write for it."""

from __future__ import annotations

from collections.abc import Iterable

from tests.lab.machine import Machine
from tests.lab.plan import AS_NUMBER, Plan

FILE = "/etc/calico/confd/config/bird.cfg"
SOCKET = "/var/run/calico/bird.ctl"
LOG = "/var/log/calico/bird.log"
# Calico's timers, but for the first delay, which only costs time.
HEAD = """\
router id {recorded};
log stderr all;
protocol device {{ scan time 2; }}
protocol direct {{ ipv4; interface -"cali*", -"kube-ipvs*", "*"; }}
protocol kernel {{ learn; persist; scan time 2; ipv4 {{ import all; export none; }}; }}
template bgp bgp_template {{
  local as {as_number};
  multihop;
  source address {recorded};
  connect delay time 1;
  connect retry time 5;
  error wait time 5,30;
  graceful restart;
  ipv4 {{ import all; export none; gateway recursive; add paths on; }};
}}
"""
PEER = """\
protocol bgp Mesh_{name} from bgp_template {{
  neighbor {address} as {as_number};
{options}}}
"""


def configuration(own: Plan, others: Iterable[Plan]) -> str:
    """A full mesh: of two nodes the one with the greater address dials."""
    addresses = sorted({other.recorded for other in others} - {own.recorded})
    peers = "".join(_peer(own, address) for address in addresses)
    return HEAD.format(recorded=own.recorded, as_number=own.as_number) + peers


def _peer(own: Plan, address: str) -> str:
    passive = "  passive on;\n" if own.recorded < address else ""
    password = f'  password "{own.password}";\n' if own.password else ""
    name = address.replace(".", "_")
    return PEER.format(name=name, address=address, as_number=AS_NUMBER, options=passive + password)


def start(machine: Machine, own: Plan, others: Iterable[Plan]) -> None:
    """Starts it in the background of the machine."""
    machine.write(FILE, configuration(own, others))
    machine.file("/run/calico").mkdir()
    machine.file(LOG).parent.mkdir()
    machine.tell(f"bird -f -s {SOCKET} -c {FILE} >{LOG} 2>&1 & bird=$!")


def kill(machine: Machine) -> None:
    """Ends it without a chance to clean up: its socket stays behind."""
    machine.tell("kill -KILL $bird; wait $bird 2>/dev/null")


def rows(machine: Machine) -> list[list[str]]:
    """The words of its list of sessions, row by row; none where it does not answer."""
    shown = machine.attempt("birdc", "-s", SOCKET, "show", "protocols").stdout.splitlines()
    return [line.split() for line in shown if line.startswith("Mesh_")]


def sessions(machine: Machine) -> dict[str, str]:
    """What it says of each peer, by the peer's address: `Established`, `Active Socket: Connection refused`..."""
    return {row[0].removeprefix("Mesh_").replace("_", "."): " ".join(row[5:]) for row in rows(machine)}
