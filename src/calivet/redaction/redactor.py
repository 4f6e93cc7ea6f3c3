"""The choke point: takes secrets out of everything that is read further, written or shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from calivet.evidence.artifact import Document, Haul, Replaced, Unreadable
from calivet.evidence.scanner import Scanner
from calivet.redaction.echoes import Echoes
from calivet.redaction.finding import Finder, Span
from calivet.redaction.hiding import hide
from calivet.redaction.hints import HINTS
from calivet.redaction.marks import OPENING, Marks
from calivet.redaction.sheet import Sheet

if TYPE_CHECKING:
    from calivet.redaction.anonymize import Anonymizer

ROUNDS = 8


class Redactor:
    """One for a run: the same secret has the same mark in every document and message."""

    def __init__(self, *, anonymize: bool = False, names: Iterable[str] = (), key: bytes | None = None) -> None:
        """`names` are machines known beforehand; `key` makes the other addresses repeatable and is random otherwise."""
        self._marks = Marks()
        self._echoes = Echoes(self._marks)
        self._anonymizer = _anonymizer(key, names) if anonymize else None
        self._names: dict[str, str] = {}
        self._counts: dict[tuple[str, str], list[int]] = {}

    @property
    def replaced(self) -> list[Replaced]:
        """What was replaced where, in the order in which it was met; line 0 is the document's name."""
        return [Replaced(kind, self._name(name), *place) for (kind, name), place in list(self._counts.items())]

    def document(self, document: Document) -> Document:
        """The same document without secrets."""
        return self.documents([document])[0]

    def documents(self, documents: Sequence[Document]) -> list[Document]:
        """The same documents without secrets; what one of them gives away is hidden in all."""
        # What calls itself a line and holds several would be looked at in the wrong place.
        sheets = [Sheet(document.name, [(_from_one, "\n".join(document.lines).split("\n"))]) for document in documents]
        self._clean(sheets)
        return [
            replace(document, name=self._name(sheet.name), lines=sheet.lines)
            for document, sheet in zip(documents, sheets, strict=True)
        ]

    def haul(self, haul: Haul) -> None:
        """Take the secrets out of all that was gathered, in place."""
        grouped = groupby(haul.artifacts, key=lambda artifact: artifact.name)
        sheets = [Sheet(name, [(one.number, one.lines) for one in artifacts]) for name, artifacts in grouped]
        if self._anonymizer:
            self._anonymizer.learn_hosts(artifact.host for artifact in haul.artifacts if artifact.host)
        self._clean(sheets)
        for sheet in sheets:
            sheet.put_back()
        for artifact in haul.artifacts:
            artifact.name = self._name(artifact.name)
            artifact.host = self.text(artifact.host) if artifact.host else None
            artifact.command = self.text(artifact.command) if artifact.command else None
        haul.unreadable = [self.unreadable(one) for one in haul.unreadable]
        haul.replaced = [*haul.replaced, *self.replaced]

    def unreadable(self, item: Unreadable) -> Unreadable:
        """The same word about what could not be read, without secrets."""
        return replace(item, what=self.text(item.what), why=self.text(item.why), help=self.text(item.help))

    def text(self, text: str) -> str:
        """Any single text: a message, a command. Not what was anonymised before: its addresses would change again."""
        sheet = Sheet("", [(_from_one, text.split("\n"))])
        self._clean([sheet])
        return "\n".join(sheet.lines)

    def _name(self, name: str) -> str:
        if name not in self._names:
            sheet = Sheet(name, [(int, [name])])  # line 0
            self._clean([sheet])
            self._names[name] = sheet.lines[0]
        return self._names[name]

    def _clean(self, sheets: Sequence[Sheet]) -> None:
        """What looks like a secret, and where else it stands, until nothing is left; then names, if asked for."""
        waiting = sheets
        for number in range(ROUNDS):
            # A mark can lay bare what its secret covered.
            waiting = [sheet for sheet in waiting if self._hide(sheet, self._found(sheet.lines))]
            if self._echoes.learn() or not number:
                waiting += [sheet for sheet in sheets if self._hide(sheet, self._echoes.find(sheet.lines))]
            if not waiting:
                break
        if self._anonymizer:
            for piece in (piece for sheet in sheets for piece in sheet.pieces()):
                self._anonymizer.learn(piece)
            for sheet in sheets:
                self._anonymize(sheet, self._anonymizer)

    def _found(self, lines: Sequence[str]) -> list[Span]:
        spans: list[Span] = []
        for hit in sorted(_scanner().scan(lines), key=lambda hit: hit.pattern):
            if hit.pattern < len(HINTS):
                spans += _finders()[hit.pattern].find(lines, hit.line)
            else:
                self._marks.seen(lines[hit.line])
        return spans

    def _hide(self, sheet: Sheet, found: Iterable[Span]) -> bool:
        """Put marks into the lines; says whether any was new."""
        some = False
        by_line: dict[int, list[Span]] = {}
        for span in found:
            by_line.setdefault(span.line, []).append(span)
        for index in sorted(by_line):
            sheet.lines[index], hidden = hide(sheet.lines[index], by_line[index], self._marks)
            for span in hidden:
                self._count(self._marks.kind(span.secret), sheet, index)
                some = True
        return some

    def _anonymize(self, sheet: Sheet, anonymizer: Anonymizer) -> None:
        for index, line, kinds in anonymizer.changed(sheet.lines):
            sheet.lines[index] = line
            for kind in kinds:
                self._count(kind, sheet, index)

    def _count(self, kind: str, sheet: Sheet, index: int) -> None:
        if sheet.name:
            place = self._counts.setdefault((kind, sheet.name), [sheet.number(index), 0])
            place[1] += 1


def _from_one(index: int) -> int:
    return index + 1


@cache
def _scanner() -> Scanner:
    return Scanner.kept("secrets", [*HINTS, OPENING], caseless=False)


@cache
def _finders() -> Sequence[Finder]:
    """Most evidence holds nothing that looks like a secret, so they are imported where something does."""
    from calivet.redaction.finders import FINDERS

    return FINDERS


def _anonymizer(key: bytes | None, names: Iterable[str]) -> Anonymizer:
    """Few runs need one, so it is imported here."""
    from secrets import token_bytes

    from calivet.redaction.anonymize import Anonymizer

    return Anonymizer(key or token_bytes(32), names)
