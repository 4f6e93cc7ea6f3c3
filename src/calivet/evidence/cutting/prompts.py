"""Shell prompts of every common shape, and header lines that name the file, the command or the host of what follows."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.cutting.command_lines import find_remote_host, is_bare_command, is_command
from calivet.search.expressions import expression


class Opening(Struct, frozen=True):
    """Found by a prompt or a header. Without a command it only ends what came before."""

    command: str | None = None
    host: str | None = None
    label: str | None = None
    """A name that may turn out to be a host's."""
    lines: int = 1
    """How many lines the opening itself takes."""
    indent: int = 0
    """Columns before the prompt, which the output under it shares."""
    inherits: bool = False
    """One host's share of what the command above ran on several."""


TAIL = expression(r"==> (?P<path>\S.*?) <==\s*$")
FILE = expression(r"[#/;*-]{1,3}\s?(?:file|File|FILE|文件)\s?[:：]\s?(?P<path>[\w.~/][^\s:]*)\s*(?:[#*-]{1,3})?$")
COMMENT_PATH = expression(r"# ?(?P<path>/[\w.@+,-]+/[\w.@~+,/-]+) ?:?\s*$")
COMMENT_NAME = expression(
    r"#{1,3} ?(?!v?\d+(?:\.\d+){0,2}\s*$)(?=\S*\d)(?P<name>[A-Za-z0-9][\w.-]{1,250}\w) ?[:：]?\s*$"
)
STATISTICS = expression(r"\S+ ping statistics$|\S+ ping 统计")
# A name between two runs of the same ornament.
FRAMED = expression(
    r"\s{0,4}(?P<rule>[-=*#+>~_])(?P=rule){1,100} ?(?P<name>[\w./~\[][^\n]{0,200}?) ?(?:(?P=rule)|<){2,101}\s*$"
)
RULE = expression(r"(?P<rule>[-=:*#])(?P=rule){7,200}\s*$")
PATH = expression(r"(?:~|\.{0,2})/[\w.@~+,/-]+$|[\w.-]+\.(?:log|txt|ya?ml|json|conf|conflist|toml|service|cfg|out)$")
NAME = expression(r"[A-Za-z0-9](?:[\w.-]{0,251}[A-Za-z0-9])?$")
HOST_AND_COMMAND = expression(r"(?P<host>[A-Za-z0-9][\w.-]{0,252})\s?(?:[:：|>-]{1,2}|\s)\s?(?P<command>\S.*)$")
ANSIBLE = expression(
    r"(?P<host>[\w.-]+) \| (?:CHANGED|SUCCESS|FAILED|UNREACHABLE!?)(?: \| rc=-?\d+ >>| ?=> ?\{)?\s*(?:\(std\w+\))?$"
)
PSSH = expression(r"\[\d+\] \d\d:\d\d:\d\d \[(?:SUCCESS|FAILURE)\] (?:[\w.-]+@)?(?P<host>[\w.-]+)(?::\d+)?(?: .*)?$")
# No header has a mark other than these near its start.
MARKS = frozenset("=-*#+>~_/;:[")


def read_header(lines: list[str], index: int) -> Opening | None:
    """What the header that begins on this line says, if there is one."""
    line = lines[index]
    start = line.lstrip()[:1]
    if start in MARKS:
        return _read_framed_by_lines(lines, index) or _read_framed(line) or _read_shared(line)
    return _read_shared(line) if " | " in line[:260] else None


def _read_framed(line: str) -> Opening | None:
    found = TAIL.match(line) or FILE.match(line) or COMMENT_PATH.match(line)
    if found:
        return _build_named(found["path"].strip(), path=True)
    found = FRAMED.match(line) or COMMENT_NAME.match(line)
    return _build_named(found["name"].strip()) if found and not STATISTICS.match(found["name"]) else None


def _read_framed_by_lines(lines: list[str], index: int) -> Opening | None:
    """The name on a line of its own, between two rules, as `more`, `dshbak` and `clush` print it."""
    first = RULE.match(lines[index])
    if not first or index + 2 >= len(lines) or lines[index + 2].strip() != lines[index].strip():
        return None
    named = _build_named(lines[index + 1].strip(), host=first["rule"] == "-")
    return named and Opening(named.command, named.host, named.label, lines=3, inherits=True)


def _read_shared(line: str) -> Opening | None:
    found = ANSIBLE.match(line) or PSSH.match(line)
    return Opening(host=found["host"], inherits=True) if found else None


def _build_named(name: str, *, path: bool = False, host: bool = False) -> Opening | None:
    if path or PATH.match(name):
        return Opening(command=f"cat {name}")
    if is_bare_command(name) or (" " not in name and is_command(name)):
        return Opening(command=name)
    if NAME.match(name):
        return Opening(host=name if host else None, label=name)
    found = HOST_AND_COMMAND.match(name)
    if found and (is_bare_command(found["command"]) or PATH.match(found["command"])):
        command = found["command"]
        return Opening(command=f"cat {command}" if PATH.match(command) else command, label=found["host"])
    return None


USER = r"[A-Za-z_][\w.+-]{0,31}"
HOST = r"(?P<host>[A-Za-z0-9][\w.-]{0,252})"
NOTE = r"(?: ?\([^()]{0,80}\))?"
END = r"(?:\s+(?P<command>\S.*)|\s*)$"
# A virtual environment, a cluster context or a clock may stand before the prompt proper.
LEAD = (
    r"(?P<indent>\s{0,12})(?:\([^()]{1,60}\) ?){0,3}"
    r"(?:\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d)?(?:\.\d+)?\]? ?(?=[\[A-Za-z]))?"
)

# Nothing else looks like these. Before each what none is without: most lines need none of them compiled.
SURE = tuple(
    (mark, expression(LEAD + shape))
    for mark, shape in (
        ("@", rf"\[{USER}@{HOST}(?:[ :][^\]]{{0,160}})?\]{NOTE}\s?\\?[#$%>]\s*(?P<command>.*)$"),
        ("@", rf"{USER}@{HOST}:[^\s#$%>]{{0,200}}{NOTE} ?\\?[#$]\s*(?P<command>.*)$"),
        ("@", rf"{USER}@{HOST}:[~/][^\s#$%>]{{0,200}}{NOTE} ?[%>]{END}"),
        ("@", rf"{USER}@{HOST} \[?[~/\w][^\s#$%>\]]{{0,160}}\]?{NOTE} ?[#$%]{END}"),
        ("@", rf"{USER}@{HOST} [~/][^\s#$%>]{{0,160}}{NOTE} ?>{END}"),
        ("@", rf"{USER}@{HOST}[#$%>]{END}"),
        (":", rf"(?!https?:|file:){HOST}:[~/][^\s#$%>]{{0,160}}(?: {USER})? ?[#$%]{END}"),
        ("sh-", rf"(?:ba|k|z|da|a)?sh-\d[\d.]{{0,8}}[#$]{END}"),
        ("", rf"(?:~|/[\w./-]{{0,160}}) [#$]{END}"),
        ("PS ", r"PS (?:[A-Za-z]:)?[\\/~][^>]{0,200}> ?(?P<command>.*)$"),
        (":\\", r"[A-Z]:\\[^<>|]{0,200}>(?P<command>.*)$"),
        ("➜", r"➜\s+\S+(?:\s+git:\([^)]{0,80}\)(?:\s+✗)?)?(?:\s+(?P<command>\S.*))?$"),
        ("", rf"[❯λ›▶]{END}"),
        ("─", rf"[└╰]─+[#$>╼❯]{{1,3}}{END}"),
        ("$", r"\\?\$(?: +(?P<command>[A-Za-z_./~({\[\"'!\\<:].*)|\s*)$"),
    )
)
# These are prompts only before something that is plainly a command.
DOUBTFUL = tuple(
    expression(LEAD + shape)
    for shape in (
        r"[#%>]\s{0,2}(?P<command>\S.*)$",
        r"\+{1,3} (?P<command>\S.*)$",
        rf"{HOST} (?:~|/\S{{0,160}}) [#$%] (?P<command>\S.*)$",
        rf"{HOST}[#>] ?(?P<command>\S.*)$",
        rf"{HOST} ?\$ (?P<command>\S.*)$",
        r"(?P<host>[A-Za-z0-9][\w-]*\d) [#%] (?P<command>\S.*)$",
        r"\[[^\]@]{1,60}\][#$] ?(?P<command>\S.*)$",
    )
)
DOUBTFUL_EMPTY = expression(rf"\s{{0,12}}{HOST} ~ [#$%]\s*$")
UPPER_HALF = expression(rf"[┌╭]─+ ?\(?(?:{USER})?[@㉿]{HOST}")
# Every prompt begins like this; most lines of output do not.
CANDIDATE = expression(LEAD + r"(?:[\w.+-]++(?:@|:[~/]|[#$%>]|\s[~/$#%])|[\[~/\\$#%>+➜❯λ›▶└╰]|[A-Za-z]:\\|PS )")
NOBODY = frozenset(("localhost", "localhost.localdomain"))
# Some note behind the command where they ran it.
ANNOTATED = expression(r"(?P<command>.*\S)\s{2,}[(（](?P<label>[\w.-]+)[)）]$")
INTERRUPTED = "^C"
CONTINUATION = expression(r"^\s*>\s?")


def read_prompt(line: str) -> Opening | None:
    """What the prompt on this line says, if there is one."""
    if not CANDIDATE.match(line):
        return None
    for mark, shape in SURE:
        if mark in line and (found := shape.match(line)):
            return _build_opening(found)
    for shape in DOUBTFUL:
        if (found := shape.match(line)) and is_command(found["command"]):
            return _build_opening(found)
    if found := DOUBTFUL_EMPTY.match(line):
        return Opening(host=_read_host(found["host"]))
    return None


def read_two_line_prompt(lines: list[str], index: int) -> Opening | None:
    """A drawn prompt that names the host on the line above the one with the command."""
    upper = UPPER_HALF.match(lines[index])
    lower = read_prompt(lines[index + 1]) if upper and index + 1 < len(lines) else None
    if not upper or not lower:
        return None
    return Opening(lower.command, lower.host or _read_host(upper["host"]), lower.label, lines=2)


def read_bare_command(line: str) -> Opening | None:
    """A command line that stands without a prompt."""
    if is_bare_command(line.strip()):
        return Opening(command=line.strip(), host=find_remote_host(line.strip()), indent=len(line) - len(line.lstrip()))
    return None


def continue_command(lines: list[str], index: int, opening: Opening) -> Opening:
    """The same opening with the lines that a backslash at the end joins to it."""
    command, count = opening.command, opening.lines
    while command and command.endswith("\\") and index + count < len(lines) and lines[index + count].strip():
        command = f"{command[:-1].rstrip()} {CONTINUATION.sub('', lines[index + count]).strip()}"
        count += 1
    if count == opening.lines:
        return opening
    return Opening(command, opening.host, opening.label, count, opening.indent, opening.inherits)


def _build_opening(found: re.Match[str]) -> Opening:
    parts = found.groupdict()
    command = (parts["command"] or "").strip()
    if not command or command.endswith(INTERRUPTED):
        return Opening(host=_read_host(parts.get("host")), indent=len(parts["indent"]))
    label = None
    if annotated := ANNOTATED.match(command):
        command, label = annotated["command"], annotated["label"]
    host = find_remote_host(command) or parts.get("host")
    return Opening(command=command, host=_read_host(host), label=label, indent=len(parts["indent"]))


def _read_host(name: str | None) -> str | None:
    return None if name is None or name.lower() in NOBODY else name
