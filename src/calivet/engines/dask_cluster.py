"""Dask's workers: those of an existing cluster, or a small cluster started here."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from threading import Lock
from typing import Any

from calivet.engines.engine import CRASHED, EngineError, Failure, Outcome, Outcomes, Work, attempt
from calivet.engines.local import AHEAD
from calivet.evidence.side_by_side import cores

CRITICAL_ONLY = 50
"""The level of Dask's own log: what it has to say about a worker that died is told by calivet."""
_TURN = Lock()


class Dask:
    """Dask runs what a dead worker had in hand again elsewhere, and gives up on what kills worker after worker."""

    def __init__(self, jobs: int | None, address: str | None) -> None:
        """Find the cluster, or start one."""
        import distributed

        dask: Any = distributed  # its functions have no types
        self._cluster: Any = None
        self._jobs = jobs or cores()
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
            raise EngineError(f"no Dask cluster at {address or 'this machine'}: {error}") from None

    def run(self, work: Work, paths: Iterable[str]) -> Outcomes:
        """A few for each of the cluster's threads at a time."""
        import distributed

        dask: Any = distributed
        waiting = iter(paths)
        window = AHEAD * max(self._jobs, sum(self._client.nthreads().values()))
        running = {self._submitted(work, path): path for path in islice(waiting, window)}
        finished = dask.as_completed(list(running), loop=self._client.loop)
        for future in finished:
            path, outcome = running.pop(future), _outcome(future)
            future.release()
            for following in islice(waiting, 1):
                submitted = self._submitted(work, following)
                running[submitted] = following
                finished.add(submitted)
            yield path, outcome

    def close(self) -> None:
        """Leave an existing cluster as it was; end the one that was started here."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _submitted(self, work: Work, path: str) -> Any:
        return self._client.submit(_in_turn, work, path, pure=False)


def _in_turn(work: Work, path: str) -> Outcome:
    """Workers of an existing cluster may have several threads, and the scanner serves one at a time."""
    with _TURN:
        return attempt(work, path)


def _outcome(future: Any) -> Outcome:
    from distributed import KilledWorker

    try:
        outcome: Outcome = future.result()
    except KilledWorker:
        return Failure(CRASHED, died=True)
    except Exception as error:  # noqa: BLE001 - a worker without calivet, a scheduler that went away
        return Failure(f"Dask: {type(error).__name__}: {error}")
    return outcome
