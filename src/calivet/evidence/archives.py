"""Takes archives and compression apart, in memory, as deep as they go."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Document
from calivet.evidence.intake import take
from calivet.evidence.kinds import HEAD, LAYERS, TAR, ZIP, kind_of
from calivet.evidence.ledger import Ledger
from calivet.evidence.stream import Stream

Raw = tuple[str, bytes | Document]
"""The name of a document and its bytes, or what a sieve left of them."""


def unpack(name: str, stream: Stream, ledger: Ledger, depth: int = 0) -> Iterator[Raw]:
    """The documents in this stream: itself, or what lies packed in it."""
    kind = kind_of(stream.peek(HEAD))
    if kind is None:
        yield from _document(name, stream, ledger)
    elif depth >= ledger.limits.depth:
        ledger.refuse(name, f"lies more than {ledger.limits.depth} archives deep and is not read")
    elif kind in LAYERS:
        yield from _layer(kind, name, stream, ledger, depth)
    elif kind in {TAR, ZIP}:
        yield from _archive(kind, name, stream, ledger, depth)
    else:
        ledger.refuse(name, f"is packed with {kind}, which calivet does not read; unpack it first")


def _document(name: str, stream: Stream, ledger: Ledger) -> Iterator[Raw]:
    data = take(name, stream, ledger)
    # Damage before the first byte is told by whoever opened the stream; "is empty" would hide it.
    if data or not stream.damage:
        yield name, data


def _layer(kind: str, name: str, stream: Stream, ledger: Ledger, depth: int) -> Iterator[Raw]:
    from calivet.evidence.compression import decompressed

    try:
        inner = decompressed(kind, stream, ledger.limits)
    except ImportError as failure:
        ledger.refuse(name, f"is packed with {kind}: {failure}")
        return
    yield from unpack(name, inner, ledger, depth + 1)
    if inner.damage:
        ledger.refuse(name, f"is damaged: {inner.damage}")


def _archive(kind: str, name: str, stream: Stream, ledger: Ledger, depth: int) -> Iterator[Raw]:
    from calivet.evidence import tars, zips

    found = (tars if kind == TAR else zips).members(name, stream, ledger)
    some = False
    for member, content in found:
        some = True
        if why := ledger.exhausted():
            ledger.refuse(name, why)
            break
        yield from unpack(member, content, ledger, depth + 1)
        if content.damage:
            ledger.refuse(member, f"is damaged: {content.damage}")
    if not some and not any(refused.what.startswith(name) for refused in ledger.refused[-1]):
        ledger.refuse(name, "is an empty archive")
