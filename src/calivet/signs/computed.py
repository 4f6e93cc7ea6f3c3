"""Every computed sign by the name that the catalogue uses: whatever the modules of the layers list as theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import calivet.signs
from calivet.facts.cluster_facts import ClusterFacts
from calivet.signs.sighting import Sighting

Compute = Callable[[ClusterFacts], Iterator[Sighting]]


@cache
def collect_computed_signs() -> dict[str, Compute]:
    """Found by walking the folders of the layers, so that a new module is never forgotten."""
    found: dict[str, Compute] = {}
    for name in list_sign_modules():
        signs: dict[str, Compute] = getattr(import_module(name), "SIGNS", {})
        if twice := found.keys() & signs.keys():
            raise ValueError(f"{name}: another module has a sign named {', '.join(sorted(twice))}")
        found |= signs
    return found


def list_sign_modules() -> list[str]:
    """The modules of all layers, in the order of their names."""
    layers = (one.name for one in iter_modules(calivet.signs.__path__) if one.ispkg)
    packages = [import_module(f"{calivet.signs.__name__}.{layer}") for layer in layers]
    return [f"{package.__name__}.{one.name}" for package in packages for one in iter_modules(package.__path__)]
