"""Keeps what is slow to make, the parsed catalogue and the compiled patterns, from one run to the next.

What is the same for everybody is made when calivet is built and comes with it (`prepare`); the rest every user makes
once. A kept file is named by a hash of all it was made from and carries a checksum of its name and content, lies in a
folder that only its owner can write, and is replaced as a whole. Whatever is wrong with it, it is made anew; nothing
depends on it.
"""

from __future__ import annotations

import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from calivet.search.open_flags import CREATE, NO_LINK, READ_AT_ONCE, is_own

try:
    from _blake2 import blake2b as hashed  # hashlib loads all of OpenSSL, which costs more than what is hashed here
except ImportError:  # as under FIPS, where only certain hashes are allowed
    from hashlib import sha256 as hashed  # type: ignore[assignment]

_CHECK = 4
MONTH = 30 * 86_400


def find_cache_folder() -> Path:
    """The user's cache folder for calivet."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "calivet"


PREPARED = Path(__file__).parents[1] / "prepared"
"""Of each thing that was made when calivet was built, a file: a hash of all it was made from, and the content."""
_HASH = 32


def load_prepared(name: str, made_from: list[bytes]) -> bytes | None:
    """What calivet brought along under this name, if it was made from the very same."""
    try:
        found = (PREPARED / name).read_bytes()
    except OSError:  # as where calivet runs from its sources
        return None
    return found[_HASH:] if found[:_HASH] == _compute_hash(made_from) else None


def load_prepared_or_make(name: str, made_from: list[bytes], make: Callable[[], bytes]) -> bytes:
    """The same, made where it is not there, and prepared if that is what is being done."""
    content = load_prepared(name, made_from)
    if content is None:
        content = make()
        if _preparing:
            prepare(name, made_from, content)
    return content


def prepare(name: str, made_from: list[bytes], content: bytes) -> None:
    """Have calivet bring this along; only who builds it calls that."""
    PREPARED.mkdir(exist_ok=True)
    (PREPARED / name).write_bytes(_compute_hash(made_from) + content)


_preparing: list[bool] = []


def begin_to_prepare() -> None:
    """From now on all that would be looked for among what is prepared is made and put there."""
    import shutil

    shutil.rmtree(PREPARED, ignore_errors=True)
    _preparing.append(True)


def _compute_hash(made_from: list[bytes], *, start: bytes = b"") -> bytes:
    digest = hashed(start)
    for ingredient in made_from:
        digest.update(hashed(ingredient).digest())
    return digest.digest()[:_HASH]


_listeners: list[Callable[[str], None]] = []


def tell_before_making(listener: Callable[[str], None]) -> None:
    """Have somebody told the name of what is about to be made: it may take seconds."""
    _listeners[:] = [listener]


def load_or_make(name: str, made_from: list[bytes], make: Callable[[], bytes]) -> bytes:
    """The content kept under this name for these ingredients, or made now and kept for the next time."""
    path = find_cache_path(name, made_from)
    content = load(path)
    if content is None:
        for tell in _listeners:
            tell(name)
        content = make()
        store(path, content)
    return content


def find_cache_path(name: str, made_from: list[bytes]) -> Path | None:
    """Where the content made from these ingredients is kept; None where there is no home for it."""
    digest = _compute_hash(made_from, start=sys.version.encode()).hex()
    try:
        return find_cache_folder() / f"{name}-{digest[:32]}"
    except RuntimeError:  # no home directory
        return None


def compute_fingerprint(files: Iterable[Path | os.DirEntry[str]]) -> bytes:
    """An ingredient that stands for files of our own, unread: told by size and time, as Python does it for bytecode."""
    states = [(os.fspath(file), file.stat()) for file in files]
    told = sorted(f"{path} {found.st_size} {found.st_mtime_ns}" for path, found in states)
    return "\n".join(told).encode(errors="surrogateescape")


def load(path: Path | None) -> bytes | None:
    """The content at this place, if it is there, whole and the user's own."""
    if path is None:
        return None
    try:
        if not is_own(path.parent.stat()):
            return None
        # Without a buffer: megabytes are then not copied once more.
        with open(path, "rb", buffering=0, opener=_open_carefully) as file:
            state = os.fstat(file.fileno())
            if not is_own(state) or not stat.S_ISREG(state.st_mode):
                return None
            check, content = file.read(_CHECK), file.readall()
    except OSError:
        return None
    return content if _compute_checksum(path, content) == check else None


def store(path: Path | None, content: bytes) -> None:
    """Keep the content; where that cannot be, nothing is lost but time."""
    if path is None:
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_own(path.parent.stat()):
            return
        descriptor = os.open(beside, CREATE, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_compute_checksum(path, content) + content)
        beside.replace(path)
        _forget_old(path)
    except OSError:
        return
    finally:  # also when interrupted; once renamed there is nothing beside
        with suppress(OSError):
            beside.unlink()


def _open_carefully(name: str, flags: int) -> int:
    """A link is not followed, and a pipe that lies there is not waited for."""
    return os.open(name, flags | NO_LINK | READ_AT_ONCE)


def _compute_checksum(path: Path, content: bytes) -> bytes:
    """With the name, so that one whole file cannot stand in for another."""
    return zlib.crc32(content, zlib.crc32(path.name.encode())).to_bytes(_CHECK)


def _forget_old(fresh: Path) -> None:
    """Whatever has not been made for a month belongs to a version that is gone."""
    name = fresh.name.rsplit("-", 1)[0]
    for path in fresh.parent.glob(f"{name}-*"):
        if fresh.stat().st_mtime - path.lstat().st_mtime > MONTH:
            path.unlink(missing_ok=True)
