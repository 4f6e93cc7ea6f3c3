"""Keeps what is slow to make, the parsed catalogue and the compiled patterns, from one run to the next.

A kept file is named by a hash of all it was made from and carries a hash of its own content, lies in a folder that
only its owner can write, and is replaced as a whole. Whatever is wrong with it, it is made anew; nothing depends on it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

_CHECK = 32
MONTH = 30 * 86_400


def folder() -> Path:
    """The user's cache folder for calivet."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "calivet"


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
    digest = hashlib.sha256(sys.version.encode())
    for ingredient in made_from:
        digest.update(hashlib.sha256(ingredient).digest())
    try:
        return folder() / f"{name}-{digest.hexdigest()[:32]}"
    except RuntimeError:  # no home directory
        return None


def load(path: Path | None) -> bytes | None:
    """The content at this place, if it is there, whole and the user's own."""
    if path is None:
        return None
    try:
        state = path.lstat()
        if state.st_uid != os.getuid() or state.st_mode & 0o022 or path.is_symlink():
            return None
        stored = path.read_bytes()
    except OSError:
        return None
    check, content = stored[:_CHECK], stored[_CHECK:]
    return content if hashlib.sha256(content).digest() == check else None


def store(path: Path | None, content: bytes) -> None:
    """Keep the content; where that cannot be, nothing is lost but time."""
    if path is None:
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.parent.lstat().st_uid != os.getuid():
            return
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        beside.replace(path)
        _forget_old(path)
    except OSError:
        beside.unlink(missing_ok=True)


def _forget_old(fresh: Path) -> None:
    """Whatever has not been made for a month belongs to a version that is gone."""
    name = fresh.name.rsplit("-", 1)[0]
    for path in fresh.parent.glob(f"{name}-*"):
        if fresh.stat().st_mtime - path.stat().st_mtime > MONTH:
            path.unlink(missing_ok=True)
