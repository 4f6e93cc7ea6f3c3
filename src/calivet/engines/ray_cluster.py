"""Ray's workers: those of an existing cluster, or a small cluster started here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from calivet.engines.engine import CRASHED, EngineError, Failure, Outcome, Outcomes, Work, attempt
from calivet.engines.local import AHEAD
from calivet.evidence.side_by_side import cores

RETRIES = 3
"""How often Ray itself runs again what a dead worker had in hand."""
ERRORS_ONLY = 40


class Ray:
    """Ray's tasks have a process of their own, so what one of them does to it costs no other."""

    def __init__(self, jobs: int | None, address: str | None) -> None:
        """Find the cluster, or start one."""
        import ray

        quiet: dict[str, Any] = {"logging_level": ERRORS_ONLY, "log_to_driver": False}
        here: dict[str, Any] = {"address": "local", "num_cpus": jobs or cores(), "include_dashboard": False}
        self._ray: Any = ray
        try:
            ray.init(**quiet, **({"address": address} if address else here))
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise EngineError(f"no Ray cluster at {address or 'this machine'}: {error}") from None

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """A few for each of the cluster's cores at a time."""
        waiting = iter(paths)
        remote = self._ray.remote(max_retries=RETRIES)(attempt)
        carried = self._ray.put(work)
        window = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        running = {remote.remote(carried, path): path for path in islice(waiting, window)}
        while running:
            (future,), _ = self._ray.wait(list(running), num_returns=1)
            path, outcome = running.pop(future), self._outcome(future)
            running |= {remote.remote(carried, following): following for following in islice(waiting, 1)}
            yield path, outcome

    def close(self) -> None:
        """Leave an existing cluster as it was; end the one that was started here."""
        self._ray.shutdown()

    def _outcome(self, future: Any) -> Outcome:
        from ray.exceptions import OutOfMemoryError, RayError, WorkerCrashedError

        try:
            outcome: Outcome = self._ray.get(future)
        except (WorkerCrashedError, OutOfMemoryError):
            return Failure(CRASHED, died=True)
        except RayError as error:  # a worker without calivet, a node that went away
            return Failure(f"Ray: {type(error).__name__}: {error}")
        return outcome
