"""The journal of a fix: written before and after each change, so that whatever happens, what was done can be told.

A folder of the user's own for each fix, readable by nobody else: `journal.jsonl`, one entry a line, and beside it what
was saved. An entry is on the disk before the change that it announces is made.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from calivet.fix.objects import Ref, Tree
from calivet.messages.message import MessageError, message
from calivet.redaction.redactor import Redactor
from calivet.search.expressions import expression
from calivet.search.open_flags import NO_LINK, is_own

FILE = "journal.jsonl"
_PLAIN = frozenset({"what", "at", "ref", "prints", "node", "version", "cause", "state", "outcome", "verb", "risk"})
"""Entries that hold names of calivet's and of Kubernetes', and no words of others."""
_ID = expression(r"[0-9]{8}-[0-9]{6}-[a-z0-9-]{1,80}")


class Entry(Struct, frozen=True, tag_field="what", kw_only=True):
    """Something that happened."""

    at: str = ""


class Began(Entry, frozen=True, tag="began"):
    """Who fixes what, where."""

    who: str
    version: str
    server: str
    cause: str
    title: str
    nodes: list[str]


class StepBegan(Entry, frozen=True, tag="step"):
    """A step of the plan is taken, for one node or for the cluster."""

    step: int
    node: str
    do: str
    risk: str
    run: str
    save: str = ""
    undo: str = ""


class ObjectIntended(Entry, frozen=True, tag="object-intended"):
    """An object is about to be changed; what it was is saved."""

    change: int
    step: int
    verb: str
    ref: Ref
    differences: list[str]


class ObjectDone(Entry, frozen=True, tag="object-done"):
    """The server has taken it."""

    change: int


class HostSaved(Entry, frozen=True, tag="host-saved"):
    """The files and kernel settings that a command on a machine names, as they were."""

    change: int
    step: int
    node: str
    files: list[str]
    absent: list[str]
    settings: dict[str, str]
    too_large: list[str]


class HostIntended(Entry, frozen=True, tag="host-intended"):
    """A command is about to run on a machine."""

    change: int
    step: int
    node: str
    run: str


class HostDone(Entry, frozen=True, tag="host-done"):
    """It has ended; `prints` are the fingerprints of what it may have changed, as it left it."""

    change: int
    code: int
    said: str
    prints: dict[str, str]


class Failed(Entry, frozen=True, tag="failed"):
    """A change that was announced was not made."""

    change: int
    why: str


class StepEnded(Entry, frozen=True, tag="step-ended"):
    """How the step's command ended."""

    step: int
    node: str
    code: int
    said: str


class Checked(Entry, frozen=True, tag="checked"):
    """A check of the cause: what it printed and what is expected."""

    run: str
    expect: str
    code: int
    said: str


class Verified(Entry, frozen=True, tag="verified"):
    """A new diagnosis beside the old one: fixed, better, unchanged, worse."""

    outcome: str
    findings: list[str]


class Restored(Entry, frozen=True, tag="restored"):
    """A change was taken back, or had never been made."""

    change: int


class NotRestored(Entry, frozen=True, tag="not-restored"):
    """It could not be, and why."""

    change: int
    why: str


class Ended(Entry, frozen=True, tag="ended"):
    """Where it stands: cured, changed, as-before, or in-between."""

    state: str
    why: str = ""


AnyEntry = (
    Began | StepBegan | ObjectIntended | ObjectDone | HostSaved | HostIntended | HostDone | Failed | StepEnded | Checked
    | Verified | Restored | NotRestored | Ended
)  # fmt: skip


class JournalError(MessageError):
    """A journal that cannot be read or written."""


class Journal:
    """One fix, on the disk."""

    def __init__(self, folder: Path, entries: list[AnyEntry] | None = None) -> None:
        self.folder = folder
        self.entries: list[AnyEntry] = entries or []
        self._redactor = Redactor()

    @property
    def id(self) -> str:
        """By which the operator names it."""
        return self.folder.name

    def write(self, entry: AnyEntry) -> None:
        """Add an entry; it is on the disk when this returns."""
        stamped = msgspec.structs.replace(entry, at=datetime.now(UTC).isoformat(timespec="milliseconds"))
        clean = self._redact_tree(msgspec.to_builtins(stamped))
        with open(self.folder / FILE, "ab", opener=_open_privately) as file:
            # A crash may have left a line without its end: it must not swallow this one.
            file.write(b"\n" * self._is_torn() + msgspec.json.encode(clean) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.entries.append(stamped)

    def _is_torn(self) -> bool:
        path = self.folder / FILE
        return path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")

    def _redact_tree(self, tree: Any) -> Any:
        """Without secrets: they are in what was saved, and nowhere else."""
        if isinstance(tree, dict):
            return {name: value if name in _PLAIN else self._redact_tree(value) for name, value in tree.items()}
        if isinstance(tree, list):
            return [self._redact_tree(value) for value in tree]
        return self._redactor.redact_text(tree) if isinstance(tree, str) and tree else tree

    def save(self, name: str, content: bytes) -> None:
        """Keep a file beside the journal; whole, or not at all."""
        path = self.folder / name
        part = path.with_suffix(".part")
        with open(part, "wb", opener=_open_privately) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _sync_folder(self.folder)

    def save_tree(self, name: str, tree: Tree | None) -> None:
        """Keep an object, or that there is none."""
        self.save(name, msgspec.json.encode(tree))

    def read_tree(self, name: str) -> Tree | None:
        """What was kept so."""
        tree: Tree | None = msgspec.json.decode((self.folder / name).read_bytes())
        return tree

    def count_changes(self) -> int:
        """How many changes have been announced."""
        return sum(isinstance(entry, ObjectIntended | HostSaved) for entry in self.entries)

    def find(self, *kinds: type[Any]) -> Iterator[Any]:
        """The entries of these kinds, in their order."""
        return (entry for entry in self.entries if isinstance(entry, kinds))


def find_folder() -> Path:
    """Where the user's journals are; a relative folder is none, wherever one stands."""
    home = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "state") / "calivet" / "fixes"


def make_folder() -> Path:
    """The same, made where it is missing, and the user's alone whatever the umask says."""
    folder = find_folder()
    for part in (*reversed(folder.parents), folder):
        with suppress(FileExistsError):
            part.mkdir(mode=0o700)
    check_private(folder.parent, folder)
    return folder


def check_private(*paths: Path) -> None:
    """What a journal says is obeyed, as root on machines: nobody else may have written it."""
    for path in paths:
        state = path.lstat()
        if stat.S_ISLNK(state.st_mode) or not is_own(state):
            raise JournalError(message("fix.journal.foreign", path=str(path)))


def _check_saved(folder: Path) -> None:
    """What steps have saved has the mode that the operator's umask gave it; nobody else gets into the folder."""
    for path in folder.iterdir():
        state = path.lstat()
        if stat.S_ISLNK(state.st_mode) or state.st_uid != folder.lstat().st_uid:
            raise JournalError(message("fix.journal.foreign", path=str(path)))


def create_journal(cause: str) -> Journal:
    """A new one, in a folder that only the user may open."""
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for count in range(1, 100):
        folder = make_folder() / f"{moment}-{cause}{f'-{count}' if count > 1 else ''}"
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        folder.chmod(0o700)
        _sync_folder(folder.parent)
        return Journal(folder)
    raise JournalError(message("fix.journal.folder", folder=str(find_folder())))


def open_journal(name: str) -> Journal:
    """The one with this id; a last line that was cut short, as by a crash, is left out."""
    folder = find_folder() / name
    if not _ID.fullmatch(name) or not (folder / FILE).is_file():
        raise JournalError(message("fix.journal.missing", name=name, folder=str(find_folder())))
    check_private(folder.parent.parent, folder.parent, folder, folder / FILE)
    _check_saved(folder)
    entries: list[AnyEntry] = []
    decoder = msgspec.json.Decoder(AnyEntry)
    for line in (folder / FILE).read_bytes().splitlines():
        try:
            entries.append(decoder.decode(line))
        except msgspec.DecodeError:
            continue
    return Journal(folder, entries)


def list_journals() -> list[str]:
    """The ids of all, the newest first."""
    folder = find_folder()
    paths = folder.iterdir() if folder.is_dir() else ()
    return sorted((path.name for path in paths if _ID.fullmatch(path.name) and (path / FILE).is_file()), reverse=True)


def _open_privately(path: str, flags: int) -> int:
    return os.open(path, flags | NO_LINK, 0o600)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
