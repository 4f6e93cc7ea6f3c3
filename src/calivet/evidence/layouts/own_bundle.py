"""calivet's own bundles: a folder of documents beside a manifest that says what was asked for and what failed."""

from __future__ import annotations

import msgspec
from msgspec import Struct, field, structs

from calivet.evidence.artifact import Document, Replaced, Unreadable
from calivet.messages.command_line import recognize_command
from calivet.messages.message import Message, is_known, make_verbatim

MANIFEST = "calivet-manifest.json"
FORMAT = 1


class Request(Struct, frozen=True):
    """One thing that was asked for: how long it took, and how much came."""

    name: str
    command: str
    seconds: float
    lines: int


class Failed(Struct, frozen=True):
    """What could not be read, as it is written down: in English for people, and by its key for other languages."""

    what: str
    why: str
    help: str = ""
    reason: Message | None = None
    essential: bool = False


def note_failure(item: Unreadable) -> Failed:
    """As the manifest has it."""
    return Failed(item.what, str(item.why), item.help, item.why, item.essential)


def read_failure(item: Failed) -> Unreadable:
    """As it was; what this version has no words for stays as it was written.

    Whoever wrote the bundle names commands that the reader may run: only those that calivet could have named.
    """
    why = item.reason if item.reason and is_known(item.reason) else make_verbatim(item.why)
    return Unreadable(item.what, why, recognize_command(item.help), item.essential)


class Manifest(Struct, frozen=True, kw_only=True):
    """What is in a bundle and what is not."""

    format: int = FORMAT
    calivet: str
    server: str
    collected: str
    """The moment it began, with its zone."""
    seconds: float
    interrupted: bool = False
    requests: list[Request] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    """Names of the documents that are nothing but the output of the command in their first line."""
    replaced: list[Replaced] = field(default_factory=list)
    """What redaction took out before anything was written."""
    context: str = ""
    """The context of the kubeconfig; empty where names were to be taken out."""


def open_bundle(documents: list[Document]) -> tuple[list[Document], Manifest | None]:
    """The bundle's documents, named as they were when they were collected, and its manifest.

    Where several bundles lie side by side their names stay apart, and none is taken for the whole.
    """
    found = [(document, manifest) for document in documents if (manifest := _read_manifest(document))]
    if len(found) != 1:
        return documents, None
    (page, manifest), folder = found[0], found[0][0].name.removesuffix(MANIFEST)
    whole = frozenset(manifest.whole)
    named = ((one.name.removeprefix(folder), one) for one in documents if one is not page)
    return [structs.replace(one, name=name, whole=name in whole) for name, one in named], manifest


def _read_manifest(document: Document) -> Manifest | None:
    if document.name.rpartition("/")[2] != MANIFEST:
        return None
    try:
        return msgspec.json.decode("\n".join(document.lines), type=Manifest)
    except msgspec.DecodeError:
        return None
