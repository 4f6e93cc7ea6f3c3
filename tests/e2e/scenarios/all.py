"""Every scenario there is."""

from __future__ import annotations

from tests.e2e.scenarios import (
    addresses,
    at_odds,
    green,
    operator,
    peerings,
    places,
    pools,
    progress,
    reaching,
    rights,
    routing,
    seeds,
    starting,
    told,
)
from tests.e2e.scenarios.scenario import Scenario

MODULES = (
    seeds,
    starting,
    routing,
    addresses,
    reaching,
    operator,
    places,
    green,
    peerings,
    rights,
    pools,
    progress,
    at_odds,
    told,
)


def _scenarios() -> list[Scenario]:
    """Those that need the same definitions follow each other: changing these takes longest."""
    found = [thing for module in MODULES for thing in vars(module).values() if isinstance(thing, Scenario)]
    return sorted(found, key=lambda one: one.build().definitions)


SCENARIOS = _scenarios()
