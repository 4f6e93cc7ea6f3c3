"""The engine that was asked for, and those whose workers are Dask's or Ray's: of an existing cluster or a small one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import islice
from typing import Any

from calivet.engines.engine import (
    AHEAD,
    CRASHED,
    Engine,
    EngineError,
    Failure,
    Limits,
    Local,
    Outcome,
    Outcomes,
    Work,
    describe_unreachable,
    end_turns,
    run_in_turn,
)
from calivet.evidence.isolated_python import isolate_libraries
from calivet.evidence.long_logs.workers import count_cores
from calivet.messages.message import make_verbatim

CRITICAL_ONLY = 50
"""The level of Dask's own log: what it has to say about a worker that died is told by calivet."""


class Dask:
    """Dask runs what a dead worker had in hand again elsewhere, and gives up on what kills worker after worker."""

    def __init__(self, jobs: int | None, address: str | None, limits: Limits) -> None:
        """Find the cluster, or start one."""
        import distributed

        dask: Any = distributed  # its functions have no types
        self._cluster: Any = None
        self._jobs, self._limits = jobs or count_cores(), limits
        try:
            if not address:
                self._cluster = dask.LocalCluster(
                    n_workers=self._jobs,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=CRITICAL_ONLY,
                )
            self._client: Any = dask.Client(address or self._cluster, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            raise EngineError(describe_unreachable("Dask", address, error)) from None

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """A few for each of the cluster's threads at a time."""
        import distributed

        dask: Any = distributed
        waiting = iter(paths)
        window = AHEAD * max(self._jobs, sum(self._client.nthreads().values()))
        running = {self._submit(work, path): path for path in islice(waiting, window)}
        finished = dask.as_completed(list(running), loop=self._client.loop)
        for future in finished:
            path, outcome = running.pop(future), _read_outcome(future)
            future.release()
            for following in islice(waiting, 1):
                submitted = self._submit(work, following)
                running[submitted] = following
                finished.add(submitted)
            yield path, outcome

    def close(self) -> None:
        """Leave an existing cluster as it was; end the one that was started here."""
        with suppress(Exception):  # a cluster that is gone has nothing left to end
            self._client.run(end_turns)
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _submit(self, work: Work, path: str) -> Any:
        return self._client.submit(run_in_turn, work, self._limits, path, pure=False)


def _read_outcome(future: Any) -> Outcome:
    from distributed import KilledWorker

    try:
        outcome: Outcome = future.result()
    except KilledWorker:
        return Failure(CRASHED, died=True)
    except Exception as error:  # noqa: BLE001 - a worker without calivet, a scheduler that went away
        return Failure(make_verbatim(f"Dask: {type(error).__name__}: {error}"))
    return outcome


RETRIES = 3
"""How often Ray itself runs again what a dead worker had in hand."""
ERRORS_ONLY = 40


class Ray:
    """Ray's tasks have a process of their own, so what one of them does to it costs no other."""

    def __init__(self, jobs: int | None, address: str | None, limits: Limits) -> None:
        """Find the cluster, or start one."""
        import ray

        quiet: dict[str, Any] = {"logging_level": ERRORS_ONLY, "log_to_driver": False}
        here: dict[str, Any] = {"address": "local", "num_cpus": jobs or count_cores(), "include_dashboard": False}
        self._ray: Any = ray
        self._limits = limits
        try:
            ray.init(**quiet, **({"address": address} if address else here))
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise EngineError(describe_unreachable("Ray", address, error)) from None

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """A few for each of the cluster's cores at a time."""
        waiting = iter(paths)
        remote = self._ray.remote(max_retries=RETRIES)(run_in_turn)
        carried = self._ray.put(work)
        window = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        running = {remote.remote(carried, self._limits, path): path for path in islice(waiting, window)}
        while running:
            (future,), _ = self._ray.wait(list(running), num_returns=1)
            path, outcome = running.pop(future), self._take_outcome(future)
            running |= {remote.remote(carried, self._limits, following): following for following in islice(waiting, 1)}
            yield path, outcome

    def close(self) -> None:
        """Leave an existing cluster as it was; end the one that was started here."""
        self._ray.shutdown()

    def _take_outcome(self, future: Any) -> Outcome:
        from ray.exceptions import OutOfMemoryError, RayError, WorkerCrashedError

        try:
            outcome: Outcome = self._ray.get(future)
        except (WorkerCrashedError, OutOfMemoryError):
            return Failure(CRASHED, died=True)
        except RayError as error:  # a worker without calivet, a node that went away
            return Failure(make_verbatim(f"Ray: {type(error).__name__}: {error}"))
        return outcome


ENGINES = ("local", "ray", "dask")
_CLUSTERS: dict[str, tuple[str, Callable[[int | None, str | None, Limits], Engine]]] = {
    "ray": ("ray", Ray),
    "dask": ("distributed", Dask),
}
"""The package each needs, and the class here."""


class NotInstalledError(Exception):
    """The optional package of this name is not installed."""


@contextmanager
def open_engine(
    name: str, jobs: int | None = None, address: str | None = None, limits: Limits | None = None
) -> Iterator[Engine]:
    """Open while it is needed."""
    limits = limits or Limits()
    if name not in _CLUSTERS:
        yield Local(jobs, limits)
        return
    with _keep_environment():
        opened = _build_cluster(name, jobs, address, limits)
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def _keep_environment() -> Iterator[None]:
    """While a library may start interpreters."""
    before = dict(os.environ)
    isolate_libraries()
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _build_cluster(name: str, jobs: int | None, address: str | None, limits: Limits) -> Engine:
    package, cluster = _CLUSTERS[name]
    if find_spec(package) is None:
        raise NotInstalledError(package)
    return cluster(jobs, address, limits)
