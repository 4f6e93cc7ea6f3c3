"""What is fuzzed: each target takes any bytes and returns; whatever it raises is a bug.

`make fuzz` feeds them with what a coverage-guided fuzzer finds, test_properties.py with dirty text, test_crashers.py
with whatever has broken one of them before.
"""

from __future__ import annotations

import io
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from string import ascii_letters
from zlib import crc32

from calivet.catalogue.load import SHARED, CatalogueError, load_catalogue
from calivet.catalogue.model import Catalogue
from calivet.cli.terminal.progress import Silence
from calivet.comparison import compare
from calivet.contract.documents import NewerDiagnosisError, NotADiagnosisError, read_diagnosis
from calivet.evidence.artifact import Artifact, Document, Evidence
from calivet.evidence.cutting.cut import cut_document
from calivet.evidence.decoding.decode import decode, to_document
from calivet.evidence.gather import gather, gather_documents
from calivet.evidence.layouts.own_bundle import MANIFEST, open_bundle
from calivet.evidence.long_logs.intake import read_blocks
from calivet.evidence.long_logs.sieve import Sieve, look
from calivet.evidence.sources.budget import Limits, ReadingBudget
from calivet.evidence.sources.documents import read_sources
from calivet.evidence.sources.stream import Stream
from calivet.live.collecting import Collector, Scope
from calivet.live.connection import Connection
from calivet.live.trouble import Trouble, join_to_one_line
from calivet.messages.message import make_verbatim
from calivet.node.running import rename_machine, stream_in
from calivet.pipeline import Examined, examine
from calivet.readers.anchors import READERS
from calivet.readers.read import load_reader
from calivet.redaction.redactor import Redactor
from calivet.reports.comparison import ComparisonWords, encode_comparison, write_comparison, write_comparison_markdown
from calivet.reports.diagnosis.html.page import to_html
from calivet.reports.diagnosis.html.page_model.build import build_page_model
from calivet.reports.diagnosis.json import to_json
from calivet.reports.diagnosis.junit import to_junit
from calivet.reports.diagnosis.markdown import to_markdown
from calivet.reports.diagnosis.prometheus import to_prometheus
from calivet.reports.diagnosis.sarif import to_sarif
from calivet.reports.diagnosis.text import to_text
from calivet.reports.layout.terminal import Layout
from calivet.signs.sign_detector import SignDetector, prepare_detector
from tests.evidence.archives.packing import tar
from tests.redaction.shapes import SHAPES, make_case

SMALL = Limits(document=1 << 20, total=4 << 20, members=200, swollen=1 << 20)
"""A bomb shall end while the fuzzer still has patience."""
BETWEEN_ANSWERS = b"\n\n"
LINE = 1 << 12
SLACK = 0.3
"""Seconds that the rest of a busy machine may cost."""
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
PLANTED = ("letters and digits", "base64", "hex")
"""Alphabets of the secrets that are planted: none of their words is a word of anything else."""
CONTROLS = {*map(chr, range(32)), *map(chr, range(127, 160))} - {"\n", "\t"}
ACTING = CONTROLS | {*"\u061c\u200e\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
"""Characters that act on a terminal: controls, and marks that turn the reading direction."""


def whole(data: bytes) -> None:
    """From bytes on standard input to every kind of report."""
    evidence = gather(["-"], io.BytesIO(data), SMALL)
    if evidence.artifacts:
        reported(examined_of(evidence))


def sieve(data: bytes) -> None:
    """A log that counts as long from its first byte, to every kind of report."""
    poured = Sieve(knowledge()[1].output)
    for _ in poured.pour(read_blocks(Stream(io.BytesIO(data).read), b"")):
        pass
    reported(examined_of(gather_documents([poured.document("long.log")])))


def reported_text(files: Mapping[str, str]) -> None:
    """From text in named documents to every kind of report."""
    data = {name: text.encode("utf-8", "replace") for name, text in files.items()}
    documents = [document for name in data if (document := to_document(name, data[name], ReadingBudget(SMALL)))]
    reported(examined_of(gather_documents(open_bundle(documents)[0])))


def examined_of(evidence: Evidence) -> Examined:
    """What comes of a evidence, and no part of calivet broke on the way."""
    examined = examine(evidence, *knowledge())
    assert not [item for item in examined.diagnosis.unreadable if "has a bug" in str(item.why)]
    return examined


def reported(examined: Examined) -> None:
    """Written in every format, and nothing in it would act on a terminal."""
    for name, write in FOR_TERMINALS.items():
        found = ACTING.intersection(write(examined))
        assert not found, f"{name} passes {found!r} on"
    page = to_html(examined.diagnosis, build_page_model(examined), "en")
    assert not CONTROLS.intersection(page), "the page holds control characters"


def readers(data: bytes) -> None:
    """One reader, named by the first byte, on the lines that follow."""
    if data:
        lines = decode(data[1:])
        named = load_reader(READERS[data[0] % len(READERS)])
        anchors = [index for index, line in enumerate(lines) if named.anchor.search(line)]
        if lines and (anchors or named.command):
            reading = named.read(Artifact("paste.txt", 1, lines), anchors)
            assert all(0 <= index < len(lines) for index in reading.claimed)


def segmenter(data: bytes) -> None:
    """No line comes out of it twice."""
    if document := to_document("paste.txt", data, ReadingBudget(SMALL)):
        numbers = [found.first + index for found, _ in cut_document(document) for index, _ in enumerate(found.lines)]
        assert len(numbers) == len(set(numbers))


def archives(data: bytes) -> None:
    """Whatever is packed in it is taken out; what is not read is named."""
    budget = ReadingBudget(SMALL)
    some = list(read_sources(["-"], io.BytesIO(data), budget))
    assert some or budget.unreadable


def catalogue(data: bytes) -> None:
    """A user's cause file is taken, or refused by name."""
    shared = dict.fromkeys(SHARED, b"[]")
    with suppress(CatalogueError):
        assert SignDetector(load_catalogue({**shared, "own.yaml": data})).prose


def probe(data: bytes) -> None:
    """What a machine sent in answer to the probe."""
    if stream := stream_in(data):
        cut_document(Document("probes/alder.txt", rename_machine(stream.lines, stream.host + "-2")))


def diagnosis(data: bytes) -> None:
    """A diagnosis that `diff` is given."""
    with suppress(NotADiagnosisError, NewerDiagnosisError):
        if side := read_diagnosis(data):
            compared = compare(side, side)
            assert not ACTING.intersection(write_comparison(compared, {}, LAYOUT))
            assert not ACTING.intersection(write_comparison_markdown(compared, {}, "en"))
            assert not ACTING.intersection(encode_comparison(compared, ComparisonWords({}, "en").find_title))


def manifest(data: bytes) -> None:
    """A bundle whose manifest a stranger wrote, to every kind of report."""
    members = {MANIFEST: data, "nodes.txt": b"$ kubectl get nodes\nNAME   STATUS     ROLES\nalder  NotReady   worker\n"}
    evidence = gather(["-"], io.BytesIO(tar(members)), SMALL)
    reported(examined_of(evidence))


def api(data: bytes) -> None:
    """An API server that gives these answers in turn, whatever it is asked, to every kind of report."""
    answers = data.split(BETWEEN_ANSWERS)
    collected = Collector(Answers(answers), Scope(), Silence()).collect()
    assert not [item for item in collected.failed if "has a bug" in str(item.why)]
    reported(examined_of(gather_documents(collected.documents)))


class Answers(Connection):
    """A connection without a server: to each path a body that its name chooses, then the next one, each once."""

    def __init__(self, answers: list[bytes]) -> None:
        self.server, self.context = "https://10.0.0.1:6443", None
        self._seconds = math.inf
        self._answers = answers
        self._asked: Counter[str] = Counter()

    def get(self, path: str, *_details: object, **_more: object) -> bytes:
        """A first byte of `!` is a failing status."""
        self._asked[path] += 1
        if self._asked[path] > len(self._answers):
            raise Trouble("not-found", make_verbatim(f"{path}: no more"), status=404)
        body = self._answers[(crc32(path.encode("utf-8", "replace")) + self._asked[path]) % len(self._answers)]
        if body.startswith(b"!"):
            raise Trouble(
                "not-found",
                make_verbatim(join_to_one_line(f"{path}: {body.decode('utf-8', 'replace')}")),
                status=404,
                body=body,
            )
        return body


def growth(data: bytes) -> None:
    """A line made of one piece again and again costs about four times as much where it is four times as long."""
    piece = " ".join(decode(data[:64])) or " "
    _cost(piece, 4 * LINE)  # what is made once, as expressions that are compiled when first used
    short, long = (_cost(piece, length) for length in (LINE, 4 * LINE))
    assert long < 10 * short + SLACK, f"{long:.2f} s where a quarter of it takes {short:.2f} s"


def _cost(piece: str, length: int) -> float:
    """Seconds of the processor for one line of this length."""
    start = time.thread_time()
    evidence = gather(
        ["-"], io.BytesIO((piece * (length // len(piece) + 1))[:length].encode("utf-8", "replace")), SMALL
    )
    if evidence.artifacts:
        examine(evidence, *knowledge())
    return time.thread_time() - start


def redaction(data: bytes) -> None:
    """Lines stay lines, no second time finds more, and a secret that is planted in one of many shapes is not shown."""
    text = data.decode("utf-8", "replace").replace("\0", "")
    shown = Redactor().redact_text(text)
    assert shown.count("\n") == text.count("\n")
    assert Redactor().redact_text(shown) == shown
    redactor = Redactor()
    look_at = partial(look, knowledge()[1].output, most=1, is_hint=redactor.is_hint)
    given = [look_at(line.encode() + b"\n") for line in text.split("\n")]
    blocks = [one.text for one in redactor.redact_blocks("long.log", given, look_at)]
    assert [block.count(b"\n") for block in blocks] == [one.text.count(b"\n") for one in given]
    chance = random.Random(data)
    shape = chance.choice(SHAPES)
    fitting = [alphabet for alphabet in PLANTED if alphabet in shape.alphabets]
    secret, planted = make_case(shape, chance.choice(fitting), chance)
    if " is @@" in shape.text and not set(secret) - WORD_LIKE:  # in a sentence these may be words
        return
    around = text[: len(text) // 2], text[len(text) // 2 :]
    page = Redactor().redact_text("\n\n".join([around[0], planted, around[1]]))
    assert secret not in page or secret in text, (shape.text, secret)


@cache
def knowledge() -> tuple[Catalogue, SignDetector]:
    """The shipped catalogue, made ready once."""
    return prepare_detector()


WORD_LIKE = set(ascii_letters + "/.-")
TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        whole,
        sieve,
        readers,
        segmenter,
        archives,
        catalogue,
        probe,
        diagnosis,
        manifest,
        api,
        growth,
        redaction,
    )
}
