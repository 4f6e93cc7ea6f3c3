"""Signs in the load of hosts, compared with each other and with their CPUs."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.host import Cpu, Load
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

TIMES_OTHERS = 5.0
TIMES_CPUS = 2.0
# Below this a high ratio only says that the others are idle.
WORTH_TALKING = 8.0


def load_many_times_others(picture: Picture) -> Iterator[Sighting]:
    """A host whose load is many times that of the others."""
    latest = {load.host: load for load in picture.all(Load) if load.host}
    lowest = min((load.one for load in latest.values()), default=0.0)
    # Two sick nodes must not hide each other: only those that are not themselves loaded tell what is usual.
    calm = sorted(load.one for load in latest.values() if not _high(load, lowest))
    usual = calm[len(calm) // 2] if calm else 0.0
    for host, load in latest.items():
        if _high(load, usual):
            values = {"load": f"{load.one:g}", "others": f"{usual:g}", "host": str(host)}
            yield Sighting(line=load.at, node=picture.names.node(host) or host, values=values)


def load_over_cpus(picture: Picture) -> Iterator[Sighting]:
    """A host with far more work than CPUs."""
    counts = {cpu.host: cpu.count for cpu in picture.all(Cpu) if cpu.count}
    for load in picture.all(Load):
        cpus = load.cpus or counts.get(load.host)
        if cpus and load.one >= TIMES_CPUS * cpus and load.one >= WORTH_TALKING:
            values = {"load": f"{load.one:g}", "cpus": str(cpus)}
            yield Sighting(line=load.at, node=picture.names.node(load.host) or load.host, values=values)


def _high(load: Load, usual: float) -> bool:
    return load.one >= WORTH_TALKING and load.one >= TIMES_OTHERS * max(usual, 0.1)


SIGNS = {"load-many-times-others": load_many_times_others, "load-over-cpus": load_over_cpus}
