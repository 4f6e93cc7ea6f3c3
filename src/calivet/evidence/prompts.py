"""Shell prompts of every common shape."""

from __future__ import annotations

import re

from calivet.evidence.commands import is_bare_command, is_command, remote_host
from calivet.evidence.expressions import expression
from calivet.evidence.openings import Opening

USER = r"[A-Za-z_][\w.+-]{0,31}"
HOST = r"(?P<host>[A-Za-z0-9][\w.-]{0,252})"
NOTE = r"(?: ?\([^()]{0,80}\))?"
END = r"(?:\s+(?P<command>\S.*)|\s*)$"
# A virtual environment, a cluster context or a clock may stand before the prompt proper.
LEAD = (
    r"(?P<indent>\s{0,12})(?:\([^()]{1,60}\) ?){0,3}"
    r"(?:\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d)?(?:\.\d+)?\]? ?(?=[\[A-Za-z]))?"
)

# Nothing else looks like these.
SURE = tuple(
    expression(LEAD + shape)
    for shape in (
        rf"\[{USER}@{HOST}(?:[ :][^\]]{{0,160}})?\]{NOTE}\s?\\?[#$%>]\s*(?P<command>.*)$",
        rf"{USER}@{HOST}:[^\s#$%>]{{0,200}}{NOTE} ?\\?[#$]\s*(?P<command>.*)$",
        rf"{USER}@{HOST}:[~/][^\s#$%>]{{0,200}}{NOTE} ?[%>]{END}",
        rf"{USER}@{HOST} \[?[~/\w][^\s#$%>\]]{{0,160}}\]?{NOTE} ?[#$%]{END}",
        rf"{USER}@{HOST} [~/][^\s#$%>]{{0,160}}{NOTE} ?>{END}",
        rf"{USER}@{HOST}[#$%>]{END}",
        rf"(?!https?:|file:){HOST}:[~/][^\s#$%>]{{0,160}}(?: {USER})? ?[#$%]{END}",
        rf"(?:ba|k|z|da|a)?sh-\d[\d.]{{0,8}}[#$]{END}",
        rf"(?:~|/[\w./-]{{0,160}}) [#$]{END}",
        r"PS (?:[A-Za-z]:)?[\\/~][^>]{0,200}> ?(?P<command>.*)$",
        r"[A-Z]:\\[^<>|]{0,200}>(?P<command>.*)$",
        r"➜\s+\S+(?:\s+git:\([^)]{0,80}\)(?:\s+✗)?)?(?:\s+(?P<command>\S.*))?$",
        rf"[❯λ›▶]{END}",
        rf"[└╰]─+[#$>╼❯]{{1,3}}{END}",
        r"\\?\$(?: +(?P<command>[A-Za-z_./~({\[\"'!\\<:].*)|\s*)$",
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


def prompt(line: str) -> Opening | None:
    """What the prompt on this line says, if there is one."""
    if not CANDIDATE.match(line):
        return None
    for shape in SURE:
        if found := shape.match(line):
            return _opening(found)
    for shape in DOUBTFUL:
        if (found := shape.match(line)) and is_command(found["command"]):
            return _opening(found)
    if found := DOUBTFUL_EMPTY.match(line):
        return Opening(host=_host(found["host"]))
    return None


def two_line_prompt(lines: list[str], index: int) -> Opening | None:
    """A drawn prompt that names the host on the line above the one with the command."""
    upper = UPPER_HALF.match(lines[index])
    lower = prompt(lines[index + 1]) if upper and index + 1 < len(lines) else None
    if not upper or not lower:
        return None
    return Opening(lower.command, lower.host or _host(upper["host"]), lower.label, lines=2)


def bare_command(line: str) -> Opening | None:
    """A command line that stands without a prompt."""
    if is_bare_command(line.strip()):
        return Opening(command=line.strip(), host=remote_host(line.strip()), indent=len(line) - len(line.lstrip()))
    return None


def continued(lines: list[str], index: int, opening: Opening) -> Opening:
    """The same opening with the lines that a backslash at the end joins to it."""
    command, count = opening.command, opening.lines
    while command and command.endswith("\\") and index + count < len(lines) and lines[index + count].strip():
        command = f"{command[:-1].rstrip()} {CONTINUATION.sub('', lines[index + count]).strip()}"
        count += 1
    if count == opening.lines:
        return opening
    return Opening(command, opening.host, opening.label, count, opening.indent, opening.inherits)


def _opening(found: re.Match[str]) -> Opening:
    parts = found.groupdict()
    command = (parts["command"] or "").strip()
    if not command or command.endswith(INTERRUPTED):
        return Opening(host=_host(parts.get("host")), indent=len(parts["indent"]))
    label = None
    if annotated := ANNOTATED.match(command):
        command, label = annotated["command"], annotated["label"]
    host = remote_host(command) or parts.get("host")
    return Opening(command=command, host=_host(host), label=label, indent=len(parts["indent"]))


def _host(name: str | None) -> str | None:
    return None if name is None or name.lower() in NOBODY else name
