"""How something is packed, by its first bytes and never by its name."""

from __future__ import annotations

HEAD = 512
"""So many bytes are needed to tell."""
TAR, ZIP = "tar", "zip"
LAYERS = frozenset({"gzip", "bzip2", "xz", "zstd"})
"""One file packed as it is."""
_MAGIC = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress"),
)


def kind_of(head: bytes) -> str | None:
    """The archive or compression that begins so; None for anything else."""
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    return TAR if _is_tar(head) else None


def _is_tar(head: bytes) -> bool:
    """By the magic or, for archives older than it, by the header's checksum."""
    if head[257:262] == b"ustar":
        return True
    if len(head) < HEAD or not head[0]:
        return False
    total = sum(head[:148]) + sum(head[156:HEAD]) + 8 * ord(" ")
    try:
        return int(head[148:156].strip(b" \0"), 8) == total
    except ValueError:
        return False
