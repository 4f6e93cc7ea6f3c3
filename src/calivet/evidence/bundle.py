"""calivet's own bundles: a folder of documents beside a manifest that says what was asked for and what failed."""

from __future__ import annotations

import msgspec
from msgspec import Struct, field, structs

from calivet.evidence.artifact import Document, Replaced, Unreadable
from calivet.evidence.expressions import expression

MANIFEST = "calivet-manifest.json"
FORMAT = 1
# No word in it can start another command, write a file, or lead to another cluster or another kubectl's settings.
_LOOKING = expression(
    r"kubectl (?:api-resources|describe|get|logs) (?!.*--(?:kubeconfig|server|token|as))"
    r"[\w ./:@%+,=?!'\[\]\\-]+(?: \| wc -l)?"
    r"|calivet [\w .-]+|ssh [\w.][\w.@-]*"
)


class Request(Struct, frozen=True):
    """One thing that was asked for: how long it took, and how much came."""

    name: str
    command: str
    seconds: float
    lines: int


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
    failed: list[Unreadable] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    """Names of the documents that are nothing but the output of the command in their first line."""
    replaced: list[Replaced] = field(default_factory=list)
    """What redaction took out before anything was written."""


def open_bundle(documents: list[Document]) -> tuple[list[Document], Manifest | None]:
    """The bundle's documents, named as they were when they were collected, and its manifest.

    Where several bundles lie side by side their names stay apart, and none is taken for the whole.
    """
    found = [(document, manifest) for document in documents if (manifest := _manifest(document))]
    if len(found) != 1:
        return documents, None
    (page, manifest), folder = found[0], found[0][0].name.removesuffix(MANIFEST)
    whole = frozenset(manifest.whole)
    named = ((one.name.removeprefix(folder), one) for one in documents if one is not page)
    return [structs.replace(one, name=name, whole=name in whole) for name, one in named], manifest


def _manifest(document: Document) -> Manifest | None:
    if document.name.rpartition("/")[2] != MANIFEST:
        return None
    try:
        manifest = msgspec.json.decode("\n".join(document.lines), type=Manifest)
    except msgspec.DecodeError:
        return None
    return structs.replace(manifest, failed=[_trusted(item) for item in manifest.failed])


def _trusted(item: Unreadable) -> Unreadable:
    """Whoever wrote the bundle names commands that the reader may run: only those that calivet could have named."""
    return item if _LOOKING.fullmatch(item.help) else structs.replace(item, help="")
