"""The engine that was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from calivet.engines.engine import Engine
from calivet.engines.local import Local

ENGINES = ("local", "ray", "dask")
_CLUSTERS = {"ray": ("ray", "ray_cluster", "Ray"), "dask": ("distributed", "dask_cluster", "Dask")}
"""The package each needs, and the module and class here."""


class NotInstalledError(Exception):
    """The optional extra of this name is not installed."""


@contextmanager
def engine(name: str, jobs: int | None = None, address: str | None = None) -> Iterator[Engine]:
    """Open while it is needed."""
    opened = Local(jobs) if name not in _CLUSTERS else _cluster(name, jobs, address)
    try:
        yield opened
    finally:
        opened.close()


def _cluster(name: str, jobs: int | None, address: str | None) -> Engine:
    package, module, kind = _CLUSTERS[name]
    if find_spec(package) is None:
        raise NotInstalledError(name)
    opened: Engine = getattr(import_module(f"calivet.engines.{module}"), kind)(jobs, address)
    return opened
