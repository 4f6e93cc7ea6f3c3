"""The pieces of raw evidence: a document as it was handed over, and the artifacts cut from it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from msgspec import Struct, field

from calivet.messages.command_line import NO_COMMAND, Command
from calivet.messages.message import Message


class Line(Struct, frozen=True, gc=False):
    """One line of the original evidence: what every claim points at."""

    artifact: str
    number: int
    text: str


class Document(Struct, frozen=True):
    """One file, archive member or stream, decoded to clean text lines."""

    name: str
    lines: list[str]
    numbers: list[int] = field(default_factory=list)
    """The numbers of the lines, where the document was too long to keep them all."""
    counts: dict[int, int] = field(default_factory=dict)
    """How many lines of the whole document hold each pattern of the sieve that it went through."""
    whole: bool = False
    """The output of the command in its first line and nothing else, as calivet itself writes it: never cut."""


class Artifact(Struct):
    """A stretch of a document that belongs together: one command's output, one file, one note."""

    name: str
    """The document's name."""
    first: int
    """The number, in the document, of the first of these lines."""
    lines: list[str]
    host: str | None = None
    """The machine the output comes from, where prompt or file name tells."""
    command: str | None = None
    """The command that printed these lines, where a prompt or a header tells."""
    prose: bool = False
    """The author's own words rather than a program's output."""
    order: int = 0
    """Position in the whole evidence: later in the transcript is usually later in time."""
    kinds: list[str] = field(default_factory=list)
    """The formats readers recognised in it."""
    numbers: list[int] = field(default_factory=list)
    """The numbers of the lines, where some between them were not kept."""
    counts: dict[int, int] = field(default_factory=dict)
    """How many lines of the whole document hold each pattern of the sieve that it went through."""
    restored: Artifact | None = None
    """Programs' lines that the author quotes, or that a screen had broken, whole again and under the same numbers."""
    failed: list[Message] = field(default_factory=list)
    """Readers that broke on it: bugs, listed so that they cost no more than their own format."""

    @property
    def length(self) -> int:
        """How many lines it has in the document, kept or not."""
        return self.number(len(self.lines) - 1) - self.first + 1

    def at(self, index: int) -> Line:
        """The line at this index, as a claim quotes it."""
        return Line(self.name, self.number(index), self.lines[index].strip())

    @property
    def last(self) -> Line:
        """The last line."""
        return self.at(len(self.lines) - 1)

    def number(self, index: int) -> int:
        """The number, in the document, of the line at this index."""
        return self.numbers[index] if self.numbers else self.first + index

    def index(self, number: int) -> int:
        """The index of the line with this number in the document, or of the next one that was kept."""
        return bisect_left(self.numbers, number) if self.numbers else number - self.first

    def holds(self, line: Line) -> bool:
        """Whether the line is one of these."""
        return self.name == line.artifact and self.first <= line.number <= self.number(len(self.lines) - 1)


class Unreadable(Struct, frozen=True):
    """A source that could not be read, and why: listed, never fatal to the rest."""

    what: str
    why: Message
    help: Command = NO_COMMAND
    """The command that would fetch it, where there is one."""
    essential: bool = False
    """Without it nobody may say that all is well."""


class Replaced(Struct, frozen=True):
    """A kind of secret or name that was replaced in a document: where first, and how often."""

    kind: str
    artifact: str
    line: int
    count: int


class Reference(Struct, frozen=True):
    """A document that is no evidence of a cluster and was set aside: what it is, and its first line."""

    line: Line
    kind: str


class Evidence(Struct):
    """All that was gathered: documents cut into artifacts, what could not be read, and what was taken out."""

    artifacts: list[Artifact] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    taken: str = ""
    """When, as whoever collected it wrote it down; empty where nobody did."""
    context: str = ""
    """The context of the kubeconfig by which a live cluster was asked."""
    server: str = ""
    """The address of the API server that was asked."""
    redactor: EvidenceRedactor | None = None
    """Has taken the secrets out of long logs already, and knows them again."""


Found = tuple[int, int, int]
"""A pattern, and where the line that it is in begins and ends."""


class LineMatcher(Protocol):
    """Knows what is worth keeping of a long log."""

    @property
    def hints(self) -> int | None:
        """Patterns with this number or a higher one tell only that something may be a secret; None: there are none."""

    def find(self, text: bytes) -> Iterable[Found]:
        """Every line with a pattern in it, in order; a line once for each of its patterns."""


Place = tuple[int, int, int]
"""A line's number in its block, and where it begins and ends."""


class Places(Struct):
    """Where a pattern is: all places counted, and some from either end."""

    count: int
    first: list[Place]
    last: list[Place]
    """Of those that are not among the first."""


class LookedAt(Struct):
    """A block of whole lines."""

    size: int
    text: bytes
    lines: int
    found: dict[int, Places]
    hinted: list[int]
    """Lines on which something may be a secret, counted from its first."""

    @property
    def hits(self) -> int:
        """How many there are in all."""
        return sum(places.count for places in self.found.values())


IsHint = Callable[[bytes], bool]
"""Whether something may be a secret on a line where the matcher takes it for possible."""


class EvidenceRedactor(Protocol):
    """Takes secrets out: of a long log before anything of it is kept, and of all that was gathered."""

    @property
    def is_hint(self) -> Callable[[bytes], bool]:
        """Tells of a line of a long log in which a matcher found a hint whether its block is to be redacted."""

    def redact_blocks(
        self, name: str, blocks: Iterable[LookedAt], look: Callable[[bytes], LookedAt]
    ) -> Iterator[LookedAt]:
        """The same blocks of whole lines, with as many lines each; what was changed is looked at again."""

    def redact_evidence(self, evidence: Evidence) -> None:
        """In place."""
