"""The choke point: takes secrets out of everything that is read further, written or shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from calivet.evidence.artifact import Document, Evidence, LookedAt, Replaced, Unreadable
from calivet.messages.command_line import recognize_command
from calivet.redaction.secrets.hints import HINTS, WIDE_HINTS
from calivet.redaction.spans import OPENING, JoinedLines, Marks, Span, hide, split_to_views
from calivet.search.expressions import expression
from calivet.search.scanner import Scanner

if TYPE_CHECKING:
    from calivet.redaction.anonymize.anonymizer import Anonymizer
    from calivet.redaction.spans import Finder


# No name in Kubernetes, no path and no word is like this, so that nothing else is taken for one.
UNMISTAKABLE = expression(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)\S{12,}|(?=.*[a-z])(?=.*\d)[a-z0-9]{24,}")
# The scanner needs no more to know one secret from another.
HEAD = 64
# More would take long to compile; so many come only from a dump of all Secrets.
MOST = 300


class RepeatedSecrets:
    """Finds what is known to be secret, word for word."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._known: list[str] = []
        self._looked_at = 0
        self._scanner: Scanner | None = None

    def learn(self) -> bool:
        """Take in the secrets met since the last time; says whether there were any to look for."""
        secrets = self._marks.list_secrets()
        if len(secrets) == self._looked_at:
            return False
        self._looked_at = len(secrets)
        known = [secret for secret in secrets if UNMISTAKABLE.fullmatch(secret)][:MOST]
        if len(known) == len(self._known):
            return False
        self._known = known
        # Never kept on disk: these patterns are the secrets themselves.
        self._scanner = Scanner.build([re.escape(secret[:HEAD]) for secret in known], caseless=False)
        return True

    def find(self, lines: Sequence[str]) -> Iterator[Span]:
        """Every place where a known secret stands, in order of the lines."""
        for hit in self._scanner.scan(lines) if self._scanner else ():
            secret = self._known[hit.pattern]
            at = lines[hit.line].find(secret)
            while at >= 0:
                yield Span(hit.line, at, at + len(secret), "", secret)
                at = lines[hit.line].find(secret, at + len(secret))


ROUNDS = 8


class Redactor:
    """One for a run: the same secret has the same mark in every document and message."""

    def __init__(self, *, anonymize: bool = False, names: Iterable[str] = (), key: bytes | None = None) -> None:
        """`names` are machines known beforehand; `key` makes the other addresses repeatable and is random otherwise."""
        self._marks = Marks()
        self._repeated = RepeatedSecrets(self._marks)
        self._anonymizer = _create_anonymizer(key, names) if anonymize else None
        self._names: dict[str, str] = {}
        self._counts: dict[tuple[str, str], list[int]] = {}

    @property
    def anonymizes(self) -> bool:
        """Whether names and addresses are taken out too."""
        return self._anonymizer is not None

    @property
    def replaced(self) -> list[Replaced]:
        """What was replaced where, in the order in which it was met; line 0 is the document's name."""
        return [Replaced(kind, self._redact_name(name), *place) for (kind, name), place in list(self._counts.items())]

    def redact_document(self, document: Document) -> Document:
        """The same document without secrets."""
        return self.redact_documents([document])[0]

    def redact_documents(self, documents: Sequence[Document]) -> list[Document]:
        """The same documents without secrets; what one of them gives away is hidden in all."""
        # What calls itself a line and holds several would be looked at in the wrong place.
        documents_lines = [
            JoinedLines(document.name, [(_number_from_one, "\n".join(document.lines).split("\n"))])
            for document in documents
        ]
        self._clean(documents_lines)
        return [
            replace(document, name=self._redact_name(joined.name), lines=joined.lines)
            for document, joined in zip(documents, documents_lines, strict=True)
        ]

    def redact_evidence(self, evidence: Evidence) -> None:
        """Take the secrets out of all that was gathered, in place."""
        grouped = groupby(evidence.artifacts, key=lambda artifact: artifact.name)
        documents_lines = [
            JoinedLines(name, [(one.number, one.lines) for one in artifacts]) for name, artifacts in grouped
        ]
        if self._anonymizer:
            self._anonymizer.learn_hosts(artifact.host for artifact in evidence.artifacts if artifact.host)
        self._clean(documents_lines)
        for joined in documents_lines:
            joined.put_back()
        for artifact in evidence.artifacts:
            artifact.name = self._redact_name(artifact.name)
            artifact.host = self.redact_text(artifact.host) if artifact.host else None
            artifact.command = self.redact_text(artifact.command) if artifact.command else None
        evidence.unreadable = [self.redact_unreadable(one) for one in evidence.unreadable]
        told = [
            replace(one, kind=self.redact_text(one.kind), artifact=self._redact_name(one.artifact))
            for one in evidence.replaced
        ]
        evidence.replaced = [*told, *self.replaced]

    def redact_blocks(
        self, name: str, blocks: Iterable[LookedAt], look: Callable[[bytes], LookedAt]
    ) -> Iterator[LookedAt]:
        """A long log, block by block, each with the lines around it in view; what was changed is looked at again."""
        from calivet.redaction.long_logs import LongLog

        return LongLog(name, self._clean, look).redact(blocks)

    @property
    def is_hint(self) -> Callable[[bytes], bool]:
        """Whether a line where one of WIDE_HINTS is makes its block be redacted. It travels to other processes."""
        return is_hint

    def redact_unreadable(self, item: Unreadable) -> Unreadable:
        """The same word about what could not be read, without secrets."""
        help_known = recognize_command(self.redact_text(item.help))
        return replace(item, what=self.redact_text(item.what), why=item.why.map(self.redact_text), help=help_known)

    def redact_text(self, text: str) -> str:
        """Any single text: a message, a command. Not what was anonymised before: its addresses would change again."""
        joined = JoinedLines("", [(_number_from_one, text.split("\n"))])
        self._clean([joined])
        return "\n".join(joined.lines)

    def _redact_name(self, name: str) -> str:
        if name not in self._names:
            joined = JoinedLines(name, [(int, [name])])  # line 0
            self._clean([joined])
            self._names[name] = joined.lines[0]
        return self._names[name]

    def _clean(self, documents_lines: Sequence[JoinedLines]) -> None:
        """What looks like a secret, and where else it stands, until nothing is left; then names, if asked for."""
        waiting = documents_lines
        for number in range(ROUNDS):
            # A mark can lay bare what its secret covered.
            waiting = [joined for joined in waiting if self._hide(joined, self._find_secrets(joined.lines))]
            if self._repeated.learn() or not number:
                waiting += [
                    joined for joined in documents_lines if self._hide(joined, self._repeated.find(joined.lines))
                ]
            if not waiting:
                break
        if self._anonymizer:
            for piece in (piece for joined in documents_lines for piece in joined.split_as_given()):
                self._anonymizer.learn(piece)
            for joined in documents_lines:
                self._anonymize_lines(joined, self._anonymizer)

    def _find_secrets(self, lines: Sequence[str]) -> list[Span]:
        spans: list[Span] = []
        for view in split_to_views(lines):
            hits: dict[int, list[int]] = {}
            for hit in load_scanner().scan(view.lines):
                hits.setdefault(hit.pattern, []).append(hit.line)
            for index in hits.pop(len(HINTS), ()):
                self._marks.note_marks(view.lines[index])
            for pattern in sorted(hits):
                spans += view.map_to_whole(_load_finders()[pattern].find(view.lines, hits[pattern]))
        return spans

    def _hide(self, joined: JoinedLines, found: Iterable[Span]) -> bool:
        """Put marks into the lines; says whether any was new."""
        some = False
        by_line: dict[int, list[Span]] = {}
        for span in found:
            by_line.setdefault(span.line, []).append(span)
        for index in sorted(by_line):
            joined.lines[index], hidden = hide(joined.lines[index], by_line[index], self._marks)
            for span in hidden:
                self._count(self._marks.find_kind(span.secret), joined, index)
                some = True
        return some

    def _anonymize_lines(self, joined: JoinedLines, anonymizer: Anonymizer) -> None:
        for index, line, kinds in anonymizer.replace_in_lines(joined.lines):
            joined.lines[index] = line
            for kind in kinds:
                self._count(kind, joined, index)

    def _count(self, kind: str, joined: JoinedLines, index: int) -> None:
        if joined.name and (number := joined.number(index)) >= 0:
            place = self._counts.setdefault((kind, joined.name), [number, 0])
            place[1] += 1


def _number_from_one(index: int) -> int:
    return index + 1


@cache
def load_scanner() -> Scanner:
    """Of the places where a secret may be."""
    return Scanner.load_or_compile("secrets", [*HINTS, OPENING], caseless=False)


BEFORE_CHOOSING = (*WIDE_HINTS, OPENING)
"""What is looked for in all of a long log, in one pass with the catalogue's patterns.

Few lines have one of these, and they are many times cheaper to look for than all hints.
"""


def is_hint(line: bytes) -> bool:
    """Whether a secret may be on a line with one of these: there case did not matter."""
    return any(load_scanner().find(line))


@cache
def _load_finders() -> Sequence[Finder]:
    """Most evidence holds nothing that looks like a secret, so they are imported where something does."""
    from calivet.redaction.secrets.finders import FINDERS

    return FINDERS


def _create_anonymizer(key: bytes | None, names: Iterable[str]) -> Anonymizer:
    """Few runs need one, so it is imported here."""
    from secrets import token_bytes

    from calivet.redaction.anonymize.anonymizer import Anonymizer

    return Anonymizer(key or token_bytes(32), names)
