"""Writes what was collected to a tar.gz: plain files that a person can read too, with a manifest."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from calivet import __version__
from calivet.evidence.artifact import Document
from calivet.evidence.bundle import MANIFEST, Manifest, Request
from calivet.live.collecting import Collected
from calivet.redaction.redactor import Redactor

if TYPE_CHECKING:
    import tarfile


def write_bundle(path: Path, collected: Collected, redactor: Redactor) -> int:
    """Takes the secrets out of everything and writes it; gives the number of secrets and names replaced."""
    documents = redactor.documents(collected.documents)
    whole = [document.name for document in documents if document.whole]
    manifest = _manifest(collected, redactor, whole)
    page = msgspec.json.format(msgspec.json.encode(manifest), indent=2).decode()
    first = Document(MANIFEST, page.split("\n"))
    _write(path, [first, *documents], datetime.fromisoformat(collected.started).timestamp())
    return sum(item.count for item in manifest.replaced)


def _manifest(collected: Collected, redactor: Redactor, whole: list[str]) -> Manifest:
    """What the bundle says of itself."""
    asked = [
        Request(redactor.text(one.name), redactor.text(one.command), one.seconds, one.lines)
        for one in collected.requests
    ]
    return Manifest(
        calivet=__version__,
        server=redactor.text(collected.server),
        collected=collected.started,
        seconds=round(collected.seconds, 3),
        interrupted=collected.interrupted,
        requests=asked,
        failed=[redactor.unreadable(item) for item in collected.failed],
        whole=whole,
        replaced=redactor.replaced,
    )


def _write(path: Path, documents: Iterable[Document], moment: float) -> None:
    """Written beside and renamed, so that a full disk or an interrupt leaves no half bundle under the name asked for.

    Only the owner may read it: even without secrets it tells a good deal about a cluster.
    """
    import tarfile

    folder = path.name.removesuffix(".gz").removesuffix(".tar").removesuffix(".tgz")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
            for document in documents:
                text = "\n".join(document.lines) + "\n"
                _add(archive, f"{folder}/{document.name}", text.encode("utf-8", "replace"), moment)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _add(archive: tarfile.TarFile, name: str, data: bytes, moment: float) -> None:
    import io
    import tarfile

    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = len(data), int(moment), 0o644
    archive.addfile(entry, io.BytesIO(data))
