"""From paths to tables: what is new is diagnosed, and each result is written as it comes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import closing
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from calivet import __version__
from calivet.engines.engine import Engine, Failure, Outcome, OwnFiles, PathError, Work, run_each_once
from calivet.evidence.archives.member_names import is_clutter, make_printable
from calivet.fleet.store import Store
from calivet.fleet.tables import BundleRow, make_rows
from calivet.fleet.work import read_answer
from calivet.messages.message import Message, message
from calivet.redaction.redactor import Redactor

SIZE = 16


def compute_content_digest(path: str) -> bytes:
    """Of a file its bytes; of a folder the names and bytes of all its files. Work for an engine."""
    place = Path(path)
    if place.exists() and not place.is_dir() and not place.is_file():
        raise PathError(message("evidence.not_regular"))
    if not place.is_dir():
        return _compute_file_digest(place).encode()
    whole = blake2b(digest_size=SIZE)
    for file in _list_files(place):
        name = os.fsencode(file.relative_to(place).as_posix())
        whole.update(b"%d %b %b\n" % (len(name), name, _compute_file_digest(file).encode()))
    return whole.hexdigest().encode()


def _list_files(root: Path) -> list[Path]:
    """As evidence is gathered: links lead to nothing that is read."""
    found = []
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if not is_clutter(name)]
        files = (Path(folder) / name for name in names if not is_clutter(name))
        found += [file for file in files if file.is_file() and not file.is_symlink()]
    return sorted(found)


def _compute_file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, lambda: blake2b(digest_size=SIZE)).hexdigest()


class ProgressObserver(Protocol):
    """Is told how far it has come."""

    def phase(self, name: str, total: int) -> None:
        """So many of these begin."""
        ...

    def step(self, name: str, says: Message | None = None) -> None:
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
    failed: dict[str, Message] = field(default_factory=dict)
    """Bundles that are listed rather than diagnosed, and why."""


def compute_knowledge_mark(own: OwnFiles) -> str:
    """Changes with whatever may change an answer: then a bundle is diagnosed again."""
    mark = blake2b(__version__.encode(), digest_size=8)
    for name, text in sorted(own):
        mark.update(b"%d %b %d %b" % (len(name), name.encode("utf-8", "replace"), len(text), text))
    return mark.hexdigest()


class Survey:
    """One run over many bundles."""

    def __init__(
        self, engine: Engine, store: Store, knowledge: str, watcher: ProgressObserver, language: str = "en"
    ) -> None:
        """What it works with."""
        self._engine, self._store, self._knowledge, self._watcher = engine, store, knowledge, watcher
        self._language = language
        self.tally = Tally()
        self._redactor = Redactor()

    def run(self, paths: list[str], work: Work) -> None:
        """Look which are new, diagnose those."""
        try:
            fresh = self._find_fresh(paths)
            self._watcher.phase("bundles", len(fresh))
            with closing(run_each_once(self._engine, work, fresh)) as found:
                for path, outcome in found:
                    self._keep(path, fresh[path], outcome)
                    self._watcher.step(self._name(path))
        finally:
            self._watcher.finish()

    def _find_fresh(self, paths: Iterable[str]) -> dict[str, str]:
        """Path and digest of each content that is not known; of two alike, the one that comes first by name."""
        paths = sorted(paths)
        self._watcher.phase("contents", len(paths))
        digests = {}
        with closing(run_each_once(self._engine, compute_content_digest, paths)) as found:
            for path, outcome in found:
                if isinstance(outcome, Failure):
                    self._fail(path, None, outcome.why)
                else:
                    digests[path] = outcome.decode()
                self._watcher.step(self._name(path))
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
        self._store.add(*make_rows(self._name(path), content, self._knowledge, read_answer(outcome)))

    def _name(self, path: str) -> str:
        """What a bundle is known by. Where a secret was in it, two that differ in nothing else are still told apart."""
        name, clean = make_printable(path), make_printable(self._redactor.redact_text(path))
        return (
            name if clean == name else f"{clean}#{blake2b(path.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"
        )

    def _fail(self, path: str, content: str | None, why: Message) -> None:
        """Listed, and tried again in the next run."""
        name, why = self._name(path), why.map(self._redactor.redact_text).map(make_printable)
        self.tally.failed[name] = why
        self._store.add(BundleRow(bundle=name, digest=content, failed=why.read(self._language)), {})
