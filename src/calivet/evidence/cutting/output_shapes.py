"""The shapes of lines that programs print."""

from __future__ import annotations

import re

from calivet.evidence.cutting.command_lines import FIRST_PERSON, INLINE_CODE, WORD, is_chinese, is_sentence
from calivet.search.expressions import expression

MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
TIME = r"\d\d:\d\d:\d\d"
BEGINNING = r".{0,300}?"
FAILURES = (
    "connection refused|no route to host|i/o timeout|no such (?:file|host)|exit status \\d|permission denied"
    "|operation not permitted|context deadline exceeded|network is unreachable"
)
DONE = "created|configured|unchanged|deleted|patched|annotated|labeled|restarted|scaled"


def _join_shapes(*shapes: str) -> re.Pattern[str]:
    return expression("|".join(shapes))


# Whatever else the line says: a program wrote it.
CERTAIN = _join_shapes(
    rf"\W{{0,3}}\d{{4}}[-/]\d\d[-/]\d\d[T ]{TIME}",
    rf"(?:[A-Z][a-z]{{2}} )?{MONTH} [ \d]\d {TIME}",
    rf"(?:1[0-2]|[1-9])月 {{1,2}}\d{{1,2}} {TIME}",
    rf"[IWEF]\d{{4}} {TIME}",
    rf"{TIME}[.,]\d+ ",
    r"\[\s*\d+\.\d{3,}\]",
    rf"\[(?:[A-Z][a-z]{{2}} )?{MONTH} [ \d]\d {TIME}",
    r'(?:time|ts|level|msg)="?\S+ \S+=',
    r"\s*\S[^#]{0,200}[;{}]\s*(?:#.*)?$",
)
# The head of a log line, also where its time was left out: Calico's level and process, the source file, klog's end.
LOG_HEAD = _join_shapes(
    r"\W{0,3}\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|PANIC)\]?\[\d+\]",
    r"(?:[IWEF]\d{4} )?(?:[\w<>-]+/)?[\w<>-]+\.go:? ?\d{0,5}[:\]] ",
    r"(?:time|level|ts)=\S+ (?:\w+=\S+ )?msg=",
    r"(?:Warning|Normal) {1,12}[A-Z][A-Za-z]+ ",
    r"bird6?: |[a-z][\w.-]{0,40}\[\d+\]: ",
)
# No person writes these by hand, unless a sentence quotes them.
PLAIN_OUTPUT = _join_shapes(
    # tables: rules, columns, `Key:   value`
    r"\s*[+├└┌╔╠][-+=─┬┼┴═]{3,}",
    r"\s*-{3,}\s+-{3,}",
    r"[A-Z][A-Z0-9()%_/-]+(?:\s{2,}[A-Z][A-Z0-9()%_/-]+)+\s*$",
    r"[A-Z][A-Z0-9()%_/-]+(?: +[A-Z][A-Z0-9()%_/-]+){2,}\s*$",
    r"\s*[|│] ?(?:PEER ADDRESS|NAME|NAMESPACE|GROUPING|COMPONENT) *[|│]",
    rf"{BEGINNING}[^\s.,;:!?]\s{{2,}}\S{BEGINNING}[^\s.,;:!?]\s{{2,}}\S",
    r"[A-Za-z][\w /().-]{0,40}:(?:\s{2,}|\t)\S",
    rf"{BEGINNING}\S\t+\S",
    # JSON
    r"\s*[\[\]{}]+,?\s*$",
    r'\s*"[^"]{1,80}"\s*:',
    r'\{"',
    # crashes
    r"goroutine \d+ \[",
    r"panic: |fatal error: |runtime: |Traceback \(",
    r"\s+at [\w.$<>]+\(",
    r"\s*/\S+\.go:\d+|created by [\w./-]+\.|\[signal |\S+\(0x[\da-f]",
    # what programs say while they work and before they stop
    r"[A-Z]\w+ing .{0,200}\.\.\.\s*$",
    r"Error(?: from server| creating| syncing pod\w*)?(?: \(\w+\))?: ",
    r"The connection to the server \S+ was refused|(?:Failed to pull|Back-off pulling) image \\?\"",
    r"(?:\[\w+\] )?(?:Readiness|Liveness|Startup) probe (?:failed|errored)",
    r"[a-z][\w./-]*(?:\[\d+\])?: (?:\(\d+\)|error|fatal|warning|cannot|can't|unable|unknown|command not found)",
    rf"{BEGINNING}: (?:{FAILURES})",
    rf"{BEGINNING} (?:error|err)=",
    rf"{BEGINNING}(?:rpc error: code|x509: |dial (?:tcp|udp|unix) )",
    # packet filters, kubectl apply
    r":[A-Z][\w-]+ [A-Z-]+ \[\d+:\d+\]|-A [\w-]+ ",
    rf"[a-z][\w./-]*/[\w.-]+ (?:{DONE})$",
)
# A person could write these, but hardly does.
LIKELY_OUTPUT = _join_shapes(
    r"\s*(?:- )?[\w./-]+:(?: \S+)?\s*$",
    r"\s+(?:- )?[\w./-]+: ",
    r"\s*- [\w./-]+=?\S*$",
    r"\s*[\w.\[\]/-]+\s?=\s?\S*$",
    r"[\w.-]+=\S*(?:\s+[\w.-]+=\S*)*\s*$",
    r"[a-z][\w.-]*(?:\[\d+\])?: \S",
    r"[^:]{1,200}: [^:]{1,200}: \S",
    r"\s*\|.*\|\s*$",
    r"\s{2,}\S",
    r"[*:#]\w+$|COMMIT$",
    r"\d+: \w|\d+ \w+ .*\d",
    r"[A-Za-z]*[^A-Za-z\s]\S*\s*$",
)
MACHINE_WORD = expression(r"[/=<>\[\]{}_@|\\]|\d")
TABLE_ROW = expression(r"\S+\s{2,}\S+\s{2,}\S")


def is_plainly_output(line: str) -> bool:
    """A program printed this, even where prose is the rule."""
    if CERTAIN.match(line):
        return True
    return bool(LOG_HEAD.match(line) or PLAIN_OUTPUT.match(line)) and not _is_remark(line)


def is_likely_output(line: str) -> bool:
    """A program may well have printed this, where nothing around it tells."""
    if is_chinese(line):
        return False
    return bool(LIKELY_OUTPUT.match(line)) or _is_mostly_machine(line)


def _is_remark(line: str) -> bool:
    """Quotes a program in a sentence of one's own."""
    if is_chinese(line):
        return not TABLE_ROW.match(line)
    if INLINE_CODE.search(line) and is_sentence(line):
        return True
    return not FIRST_PERSON.isdisjoint(word.lower() for word in WORD.findall(line[:80]))


def _is_mostly_machine(line: str) -> bool:
    words = line[:400].split()
    return sum(bool(MACHINE_WORD.search(word)) for word in words) * 5 >= len(words) * 3
