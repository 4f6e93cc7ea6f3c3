"""What is fuzzed: each target takes any bytes and returns; whatever it raises is a bug.

`make fuzz` feeds them with what a coverage-guided fuzzer finds, test_properties.py with dirty text, test_crashers.py
with whatever has broken one of them before.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module

from calivet.catalogue.load import SHARED, CatalogueError, load_catalogue
from calivet.catalogue.model import Catalogue
from calivet.comparison.compare import compare
from calivet.comparison.side import NewerDiagnosisError, NotADiagnosisError, read_side
from calivet.evidence.artifact import Artifact, Document, Haul
from calivet.evidence.blocks import blocks
from calivet.evidence.bundle import open_bundle
from calivet.evidence.decoding import decode, to_document
from calivet.evidence.gather import gather, gather_documents
from calivet.evidence.ledger import Ledger, Limits
from calivet.evidence.segments import segment
from calivet.evidence.sieve import Sieve
from calivet.evidence.sources import read_sources
from calivet.evidence.stream import Stream
from calivet.node.stream import renamed, stream_in
from calivet.pipeline import Examined, examine
from calivet.readers.anchors import ANCHORS
from calivet.readers.reader import Reader
from calivet.reports.comparison_json import comparison_json
from calivet.reports.comparison_parts import Telling
from calivet.reports.comparison_text import comparison_markdown, comparison_text
from calivet.reports.html.page import to_html
from calivet.reports.junit import to_junit
from calivet.reports.layout import Layout
from calivet.reports.machine import to_json
from calivet.reports.markdown import to_markdown
from calivet.reports.prometheus import to_prometheus
from calivet.reports.sarif import to_sarif
from calivet.reports.text import to_text
from calivet.scene.draw import scene
from calivet.signs.collect import Watch
from calivet.signs.ready import ready

SMALL = Limits(document=1 << 20, total=4 << 20, members=200, swollen=1 << 20)
"""A bomb shall end while the fuzzer still has patience."""
LAYOUT = Layout("en", 100, colour=False, verbose=True)
FOR_TERMINALS = {
    "text": lambda examined: to_text(examined.diagnosis, LAYOUT),
    "md": lambda examined: to_markdown(examined.diagnosis, "en"),
    "prom": lambda examined: to_prometheus(examined.diagnosis, "en"),
    "junit": lambda examined: to_junit(examined.diagnosis, "en"),
    "json": lambda examined: to_json(examined.diagnosis, "en"),
    "sarif": lambda examined: to_sarif(examined.diagnosis, "en"),
}
"""All that may end up on one."""
CONTROLS = {*map(chr, range(32)), *map(chr, range(127, 160))} - {"\n", "\t"}
ACTING = CONTROLS | {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
"""Characters that act on a terminal: controls, and marks that turn the reading direction."""


def whole(data: bytes) -> None:
    """From bytes on standard input to every kind of report."""
    haul = gather(["-"], io.BytesIO(data), SMALL)
    if haul.artifacts:
        reported(examined_of(haul))


def sieve(data: bytes) -> None:
    """A log that counts as long from its first byte, to every kind of report."""
    poured = Sieve(knowledge()[1].output)
    for _ in poured.pour(blocks(Stream(io.BytesIO(data).read), b"")):
        pass
    reported(examined_of(gather_documents([poured.document("long.log")])))


def reported_text(files: Mapping[str, str]) -> None:
    """From text in named documents to every kind of report."""
    data = {name: text.encode("utf-8", "replace") for name, text in files.items()}
    documents = [document for name in data if (document := to_document(name, data[name], Ledger(SMALL)))]
    reported(examined_of(gather_documents(open_bundle(documents)[0])))


def examined_of(haul: Haul) -> Examined:
    """What comes of a haul, and no part of calivet broke on the way."""
    examined = examine(haul, *knowledge())
    assert not [item for item in examined.diagnosis.unreadable if "has a bug" in item.why]
    return examined


def reported(examined: Examined) -> None:
    """Written in every format, and nothing in it would act on a terminal."""
    for name, write in FOR_TERMINALS.items():
        found = ACTING.intersection(write(examined))
        assert not found, f"{name} passes {found!r} on"
    page = to_html(examined.diagnosis, scene(examined), "en")
    assert not CONTROLS.intersection(page), "the page holds control characters"


def readers(data: bytes) -> None:
    """One reader, named by the first byte, on the lines that follow."""
    if data:
        lines = decode(data[1:])
        named = reader(list(ANCHORS)[data[0] % len(ANCHORS)])
        if anchors := [index for index, line in enumerate(lines) if named.anchor.search(line)]:
            reading = named.read(Artifact("paste.txt", 1, lines), anchors)
            assert all(0 <= index < len(lines) for index in reading.claimed)


def segmenter(data: bytes) -> None:
    """No line comes out of it twice."""
    if document := to_document("paste.txt", data, Ledger(SMALL)):
        numbers = [found.first + index for found, _ in segment(document) for index, _ in enumerate(found.lines)]
        assert len(numbers) == len(set(numbers))


def archives(data: bytes) -> None:
    """Whatever is packed in it is taken out; what is not read is named."""
    ledger = Ledger(SMALL)
    some = list(read_sources(["-"], io.BytesIO(data), ledger))
    assert some or ledger.unreadable


def catalogue(data: bytes) -> None:
    """A user's cause file is taken, or refused by name."""
    shared = dict.fromkeys(SHARED, b"[]")
    with suppress(CatalogueError):
        assert Watch(load_catalogue({**shared, "own.yaml": data})).prose


def probe(data: bytes) -> None:
    """What a machine sent in answer to the probe."""
    if stream := stream_in(data):
        segment(Document("probes/alder.txt", renamed(stream.lines, stream.host + "-2")))


def diagnosis(data: bytes) -> None:
    """A diagnosis that `diff` is given."""
    with suppress(NotADiagnosisError, NewerDiagnosisError):
        if side := read_side(data):
            compared = compare(side, side)
            assert not ACTING.intersection(comparison_text(compared, {}, LAYOUT))
            assert not ACTING.intersection(comparison_markdown(compared, {}, "en"))
            assert not ACTING.intersection(comparison_json(compared, Telling({}, "en").title))


@cache
def knowledge() -> tuple[Catalogue, Watch]:
    """The shipped catalogue, made ready once."""
    return ready()


def reader(module: str) -> Reader:
    """The reader in this module."""
    found: Reader = import_module(f"calivet.readers.{module}").READER
    return found


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (whole, sieve, readers, segmenter, archives, catalogue, probe, diagnosis)
}
