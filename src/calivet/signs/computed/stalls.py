"""Signs of a machine on which everything waits: for CPU, memory or disk, or for commands that do not come back."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.facts.host import CommandRun, Pressure
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

# Percent of the last minute. A busy machine lets some work wait for CPU; hardly any lets all of it wait.
MOST_WAITING = {"cpu": 80.0, "memory": 20.0, "io": 60.0}
# These wait for a service, a peer or the runtime, of which other signs speak.
_WAITS_FOR_OTHERS = expression(
    r"^(?:crictl|ctr|docker|birdcl?|curl|wget|bash|nc|ping|nmcli|firewall-cmd|chronyc|ntpq|ufw)\b"
)
_HEALTH = (9098, 9099)


def pressure_high(picture: Picture) -> Iterator[Sighting]:
    """The kernel counts that work stood still for want of a resource."""
    for pressure in picture.all(Pressure):
        waiting = pressure.some if pressure.resource == "cpu" else pressure.full
        if waiting is not None and waiting >= MOST_WAITING.get(pressure.resource, 100.0):
            values = {"resource": pressure.resource, "share": f"{waiting:.0f}"}
            yield Sighting(line=pressure.at, node=picture.names.node(pressure.host) or pressure.host, values=values)


def host_command_silent(picture: Picture) -> Iterator[Sighting]:
    """A plain command of the host itself, such as df or ps, did not come back."""
    for run in picture.all(CommandRun):
        if run.timed_out and not _WAITS_FOR_OTHERS.match(run.command):
            values = {"command": run.command, "seconds": f"{run.seconds or 0:.0f}"}
            yield Sighting(line=run.at, node=picture.names.node(run.host) or run.host, values=values)


def health_port_silent(picture: Picture) -> Iterator[Sighting]:
    """Felix or Typha took the connection to its health port and did not answer."""
    for reach in picture.all(Reach):
        waited = reach.protocol == "http" and reach.outcome == "timeout" and "bytes received" in (reach.detail or "")
        if waited and reach.port in _HEALTH and not reach.pod:
            yield Sighting(
                line=reach.at, node=picture.names.node(reach.host) or reach.host, values={"port": str(reach.port)}
            )


SIGNS = {
    "pressure-high": pressure_high,
    "host-command-silent": host_command_silent,
    "health-port-silent": health_port_silent,
}
