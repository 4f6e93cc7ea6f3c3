"""Cuts a document into artifacts; every line that is not blank goes into exactly one of them."""

from __future__ import annotations

from itertools import pairwise

from calivet.evidence.artifact import Artifact, Document
from calivet.evidence.cutting.markdown import FENCE, cut_markdown, has_fences, is_markdown
from calivet.evidence.cutting.output_shapes import is_likely_output, is_plainly_output
from calivet.evidence.cutting.pieces import Mode, Piece, cut_by_host
from calivet.evidence.cutting.probe_output import find_probes
from calivet.evidence.cutting.prompts import read_prompt
from calivet.evidence.cutting.transcripts import cut_session
from calivet.evidence.decoding.charset import simplify
from calivet.evidence.decoding.line_prefixes import peel
from calivet.evidence.layouts.hosts import Labelled
from calivet.evidence.layouts.origins import Origin, find_origin, put_under_prompt
from calivet.search.expressions import expression

MARK = expression(
    r"==== (?P<edge>START|END) logs for container (?P<container>\S+) of pod (?P<namespace>\S+)/(?P<pod>\S+) ====$"
)
RULE = "==== "


def cut_dump(lines: list[str]) -> list[Piece]:
    """One piece for each log, one for whatever stands between two of them; none where there is no mark."""
    marks = [
        (index, found) for index, line in enumerate(lines) if line.startswith(RULE) and (found := MARK.match(line))
    ]
    pieces: list[Piece] = []
    behind = 0
    for index, found in marks:
        if found["edge"] == "START":
            pieces.append(Piece(behind, lines[behind:index]))
            behind = index
        else:
            command = f"kubectl logs -n {found['namespace']} {found['pod']} -c {found['container']}"
            pieces.append(Piece(behind, lines[behind:index], command=command))
            behind = index + 1
    if marks:
        pieces.append(Piece(behind, lines[behind:]))
    return [piece for piece in pieces if any(line.strip() for line in piece.lines)]


# A document larger than this, with a beginning and an end of nothing but output, is not looked at line by line.
SAMPLE = 1 << 16
UNIFORM = 0.9
# Nobody writes notes into files of these names.
OUTPUT_SUFFIXES = (".yaml", ".yml", ".json", ".toml", ".conf", ".conflist", ".cfg", ".service", ".ini", ".log", ".env")
LABEL_LENGTH = 80


LONGEST_COMMAND = 4_000


def cut_document(document: Document) -> list[Labelled]:
    """The document's artifacts in order, each with a name that stands over it, if any."""
    if document.whole and document.lines:
        return [(_build_artifact_under_prompt(document), None)]
    if document.numbers:
        return [(_build_sieved_artifact(document), None)]
    if pieces := cut_dump(document.lines):
        return [(_build_artifact(document.name, piece), None) for piece in pieces]
    source = find_origin(document.name)
    if source and not _is_session(document.lines) and not find_probes(document.lines):
        return [(_build_whole_artifact(document, source), None)]
    peeled = peel(document.lines)
    lines = peeled.lines
    if _is_uniform(lines):
        pieces = [Piece(0, lines)]
    elif is_markdown(document.name, lines) and not _is_probe(lines):
        pieces = cut_markdown(lines)
    else:
        mode = Mode.OUTPUT if document.name.lower().endswith(OUTPUT_SUFFIXES) else Mode.EITHER
        pieces = cut_session(lines, mode)
    pieces = [trimmed for piece in pieces if (trimmed := _trim_piece(piece))]
    if len(pieces) == 1 and peeled.pods and not pieces[0].prose and not pieces[0].command:
        pieces = _cut_by_pod(pieces[0], peeled.pods)
    pieces = _join_prose([trimmed for piece in pieces for part in _peel_piece(piece) if (trimmed := _trim_piece(part))])
    _label_by_line_above(pieces)
    return [(_build_artifact(document.name, piece), piece.label) for piece in pieces]


def _build_sieved_artifact(document: Document) -> Artifact:
    """Lines of one log, with gaps between them: there is nothing to cut."""
    source = find_origin(document.name)
    return Artifact(
        document.name,
        document.numbers[0],
        peel(document.lines).lines,
        host=source.host if source else None,
        command=source.command if source else None,
        numbers=document.numbers,
        counts=document.counts,
    )


def _build_artifact_under_prompt(document: Document) -> Artifact:
    opening = read_prompt(document.lines[0])
    return Artifact(document.name, 1, document.lines, command=opening.command if opening else None)


def _is_session(lines: list[str]) -> bool:
    """Begins with a command that somebody typed, who knows better than the file's name."""
    first = next((line for line in lines if line.strip()), "")
    opening = read_prompt(first)
    return opening is not None and opening.command is not None


def _is_probe(lines: list[str]) -> bool:
    """Printed by a probe, which may show a fence as it may show anything; around a quoted one the fence comes first."""
    return any(not has_fences(lines[:start]) for start, _ in find_probes(lines)[:1])


def _build_whole_artifact(document: Document, source: Origin) -> Artifact:
    first, lines = put_under_prompt(source, peel(document.lines).lines)
    return Artifact(document.name, first, lines, host=source.host, command=source.command)


def _is_uniform(lines: list[str]) -> bool:
    """Nothing to cut, as far as its ends tell."""
    sample: list[str] = []
    size = 0
    for line in lines:
        sample.append(line)
        size += len(line) + 1
        if size > SAMPLE:
            break
    else:
        return False
    if len(sample) < len(lines):
        sample += lines[-min(100, len(lines) - len(sample)) :]
    filled = [line for line in sample if line.strip()]
    if any(FENCE.match(line) or read_prompt(line) for line in filled):
        return False
    output = sum(is_plainly_output(line) or is_likely_output(line) for line in filled)
    return output >= UNIFORM * len(filled)


def _trim_piece(piece: Piece) -> Piece | None:
    """Without blank lines at its edges."""
    first, last = 0, len(piece.lines)
    while first < last and not piece.lines[first].strip():
        first += 1
    while last > first and not piece.lines[last - 1].strip():
        last -= 1
    if first == last:
        return None
    if first or last < len(piece.lines):
        piece.start, piece.lines = piece.start + first, piece.lines[first:last]
    return piece


def _cut_by_pod(piece: Piece, pods: list[tuple[int, str]]) -> list[Piece]:
    """The logs of several pods in one file, as `kubectl logs --prefix` and stern write them."""
    starts = [max(0, at - piece.start) for at, _ in pods]
    starts[0] = 0
    stops = [*starts[1:], len(piece.lines)]
    parts = [
        Piece(piece.start + start, piece.lines[start:stop], command=command)
        for start, stop, (_, command) in zip(starts, stops, pods, strict=True)
    ]
    return [trimmed for part in parts if (trimmed := _trim_piece(part))]


def _peel_piece(piece: Piece) -> list[Piece]:
    """Heads that only this stretch of the document carries. Under a command they are gone already."""
    if piece.prose or piece.command is not None:
        return [piece]
    if shares := cut_by_host(None, piece.lines):
        return [share.shift(piece.start) for share in shares]
    piece.lines = peel(piece.lines).lines
    return [piece]


def _join_prose(pieces: list[Piece]) -> list[Piece]:
    """Prose that markup had cut into several pieces is one note; only marks and blank lines lie in between."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and last.prose and piece.prose:
            last.lines += [""] * (piece.start - last.stop) + piece.lines
        else:
            joined.append(piece)
    return joined


def _label_by_line_above(pieces: list[Piece]) -> None:
    """A short last line before some output may name the host it comes from: `node-4:`."""
    for above, piece in pairwise(pieces):
        if above.prose and not piece.prose and piece.label is None and len(above.lines[-1]) <= LABEL_LENGTH:
            piece.label = above.lines[-1].strip()


def _build_artifact(name: str, piece: Piece) -> Artifact:
    # Whoever reads commands looks for several words in a row, which is dear on a line that repeats them.
    command = piece.command and piece.command[:LONGEST_COMMAND]
    lines = [simplify(line) for line in piece.lines] if piece.prose else piece.lines
    return Artifact(name, piece.start + 1, lines, host=piece.host, command=command, prose=piece.prose)
