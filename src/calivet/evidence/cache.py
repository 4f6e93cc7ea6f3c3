"""Keeps what is slow to make, the parsed catalogue and the compiled patterns, from one run to the next.

A kept file is named by a hash of all it was made from and carries a checksum of its name and content, lies in a folder
that only its owner can write, and is replaced as a whole. Whatever is wrong with it, it is made anew; nothing depends
on it.
"""

from __future__ import annotations

import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

try:
    from _blake2 import blake2b as hashed  # hashlib loads all of OpenSSL, which costs more than what is hashed here
except ImportError:  # as under FIPS, where only certain hashes are allowed
    from hashlib import sha256 as hashed  # type: ignore[assignment]

_CHECK = 4
MONTH = 30 * 86_400


def folder() -> Path:
    """The user's cache folder for calivet."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "calivet"


def kept(name: str, made_from: list[bytes], make: Callable[[], bytes]) -> bytes:
    """The content kept under this name for these ingredients, or made now and kept for the next time."""
    path = place(name, made_from)
    content = load(path)
    if content is None:
        content = make()
        store(path, content)
    return content


def place(name: str, made_from: list[bytes]) -> Path | None:
    """Where the content made from these ingredients is kept; None where there is no home for it."""
    digest = hashed(sys.version.encode())
    for ingredient in made_from:
        digest.update(hashed(ingredient).digest())
    try:
        return folder() / f"{name}-{digest.hexdigest()[:32]}"
    except RuntimeError:  # no home directory
        return None


def state(files: Iterable[Path | os.DirEntry[str]]) -> bytes:
    """An ingredient that stands for files of our own, unread: told by size and time, as Python does it for bytecode."""
    states = [(os.fspath(file), file.stat()) for file in files]
    told = sorted(f"{path} {found.st_size} {found.st_mtime_ns}" for path, found in states)
    return "\n".join(told).encode(errors="surrogateescape")


def load(path: Path | None) -> bytes | None:
    """The content at this place, if it is there, whole and the user's own."""
    if path is None:
        return None
    try:
        if not _is_own(path.parent.stat()):
            return None
        # Without a buffer: megabytes are then not copied once more.
        with open(path, "rb", buffering=0, opener=_carefully) as file:
            state = os.fstat(file.fileno())
            if not _is_own(state) or not stat.S_ISREG(state.st_mode):
                return None
            check, content = file.read(_CHECK), file.readall()
    except OSError:
        return None
    return content if _checksum(path, content) == check else None


def store(path: Path | None, content: bytes) -> None:
    """Keep the content; where that cannot be, nothing is lost but time."""
    if path is None:
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(path.parent.stat()):
            return
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_checksum(path, content) + content)
        beside.replace(path)
        _forget_old(path)
    except OSError:
        return
    finally:  # also when interrupted; once renamed there is nothing beside
        with suppress(OSError):
            beside.unlink()


def _carefully(name: str, flags: int) -> int:
    """A link is not followed, and a pipe that lies there is not waited for."""
    return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _is_own(state: os.stat_result) -> bool:
    """Whether it is the user's, and nobody else can write to it."""
    return state.st_uid == os.getuid() and not state.st_mode & 0o022


def _checksum(path: Path, content: bytes) -> bytes:
    """With the name, so that one whole file cannot stand in for another."""
    return zlib.crc32(content, zlib.crc32(path.name.encode())).to_bytes(_CHECK)


def _forget_old(fresh: Path) -> None:
    """Whatever has not been made for a month belongs to a version that is gone."""
    name = fresh.name.rsplit("-", 1)[0]
    for path in fresh.parent.glob(f"{name}-*"):
        if fresh.stat().st_mtime - path.lstat().st_mtime > MONTH:
            path.unlink(missing_ok=True)
