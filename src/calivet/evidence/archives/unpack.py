"""Takes archives and compression apart, in memory, as deep as they go."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Document
from calivet.evidence.long_logs.intake import take_document
from calivet.evidence.sources.budget import ReadingBudget
from calivet.evidence.sources.stream import Stream
from calivet.messages.message import make_verbatim, message

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


def recognize_kind(head: bytes) -> str | None:
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


Raw = tuple[str, bytes | Document]
"""The name of a document and its bytes, or what a sieve left of them."""


def unpack(name: str, stream: Stream, budget: ReadingBudget, depth: int = 0) -> Iterator[Raw]:
    """The documents in this stream: itself, or what lies packed in it."""
    kind = recognize_kind(stream.peek(HEAD))
    if kind is None:
        yield from _read_document(name, stream, budget)
    elif depth >= budget.limits.depth:
        budget.refuse(name, message("archive.too_deep", depth=budget.limits.depth))
    elif kind in LAYERS:
        yield from _unpack_layer(kind, name, stream, budget, depth)
    elif kind in {TAR, ZIP}:
        yield from _unpack_archive(kind, name, stream, budget, depth)
    else:
        budget.refuse(name, message("archive.packing.unknown", kind=kind))
    if budget.stopped and not depth:
        budget.refuse(name, budget.stopped)


def _read_document(name: str, stream: Stream, budget: ReadingBudget) -> Iterator[Raw]:
    data = take_document(name, stream, budget)
    # Damage before the first byte is told by whoever opened the stream; "is empty" would hide it.
    if data or not stream.damage:
        yield name, data


def _unpack_layer(kind: str, name: str, stream: Stream, budget: ReadingBudget, depth: int) -> Iterator[Raw]:
    from calivet.evidence.archives.compression import decompress_stream

    try:
        inner = decompress_stream(kind, stream, budget)
    except ImportError as failure:
        budget.refuse(name, message("archive.packing.failed", kind=kind, why=make_verbatim(str(failure))))
        return
    yield from unpack(name, inner, budget, depth + 1)
    if inner.damage:
        budget.refuse(name, message("archive.damaged", why=inner.damage))


def _unpack_archive(kind: str, name: str, stream: Stream, budget: ReadingBudget, depth: int) -> Iterator[Raw]:
    from calivet.evidence.archives import tars, zips

    found = (tars if kind == TAR else zips).list_members(name, stream, budget)
    some, complaints = False, len(budget.refused[-1])
    for member, content in found:
        budget.entries += 1
        if why := budget.explain_exhaustion():
            budget.stopped = why
            return
        if content is None:
            continue
        some = True
        yield from unpack(member, content, budget, depth + 1)
        if content.damage:
            budget.refuse(member, message("archive.damaged", why=content.damage))
    if not some and len(budget.refused[-1]) == complaints:
        budget.refuse(name, message("archive.empty"))
