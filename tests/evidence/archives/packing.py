"""Builds archives in memory for the tests."""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def tar(members: dict[str, bytes], mode: str = "w", specials: tuple[tarfile.TarInfo, ...] = ()) -> bytes:
    """A tar archive of these files, followed by the special entries."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        for special in specials:
            archive.addfile(special)
    return buffer.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """A link, device or pipe."""
    entry = tarfile.TarInfo(name)
    entry.type = kind
    entry.linkname = target
    return entry


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def zstd_packed(data: bytes) -> bytes:
    """One frame with a checksum, as `zstd` writes it."""
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})
