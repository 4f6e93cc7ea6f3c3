"""What the scripts that build something to give away share: the version, checksums, and archives of the same bytes."""

from __future__ import annotations

import gzip
import hashlib
import platform
import re
import shutil
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

ROOT = Path(__file__).parents[1]
MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
IGNORED = shutil.ignore_patterns("__pycache__")


def read_version() -> str:
    """calivet's, from its one source."""
    text = (ROOT / "src/calivet/__init__.py").read_text(encoding="utf-8")
    return str(re.findall(r'^__version__ = "(.+)"', text, re.MULTILINE)[0])


def name_architecture() -> str:
    """This machine's, as Debian, Kubernetes and Go call it."""
    machine = platform.machine()
    return MACHINES.get(machine, machine)


def name_platform() -> str:
    """This machine's system and architecture."""
    return f"{sys.platform}-{name_architecture()}"


def compute_sum(file: Path) -> str:
    """SHA-256."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def list_tree(folder: Path) -> Iterator[Path]:
    """All that lies below a folder, in the order of the names: a folder comes before what is in it."""
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from list_tree(path)


def make_plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without what differs from build to build, so that the same content has the same sum."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if not member.isfile() or member.mode & 0o100 else 0o644
    return member


def write_tar(
    folder: Path,
    stream: IO[bytes],
    *,
    prefix: str = "",
    change: Callable[[tarfile.TarInfo], tarfile.TarInfo] = make_plain,
) -> None:
    """The folder's content below the prefix."""
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in list_tree(folder):
            tar.add(path, prefix + str(path.relative_to(folder)), recursive=False, filter=change)


def write_archive(folder: Path, archive: Path, *, prefix: str = "") -> None:
    """The folder's content as tar.gz."""
    with archive.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as stream:
        write_tar(folder, cast("IO[bytes]", stream), prefix=prefix)
