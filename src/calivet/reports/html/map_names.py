"""Node names as they are written on the map: what all of them share is left off."""

from __future__ import annotations

from collections.abc import Iterable


def short_names(names: Iterable[str]) -> dict[str, str]:
    """By full name; ip-10-1-2-3.eu-west-1.compute.internal is ip-10-1-2-3 where all nodes are of that domain."""
    full = list(names)
    domains = {name.partition(".")[2] for name in full}
    hosts = {name: name.partition(".")[0] for name in full}
    if len(full) > 1 and len(domains) == 1 and len(set(hosts.values())) == len(full) and all(hosts.values()):
        return hosts
    return {name: name for name in full}
