"""What the fuzzer begins with: for each target a few inputs that it takes, and the words of the formats."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from calivet.catalogue.load import SHIPPED
from calivet.evidence.artifact import Document, Replaced
from calivet.evidence.gather import gather_documents
from calivet.evidence.layouts.own_bundle import Failed, Manifest, Request
from calivet.readers.anchors import READERS
from calivet.reports.diagnosis.json import to_json
from tests.evidence.archives.packing import tar, zipped, zstd_packed
from tests.fuzz.dirt import PROMPTS, SPOILERS, real_texts
from tests.fuzz.targets import BETWEEN_ANSWERS, examined_of

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
    evidence = gather_documents([Document("paste.txt", real_texts()[0].splitlines())])
    return to_json(examined_of(evidence).diagnosis, "en").encode()


def manifest() -> bytes:
    """A manifest in which every field is filled."""
    failed = Failed("logs/alder.log", "forbidden: needs get pods/log", "kubectl logs -n kube-system calico-node-x")
    return msgspec.json.encode(
        Manifest(
            calivet="1.0",
            server="https://10.0.0.1:6443",
            collected="2024-05-01T10:00:00+00:00",
            seconds=1.5,
            requests=[Request("nodes.txt", "kubectl get nodes", 0.1, 2)],
            failed=[failed],
            whole=["nodes.txt"],
            replaced=[Replaced("token", "nodes.txt", 1, 2)],
        )
    )


def api() -> bytes:
    """The answers of an API server, in the order in which they are asked for."""
    meta = {"metadata": {"continue": "", "remainingItemCount": 0}}
    columns = [{"name": name} for name in ("Name", "Ready", "Status", "Restarts", "Age", "IP", "Node")]
    cells = ["calico-node-x", "0/1", "CrashLoopBackOff", 7, "1d", "10.0.0.5", "alder"]
    labels = {"k8s-app": "calico-node"}
    head = {"metadata": {"name": "calico-node-x", "namespace": "kube-system", "labels": labels}}
    table = {**meta, "columnDefinitions": columns, "rows": [{"cells": cells, "object": head}]}
    answers = [{"gitVersion": "v1.28.0"}, "[+]ping ok", table, {"resources": [{"name": "ippools"}]}, *[table] * 12]
    return BETWEEN_ANSWERS.join(map(msgspec.json.encode, answers))


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
        for number, _ in enumerate(READERS):
            yield from (bytes([number]) + piece for piece in pieces)
    elif target == "archives":
        yield from packed().values()
    elif target == "catalogue":
        yield from (path.read_bytes()[:PIECE] for path in sorted(SHIPPED.rglob("*.yaml")))
    elif target == "probe":
        yield PROBE
    elif target == "diagnosis":
        yield diagnosis()
    elif target == "manifest":
        yield manifest()
    elif target == "api":
        yield api()
    elif target == "growth":
        yield from {line[:48].encode() for text in real_texts() for line in text.splitlines() if line}
    else:
        yield from pieces


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)
