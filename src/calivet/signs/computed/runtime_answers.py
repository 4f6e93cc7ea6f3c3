"""Signs in how the runtime answered calivet's own probe of its node."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.host import CommandRun, NodeProbe
from calivet.facts.kubernetes import Node
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_ASKS = expression(r"^(?P<client>crictl|ctr|docker) (?:version|info|ps|pods)\b")
# What each client asks; crictl asks whatever kubelet asks.
_RUNTIMES = {"ctr": "containerd", "docker": "docker"}
PROMPT = 1.0
"""Seconds that an ordinary command may take on a machine that is not itself the trouble."""
ENOUGH = 5
"""So many other commands must have ended before their times say something about the machine."""


def silent(picture: Picture) -> Iterator[Sighting]:
    """The runtime did not answer within the probe's deadline, on a machine where other commands end at once."""
    for run in _asked(picture):
        if run.timed_out and _is_prompt(picture, run.host):
            values = {"command": run.command, "seconds": f"{run.seconds or 0:.0f}"}
            yield Sighting(line=run.at, node=picture.names.node(run.host) or run.host, values=values)


def refuses(picture: Picture) -> Iterator[Sighting]:
    """Its client failed at once, though it ran as root."""
    roots = {probe.host for probe in picture.all(NodeProbe) if probe.user == "root"}
    for run in _asked(picture):
        if run.exit and not run.timed_out and run.host in roots:
            values = {"command": run.command, "code": str(run.exit)}
            yield Sighting(line=run.at, node=picture.names.node(run.host) or run.host, values=values)


def _asked(picture: Picture) -> Iterator[CommandRun]:
    """What was asked of the runtime that kubelet uses: an idle docker beside it is no fault."""
    in_use = {node.name: (node.runtime or "").split("://")[0] for node in picture.all(Node)}
    for run in picture.all(CommandRun):
        asks = _ASKS.match(run.command)
        used = in_use.get(picture.names.node(run.host) or "")
        if asks and (not used or _RUNTIMES.get(asks["client"], used) == used):
            yield run


def _is_prompt(picture: Picture, host: str | None) -> bool:
    others = [run.seconds for run in picture.on(host, CommandRun) if run.seconds is not None]
    return len(others) > ENOUGH and sorted(others)[len(others) // 2] < PROMPT


SIGNS = {"runtime-silent": silent, "runtime-refuses": refuses}
