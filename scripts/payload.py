"""Attaches a folder to the launcher, as deploy/binary/payload.go reads it."""

from __future__ import annotations

import hashlib
import io
import sys
from pathlib import Path

from packing import write_tar

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MARK = b"calivet1"
LEVEL = 19


def attach(launcher: Path, tree: Path, binary: Path) -> None:
    """The launcher, the packed folder, its sum, its length and a mark, as deploy/binary/payload.go reads them."""
    settings: dict[int, int] = {
        zstd.CompressionParameter.compression_level: LEVEL,
        zstd.CompressionParameter.checksum_flag: 1,
    }
    packed = io.BytesIO()
    write_tar(tree, packed)
    payload = zstd.compress(packed.getvalue(), options=settings)
    trailer = hashlib.sha256(payload).digest() + len(payload).to_bytes(8) + MARK
    binary.write_bytes(launcher.read_bytes() + payload + trailer)
    binary.chmod(0o755)
