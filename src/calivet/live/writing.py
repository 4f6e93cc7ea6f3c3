"""Writes what was collected to an archive that a person can read too, or the script that collects it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec import structs

from calivet import __version__
from calivet.evidence.archives.member_names import make_names_distinct
from calivet.evidence.artifact import Document
from calivet.evidence.layouts.own_bundle import MANIFEST, Manifest, Request, note_failure
from calivet.live import needs
from calivet.live.collecting import Collected
from calivet.redaction.redactor import Redactor
from calivet.search.expressions import expression

_FOLDER = Path(__file__).with_name("scripts")
SCRIPTS = {"sh": _FOLDER / "collect.sh", "powershell": _FOLDER / "collect.ps1"}

COUNTED = ("ipamblocks", "ipamhandles", "blockaffinities")
"""Of these a cluster may have many thousands: only the claims of the nodes are read, as a table."""
NAMES = {
    "RESOURCES": [
        name
        for each in (
            needs.POOLS,
            needs.BLOCKS,
            needs.ROUTING,
            needs.SETTINGS,
            needs.POLICIES,
            needs.INSTALLATION.resources,
        )
        for name in each
        if name not in COUNTED
    ],
    "GROUPS": [needs.CALICO, needs.CALICO_API, needs.OPERATOR],
    "CONFIG_MAPS": list(needs.CONFIG_MAPS),
}


def write_script(shell: str) -> str:
    """The script for that shell, its lists filled in."""
    text = SCRIPTS[shell].read_text("utf-8")
    for mark, names in NAMES.items():
        text = text.replace(f"@{mark}@", " ".join(names))
    return text


_ENDING = expression(r"\.(?:tar\.gz|tgz|tar|zip)$")

if TYPE_CHECKING:
    import tarfile


def write_bundle(path: Path, collected: Collected, redactor: Redactor) -> int:
    """Takes the secrets out of everything and writes it; gives the number of secrets and names replaced."""
    documents = redactor.redact_documents(collected.documents)
    # The API server has a say in them, and so have anonymized names.
    names = make_names_distinct([MANIFEST, *(document.name for document in documents)])[1:]
    documents = [structs.replace(one, name=name) for one, name in zip(documents, names, strict=True)]
    whole = [document.name for document in documents if document.whole]
    manifest = _build_manifest(collected, redactor, whole)
    page = msgspec.json.format(msgspec.json.encode(manifest), indent=2).decode()
    first = Document(MANIFEST, page.split("\n"))
    # The name it was given goes along inside of it.
    folder = redactor.redact_text(_ENDING.sub("", path.name))
    folder = folder.replace("<", "").replace(">", "")
    _write(path, folder, [first, *documents], datetime.fromisoformat(collected.started).timestamp())
    return sum(item.count for item in manifest.replaced)


def _build_manifest(collected: Collected, redactor: Redactor, whole: list[str]) -> Manifest:
    """What the bundle says of itself."""
    asked = [
        Request(redactor.redact_text(one.name), redactor.redact_text(one.command), one.seconds, one.lines)
        for one in collected.requests
    ]
    return Manifest(
        calivet=__version__,
        server=redactor.redact_text(collected.server),
        collected=collected.started,
        seconds=round(collected.seconds, 3),
        interrupted=collected.interrupted,
        requests=asked,
        failed=[note_failure(redactor.redact_unreadable(item)) for item in collected.failed],
        whole=whole,
        replaced=redactor.replaced,
        context="" if redactor.anonymizes else redactor.redact_text(collected.context),
    )


def _write(path: Path, folder: str, documents: Iterable[Document], moment: float) -> None:
    """Written beside and renamed, so that a full disk or an interrupt leaves no half bundle under the name asked for.

    Only the owner may read it: even without secrets it tells a good deal about a cluster.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    pages = ((f"{folder}/{one.name}", ("\n".join(one.lines) + "\n").encode("utf-8", "replace")) for one in documents)
    write = _write_zip if path.suffix == ".zip" else _write_tar if path.suffix == ".tar" else _write_packed_tar
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            write(file, pages, int(moment))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


Pages = Iterable[tuple[str, bytes]]


def _write_packed_tar(file: BinaryIO, pages: Pages, moment: int) -> None:
    import tarfile

    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
        _add_pages(archive, pages, moment)


def _write_tar(file: BinaryIO, pages: Pages, moment: int) -> None:
    import tarfile

    with tarfile.open(fileobj=file, mode="w") as archive:
        _add_pages(archive, pages, moment)


def _add_pages(archive: tarfile.TarFile, pages: Pages, moment: int) -> None:
    import io
    import tarfile

    for name, data in pages:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mtime, entry.mode = len(data), moment, 0o644
        archive.addfile(entry, io.BytesIO(data))


def _write_zip(file: BinaryIO, pages: Pages, moment: int) -> None:
    import time
    import zipfile

    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in pages:
            archive.writestr(zipfile.ZipInfo(name, time.gmtime(moment)[:6]), data, zipfile.ZIP_DEFLATED)
