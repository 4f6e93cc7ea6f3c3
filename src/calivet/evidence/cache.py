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


def folder() -> Path:
    """The user's cache folder for calivet."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "calivet"


def kept(name: str, made_from: list[bytes], make: Callable[[], bytes]) -> bytes:
    """The content kept under this name for these ingredients, or made now and kept for the next time."""
    digest = hashlib.sha256(sys.version.encode())
    for ingredient in made_from:
        digest.update(hashlib.sha256(ingredient).digest())
    try:
        path = folder() / f"{name}-{digest.hexdigest()[:32]}"
    except RuntimeError:  # no home directory
        return make()
    content = _load(path)
    if content is None:
        content = make()
        _store(path, content)
    return content


def _load(path: Path) -> bytes | None:
    try:
        state = path.lstat()
        if state.st_uid != os.getuid() or state.st_mode & 0o022 or path.is_symlink():
            return None
        stored = path.read_bytes()
    except OSError:
        return None
    check, content = stored[:_CHECK], stored[_CHECK:]
    return content if hashlib.sha256(content).digest() == check else None


def _store(path: Path, content: bytes) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.parent.lstat().st_uid != os.getuid():
            return
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
