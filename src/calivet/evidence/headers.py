"""Header lines that name the file, the command or the host of what follows."""

from __future__ import annotations

from calivet.evidence.commands import is_bare_command, is_command
from calivet.evidence.expressions import expression
from calivet.evidence.openings import Opening

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


def header(lines: list[str], index: int) -> Opening | None:
    """What the header that begins on this line says, if there is one."""
    line = lines[index]
    start = line.lstrip()[:1]
    if start in MARKS:
        return _framed_by_lines(lines, index) or _framed(line) or _shared(line)
    return _shared(line) if " | " in line[:260] else None


def _framed(line: str) -> Opening | None:
    found = TAIL.match(line) or FILE.match(line) or COMMENT_PATH.match(line)
    if found:
        return _named(found["path"].strip(), path=True)
    found = FRAMED.match(line) or COMMENT_NAME.match(line)
    return _named(found["name"].strip()) if found and not STATISTICS.match(found["name"]) else None


def _framed_by_lines(lines: list[str], index: int) -> Opening | None:
    """The name on a line of its own, between two rules, as `more`, `dshbak` and `clush` print it."""
    first = RULE.match(lines[index])
    if not first or index + 2 >= len(lines) or lines[index + 2].strip() != lines[index].strip():
        return None
    named = _named(lines[index + 1].strip(), host=first["rule"] == "-")
    return named and Opening(named.command, named.host, named.label, lines=3, inherits=True)


def _shared(line: str) -> Opening | None:
    found = ANSIBLE.match(line) or PSSH.match(line)
    return Opening(host=found["host"], inherits=True) if found else None


def _named(name: str, *, path: bool = False, host: bool = False) -> Opening | None:
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
