"""Which services and programs run on a node, by its units and its list of processes. Helpers, no requirements."""

from __future__ import annotations

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.host import Unit
from calivet.preflight.host import Host
from calivet.preflight.unread import answered

UNITS = r"^systemctl (?:show|list-unit-files|status|is-active)"
PROCESSES = r"^ps axc"
LOOKED_FOR = rf"{UNITS}|{PROCESSES}"
_PROCESS = expression(r"^\d+\s+\S+\s+\S+\s+[\d:-]+\s+(?P<name>\S.*)$")
_ACTIVE = ("active", "activating", "reloading")


def running(host: Host, *names: str) -> Line | None:
    """The line that shows one of these at work, as a unit or as a process."""
    for unit in host.all(Unit):
        # One that is always about to start is not at work.
        if unit.name in names and unit.active in _ACTIVE and unit.sub != "auto-restart":
            return unit.at
    for line in host.lines(PROCESSES):
        if (found := _PROCESS.match(line.text)) and found["name"] in names:
            return line
    return None


def listed(host: Host) -> Line | None:
    """A complete list of what runs: only then is what is not in it not there."""
    processes = answered(host, PROCESSES)
    if processes:
        return processes.at
    units = [unit for unit in host.all(Unit) if unit.active]
    return units[0].at if units and answered(host, UNITS) else None
