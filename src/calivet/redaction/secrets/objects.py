"""The values of Secret objects, in YAML and JSON, and what commands that print a secret leave on the next lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.cutting.prompts import read_prompt
from calivet.redaction.secrets.below import find_margin, indent_of, strip_margin
from calivet.redaction.secrets.quoting import OPENING, read_quoted
from calivet.redaction.secrets.values import is_plain
from calivet.redaction.spans import Finder, Span
from calivet.search.expressions import expression

KIND = "secret-data"
HINT = r"kind(?:\\{0,9}[\"'])?\s{0,9}:\s{0,9}(?:\\{0,9}[\"'])?Secret(?:\\{0,9}[\"'])?\s{0,99}(?:[,}#]|$)"
ON_A_LINE = expression(r"\s*(?:- +)?[\"']?kind[\"']?:\s*[\"']?Secret[\"']?,?\s*(?:#.*)?$")
ANY_KIND = expression(r"\s*(?:- +)?[\"']?kind[\"']?:")
BRACKETS = ("}", "},", "]", "],")
FIELD = expression(r"\s*(?:- +)*(?:[\"'][^\"']{1,300}[\"']|[\w./-]{1,300})\s{0,9}:(?:\s|$)")
DATA = expression(r"\s*(?:- +)?[\"']?(?:data|stringData)[\"']?:\s*\{?\s*$")
ENTRY = expression(r"\s*(?:\"[^\"]{1,300}\"|'[^']{1,300}'|[\w.-]{1,300})\s{0,9}:\s{0,40}(?:!!binary\s{1,9})?")
COMPACT = expression(r"(?:\\{0,9}[\"'](?:data|stringData)\\{0,9}[\"']\s{0,9}:\s{0,9}|\b(?:data|stringData): ?)\{")
PAIR = expression(r"[^:{}]{1,300}:\s{0,9}")
# Certificates are public, and their dates matter. A block begins on the next line.
CERTIFICATE = expression(r"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0[\w+/]*=*$|-----BEGIN CERTIFICATE")
BLOCK = expression(r"[|>][-+\d]{0,4}$")
CERTIFICATE_ENDS = "-----END CERTIFICATE"
LONGEST = 2000


def find_in_objects(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The values of the objects whose kind stands on these lines."""
    seen: set[tuple[int, str]] = set()
    for index in hits:
        for margin in {find_margin(lines, index, index - 1), find_margin(lines, index, index + 1)}:
            if ON_A_LINE.match(lines[index][len(margin) :]):
                for first, column in _find_data(lines, index, margin):
                    if (first, margin) not in seen:
                        seen.add((first, margin))
                        yield from _find_entries(lines, first, column, margin)
        yield from _find_on_one_line(lines[index], index)


def _find_on_one_line(line: str, index: int) -> Iterator[Span]:
    """An object on one line: each value of its data, up to the brace that closes them."""
    at = 0
    while data := COMPACT.search(line, at):
        at = data.end()
        while pair := PAIR.match(line, at):
            value = read_quoted(line, pair.end())
            start, stop = (value.start, value.stop) if value else _find_bare_word(line, pair.end())
            yield from _build_span(index, line[start:stop], start)
            at = stop
            if value and (closing := OPENING.match(line, stop)):
                at = closing.end()
            if not line.startswith(",", at):
                break


def _find_bare_word(line: str, start: int) -> tuple[int, int]:
    ends = [at for sign in ",}" if (at := line.find(sign, start)) >= 0]
    return start, min(ends, default=len(line))


def _find_data(lines: Sequence[str], index: int, margin: str) -> Iterator[tuple[int, int]]:
    """Where the object's data begin; kubectl prints them before the kind, people write them after it."""
    column = indent_of(lines[index][len(margin) :])
    for numbers in (range(index, max(-1, index - LONGEST), -1), range(index + 1, min(len(lines), index + LONGEST))):
        for number, line in strip_margin(lines, numbers, margin):
            if not line.strip():
                continue
            here = indent_of(line)
            opens = line.lstrip().startswith("- ") and here == column
            if here < column or (opens and number > index) or (here == column and _is_foreign(line, number != index)):
                break
            if number != index and ON_A_LINE.match(line):
                break  # another object, which is looked at by itself
            if here == column and DATA.match(line):
                yield number, column
            if opens:
                break


def _is_foreign(line: str, elsewhere: bool) -> bool:
    """No field of the object: its kind is named once."""
    return not (FIELD.match(line) or line.strip() in BRACKETS) or (elsewhere and bool(ANY_KIND.match(line)))


def _find_entries(lines: Sequence[str], first: int, column: int, margin: str) -> Iterator[Span]:
    public = False
    for number, line in strip_margin(lines, range(first + 1, min(len(lines), first + LONGEST)), margin):
        if line.strip() and len(line) - len(line.lstrip()) <= column:
            return
        public = (public or bool(CERTIFICATE.match(line.strip()))) and CERTIFICATE_ENDS not in line
        if public or CERTIFICATE_ENDS in line:
            continue
        entry = ENTRY.match(line)
        start = entry.end() if entry else len(line) - len(line.lstrip())
        value = read_quoted(line, start) if entry else None
        start, stop = (value.start, value.stop) if value else (start, len(line.rstrip()))
        if entry and not value:
            stop = start + len(line[start:stop].removesuffix(","))
        yield from _build_span(number, line[start:stop], len(margin) + start)


def _build_span(number: int, value: str, start: int) -> Iterator[Span]:
    if value.strip("{}[] ") and not CERTIFICATE.match(value) and not BLOCK.match(value):
        yield Span(number, start, start + len(value), KIND, value)


FINDER = Finder(HINT, find_in_objects)


PRINTED = "printed-secret"
# What hashes, parses or counts its input prints nothing of it; nor is what an object is called a secret.
HARMLESS = expression(
    r"openssl\s+(?:x509|verify|s_client|rsa|pkey)|sha\d*sum|md5sum|wc\b|(?:jq\s|-o\s*(?:yaml|json|name|wide)\b)(?!.{0,200}\.data\b)|grep\s+-c"
    r"|\.metadata\.(?!.{0,200}\.data\b)"
)
TELLING = (
    r"get\s{1,9}secrets?[ /].{0,200}(?:jsonpath|template|custom-columns|jq\s.{0,80}\.data\b)",
    r"kubectl\s.{0,200}create\s{1,9}token\s",
    r"kubeadm\s+(?:token\s+(?:create|generate|list)|certs\s+certificate-key|init\s+phase\s+upload-certs)",
    r"certificate key:?\s*$",
    r"wg\s{1,9}(?:genkey|genpsk|show\s.{0,80}(?:private|preshared)-keys?)",
    r"openssl\s+rand\s",
    r"cat\s{1,9}\S{0,200}(?:token|passw(?:or)?d|secret|[._-]pass|\.pgpass|key)\s*(?:;\s*echo\s*)?$",
    r"printenv\s{1,9}\w{0,80}(?:PASS|PWD|TOKEN|SECRET|KEY)\w{0,80}\s*$",
    r"initial-password|pwgen\s|/dev/u?random\s.{0,80}\|\s{0,9}(?:base64|xxd|tr)\b",
    r"base64\s{1,9}(?:-d|--decode|-D)\s{0,9}(?:$|[|;&])",
    r"ecr\s+get-login-password|get-access-token|print-(?:access|identity)-token",
    r"echo\s{1,9}\"?\$\{?\w{0,80}(?:PASS|TOKEN|SECRET|KEY)\w{0,80}\}?\"?\s*$",
    r"vault\s{1,9}(?:read|kv\s{1,9}get)\s.{0,200}-field",
)
WORD_ALONE = expression(r"\s*(?P<secret>[^\s:<]{6,})\s*$")
LONG_NUMBER = expression(r".*\s(?P<secret>[0-9a-f]{32,})\s*$")
DUMP = expression(r"[0-9a-f]{7,8}:?\s+(?P<secret>(?:[0-9a-f]{2,4}\s+)+.*)$")
FIELD_OF_JSON = expression(r"\s*\"[\w.-]{1,253}\":\s?\"(?P<secret>[^\"]+)\",?\s*$")
PGPASS = expression(r"\s*[\w.*-]{1,253}:(?:\d{1,5}|\*):[\w*.-]{1,80}:[\w*.-]{1,80}:(?P<secret>\S+)\s*$")
# The prompt comes on the same line where the secret has no newline of its own.
BEFORE_PROMPT = expression(r"\s*(?P<secret>[^\s@:]{6,200}?)(?=\[?[\w.-]{1,64}@[\w.-]{1,64}[ :][^#$]{0,80}[#$])")
SHAPES = (DUMP, WORD_ALONE, FIELD_OF_JSON, PGPASS, LONG_NUMBER, BEFORE_PROMPT)
LINES = 12
# A certificate begins, which is public, or a key, which has a finder of its own.
FRAME = "-----BEGIN"


def find_printed(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The words that stand alone under these lines, up to the next prompt."""
    done = -1
    for index in hits:
        if not HARMLESS.search(lines[index]):
            for number, span in _find_below_command(lines, index, max(index, done) + 1):
                done = number
                if span:
                    yield span


def _find_below_command(lines: Sequence[str], index: int, first: int) -> Iterator[tuple[int, Span | None]]:
    """Each line that was looked at, with what must be hidden there."""
    margin = find_margin(lines, index, index + 1)
    for number, body in strip_margin(lines, range(first, min(len(lines), index + LINES)), margin):
        found = next((found for shape in SHAPES if (found := shape.match(body))), None)
        if FRAME in body:
            return
        span = None
        if found and not is_plain(found["secret"]):
            start, stop = found.span("secret")
            span = Span(number, start + len(margin), stop + len(margin), PRINTED, found["secret"])
        yield number, span
        if read_prompt(body.strip()):
            return


PRINTED_FINDER = Finder("|".join(TELLING), find_printed)
