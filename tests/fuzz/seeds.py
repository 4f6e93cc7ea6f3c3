"""What the fuzzer begins with: for each target a few inputs that it takes, and the words of the formats."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from calivet.catalogue.load import SHIPPED
from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.readers.anchors import ANCHORS
from calivet.reports.machine import to_json
from tests.evidence.packing import tar, zipped, zstd_packed
from tests.fuzz.dirt import PROMPTS, SPOILERS, real_texts
from tests.fuzz.targets import examined_of

PIECE = 4000
"""Characters: libFuzzer works best with small inputs."""
MEMBERS = {"alder/kubelet.log": b"kubelet says one\n", "cedar/felix.log": b"felix says two\n" * 20}
PROBE = b"# calivet-probe 1 host=alder\n[root@alder ~]# uname -r\n6.1.0-18-amd64\n#= exit=0\n# calivet-probe end\n"


def packed() -> dict[str, bytes]:
    """The same members in every kind of archive."""
    plain = tar(MEMBERS)
    return {
        "tar": plain,
        "tar.gz": gzip.compress(plain, mtime=0),
        "tar.zst": zstd_packed(plain),
        "zip": zipped(MEMBERS),
    }


def diagnosis() -> bytes:
    """A diagnosis as `diagnose -o json` writes it."""
    haul = gather_documents([Document("paste.txt", real_texts()[0].splitlines())])
    return to_json(examined_of(haul).diagnosis, "en").encode()


def write_seeds(target: str, folder: Path) -> None:
    """The inputs of a target, a file each."""
    for data in _seeds(target):
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)


def words() -> str:
    """The pieces of the formats, as libFuzzer's dictionaries are written."""
    encoded = {word.encode("utf-8", "replace") for word in (*PROMPTS, *SPOILERS)}
    return "".join(f'"{_escaped(word)}"\n' for word in sorted(encoded))


def _seeds(target: str) -> Iterator[bytes]:
    pieces = [text[:PIECE].encode() for text in real_texts()]
    if target == "readers":
        for number, _ in enumerate(ANCHORS):
            yield from (bytes([number]) + piece for piece in pieces)
    elif target == "archives":
        yield from packed().values()
    elif target == "catalogue":
        yield from (path.read_bytes()[:PIECE] for path in sorted(SHIPPED.glob("*.yaml")))
    elif target == "probe":
        yield PROBE
    elif target == "diagnosis":
        yield diagnosis()
    else:
        yield from pieces


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)
