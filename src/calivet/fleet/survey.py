"""From paths to tables: what is new is diagnosed, and each result is written as it comes."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from hashlib import blake2b
from typing import Protocol

from msgspec import Struct, field

from calivet import __version__
from calivet.engines.engine import Engine, Failure, Outcome, Work, outcomes
from calivet.engines.knowledge import OwnFiles
from calivet.evidence.names import printable
from calivet.fleet.content import digest
from calivet.fleet.rows import Bundle, rows
from calivet.fleet.store import Store
from calivet.fleet.told import read_told
from calivet.redaction.redactor import Redactor


class Watcher(Protocol):
    """Is told how far it has come."""

    def phase(self, name: str, total: int) -> None:
        """So many of these begin."""
        ...

    def step(self, name: str, says: str = "") -> None:
        """One more is done."""
        ...

    def finish(self) -> None:
        """No more."""
        ...


class Tally(Struct):
    """How a run went."""

    diagnosed: int = 0
    known: int = 0
    """Bundles whose content was in the tables already, or came twice."""
    failed: dict[str, str] = field(default_factory=dict)
    """Bundles that are listed rather than diagnosed, and why."""


def knowledge_mark(own: OwnFiles) -> str:
    """Changes with whatever may change an answer: then a bundle is diagnosed again."""
    mark = blake2b(__version__.encode(), digest_size=8)
    for name, text in sorted(own):
        mark.update(b"%d %b %d %b" % (len(name), name.encode("utf-8", "replace"), len(text), text))
    return mark.hexdigest()


class Survey:
    """One run over many bundles."""

    def __init__(self, engine: Engine, store: Store, knowledge: str, watcher: Watcher) -> None:
        """What it works with."""
        self._engine, self._store, self._knowledge, self._watcher = engine, store, knowledge, watcher
        self.tally = Tally()

    def run(self, paths: list[str], work: Work) -> None:
        """Look which are new, diagnose those."""
        try:
            fresh = self._fresh(paths)
            self._watcher.phase("bundles", len(fresh))
            with closing(outcomes(self._engine, work, fresh)) as found:
                for path, outcome in found:
                    self._keep(path, fresh[path], outcome)
                    self._watcher.step(path)
        finally:
            self._watcher.finish()

    def _fresh(self, paths: Iterable[str]) -> dict[str, str]:
        """Path and digest of each content that is not known; of two alike, the one that comes first by name."""
        paths = sorted(paths)
        self._watcher.phase("contents", len(paths))
        digests = {}
        with closing(outcomes(self._engine, digest, paths)) as found:
            for path, outcome in found:
                if isinstance(outcome, Failure):
                    self._fail(path, None, outcome.why)
                else:
                    digests[path] = outcome.decode()
                self._watcher.step(path)
        known = self._store.known(self._knowledge)
        fresh: dict[str, str] = {}
        for path in sorted(digests):
            if digests[path] in known:
                self.tally.known += 1
            else:
                known.add(digests[path])
                fresh[path] = digests[path]
        return fresh

    def _keep(self, path: str, content: str, outcome: Outcome) -> None:
        if isinstance(outcome, Failure):
            self._fail(path, content, outcome.why)
            return
        self.tally.diagnosed += 1
        self._store.add(*rows(printable(path), content, self._knowledge, read_told(outcome)))

    def _fail(self, path: str, content: str | None, why: str) -> None:
        """Listed, and tried again in the next run."""
        name, why = printable(path), printable(Redactor().text(why))
        self.tally.failed[name] = why
        self._store.add(Bundle(bundle=name, digest=content, failed=why), {})
