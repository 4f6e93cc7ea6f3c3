"""Where documents come from: file_system, directories, archives, standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import PurePath
from posixpath import join
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO

from calivet.evidence.archives.member_names import is_clutter
from calivet.evidence.archives.unpack import Raw, unpack
from calivet.evidence.sources import file_system
from calivet.evidence.sources.budget import TIME_IS_UP, ReadingBudget
from calivet.evidence.sources.mounts import Ask, HangingError, Mounts, ask_at_once, read_mounts
from calivet.evidence.sources.stream import Stream, Whole
from calivet.messages.message import Message, make_verbatim, message

STDIN = "-"


def read_sources(paths: Sequence[str], stdin: BinaryIO | None, budget: ReadingBudget) -> Iterator[Raw]:
    """Every document of these paths; a directory gives its files in sorted order, `-` is standard input."""
    mounted = read_mounts()
    for path in paths:
        budget.open_source()
        if budget.is_late:
            budget.refuse(path, TIME_IS_UP)
            continue
        if path == STDIN:
            yield from _unpack_from("stdin", Stream(budget.count_bytes_of((stdin or sys.stdin.buffer).read)), budget)
            continue
        ask = mounted.find_asker(mounted.place(path))
        try:
            mode = ask(file_system.read_mode, path)
        except OSError as failure:
            _refuse(path, failure, budget)
            continue
        if S_ISDIR(mode):
            yield from _read_directory(path, mounted, alone=len(paths) == 1, budget=budget)
        else:
            # The operator names it himself: a pipe of the shell's `<(...)` is as good as a file, and may take its time.
            yield from _read_file(path, path, ask if S_ISREG(mode) else ask_at_once, budget)


def _read_file(path: str, name: str, ask: Ask, budget: ReadingBudget) -> Iterator[Raw]:
    try:
        file = ask(file_system.open_file, path)
    except (OSError, ValueError) as failure:
        _refuse(name, failure, budget)
        return
    try:
        pull = budget.count_bytes_of(partial(ask, file_system.read, file))
        yield from _unpack_from(name, Stream(pull, whole=partial(_open_whole, ask, file, budget)), budget)
    finally:
        with suppress(OSError):
            ask(file_system.close, file)


def _open_whole(ask: Ask, file: int, budget: ReadingBudget) -> Whole | None:
    size = ask(file_system.read_length, file)
    return None if size is None else Whole(size, budget.count_bytes_of(partial(ask, file_system.read_at, file)))


def _unpack_from(name: str, stream: Stream, budget: ReadingBudget) -> Iterator[Raw]:
    yield from unpack(name, stream, budget)
    if stream.damage:
        budget.refuse(name, message("evidence.unfinished", why=stream.damage))
    budget.close_file()


def _read_directory(root: str, mounted: Mounts, *, alone: bool, budget: ReadingBudget) -> Iterator[Raw]:
    """Names are relative to the only directory given; with several paths they keep the path as it was given."""
    some = False
    for name, ask in _walk(root, mounted, budget):
        some = True
        if why := budget.explain_exhaustion():
            budget.refuse(root, why)
            return
        yield from _read_file(join(root, name), name if alone else PurePath(root, name).as_posix(), ask, budget)
    if not some and not budget.refused[-1]:
        budget.refuse(root, message("evidence.folder.empty"))


def _walk(root: str, mounted: Mounts, budget: ReadingBudget) -> Iterator[tuple[str, Ask]]:
    """Each file below, and how to ask for it; a directory's files come before those of the directories in it."""
    place = mounted.place(root)
    pending = [""]
    while pending:
        folder = pending.pop()
        ask = mounted.find_asker(join(place, folder))
        try:
            found = [entry for entry in ask(file_system.list_entries, join(root, folder)) if not is_clutter(entry[0])]
        except OSError as failure:
            _refuse(PurePath(root, folder).as_posix(), failure, budget)
            continue
        entries = [(join(folder, name), kind) for name, kind in found]
        pending += [name for name, kind in reversed(entries) if kind == file_system.FOLDER]
        for name, kind in entries:
            if kind == file_system.FILE:
                yield name, mounted.find_asker_below(ask, join(place, name))
            elif kind == file_system.LINK:
                _refuse_link(join(root, name), root, ask, mounted, budget)
            elif kind == file_system.OTHER:
                budget.refuse(join(root, name), message("evidence.not_regular"))


def _refuse_link(link: str, root: str, ask: Ask, mounted: Mounts, budget: ReadingBudget) -> None:
    """A link that stays inside leads to what is read anyway, so only the others are worth a word."""
    end = mounted.place(link)
    try:
        if ask is not ask_at_once or not mounted.find_hanging_mount(end):
            end = ask(file_system.resolve_target, link)
        inside = PurePath(end).is_relative_to(ask(file_system.resolve_path, root))
    except HangingError as failure:
        _refuse(link, failure, budget)
    except OSError:
        budget.refuse(link, message("evidence.link.dangling"))
    else:
        if not inside:
            budget.refuse(link, message("evidence.link.outside"))


def _refuse(name: str, failure: OSError | ValueError, budget: ReadingBudget) -> None:
    if not isinstance(failure, HangingError):
        budget.refuse(name, _explain_failure(failure))
    elif all(refused.what != failure.mount for refused in budget.refused[-1]):
        budget.refuse(failure.mount, message("evidence.hanging", seconds=f"{failure.limit:.0f}"))


def _explain_failure(failure: OSError | ValueError) -> Message:
    if isinstance(failure, FileNotFoundError):
        return message("evidence.missing")
    if isinstance(failure, PermissionError):
        return message("evidence.forbidden")
    return make_verbatim(getattr(failure, "strerror", None) or str(failure))
