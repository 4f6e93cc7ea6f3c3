"""Calico's logs: one span for each run of a program, and the few messages that are facts of their own."""

from __future__ import annotations

from msgspec import structs

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan
from calivet.facts.times import parse_time
from calivet.readers.calico.calico_line import HEAD, is_calico, message_of
from calivet.readers.calico.calico_span import Span
from calivet.readers.calico.calico_statements import Place
from calivet.readers.inside import Inside, inside
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_CALICO_ASKED = expression(r"calico|canal|install-cni|upgrade-ipam")
# The whole pod runs one program, whatever files its lines name.
_SINGLE = expression(r"kube-controllers|typha")
_TRACE = expression(r"^(?:\s+\S|goroutine \d|created by |\[signal |[^\s()]+\(.*\)$|libbpf: |[+|])")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    asked = inside(artifact)
    about = f"{(artifact.command or '').partition('|')[0]} {artifact.name}"
    calico_asked = bool(_CALICO_ASKED.search(about))
    single = _SINGLE.search(about)
    # Without its lines: a log is long, and has no banners of machines in it.
    host = subjects(structs.replace(artifact, lines=[])).usual
    for span in _spans(artifact, anchors, calico_asked, asked):
        if single:
            span.programs = {single[0]}
        _report(artifact, span, host, reading)
    return reading


def _spans(artifact: Artifact, anchors: list[int], calico_asked: bool, asked: Inside) -> list[Span]:
    spans: list[Span] = []
    for index in anchors:
        line = artifact.lines[index]
        head = HEAD.match(line)
        if not head or not is_calico(line, head, calico_asked):
            continue
        if not spans or not spans[-1].takes(index, line, head):
            if head["plain"] and not head["plain"].startswith("Calico"):
                continue
            spans.append(Span(index, head["machine"], head["pod"] or asked.pod, head["container"] or asked.container))
        spans[-1].add(index, line, head)
    return spans


def _report(artifact: Artifact, span: Span, host: str | None, reading: Reading) -> None:
    """The span's own fact, and what its messages state."""
    stop = _with_trace(artifact.lines, span.last + 1)
    reading.claim(span.first, stop)
    last = artifact.lines[span.last]
    head = HEAD.match(last)
    node = span.node or span.machine or host
    reading.facts.append(
        LogSpan(
            at=artifact.at(span.first),
            host=node,
            program=next(iter(span.programs)) if len(span.programs) == 1 else "mixed",
            pod=span.pod,
            container=span.container,
            lines=span.count,
            end=artifact.number(stop - 1),
            first_time=parse_time(span.stamps[0]) if span.stamps else None,
            last_time=parse_time(span.stamps[-1]) if span.stamps else None,
            last_message=message_of(last, head) if head else last.strip(),
            worst=span.worst,
        )
    )
    for index, written, said in span.statements.values():
        reading.facts.append(said.make(Place(artifact.at(index), written, node, span.pod)))


def _with_trace(lines: list[str], stop: int) -> int:
    """The index behind the stack trace or table that follows the last line; blank lines may part it."""
    ahead = stop
    while ahead < len(lines):
        if _TRACE.match(lines[ahead]) and not HEAD.match(lines[ahead]):
            stop = ahead + 1
        elif lines[ahead].strip():
            break
        ahead += 1
    return stop


READER = Reader(kind="calico-log", anchor=HEAD, read=_read)
