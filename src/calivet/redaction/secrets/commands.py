"""Secrets on command lines that no name gives away: an option of one letter does, or the place, or who reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.redaction.secrets.below import find_margin, strip_margin
from calivet.redaction.secrets.quoting import OpenQuotes, Value, read_word
from calivet.redaction.secrets.values import is_plain, looks_random
from calivet.redaction.spans import Finder, Span, build_line_finder
from calivet.search.expressions import expression

WHOLE, AFTER_COLON, AFTER_PERCENT, AFTER_PASS, COOKIE = "", ":", "%", "pass:", "="


class Option(Struct, frozen=True):
    """A program, and the option behind which it takes a secret."""

    program: str
    letters: str = ""
    """Options of one letter, glued to their value or not."""
    names: tuple[str, ...] = ()
    """Options of several, before a blank or `=`."""
    part: str = WHOLE
    """What of the argument is secret: all of it, or what stands behind this sign."""
    is_glued: bool = False
    """Only where no blank stands between: otherwise the program asks."""
    kind: str = "password"


OPTIONS = (
    Option("sshpass", "p"),
    Option(r"mysql[\w-]{0,20}|mariadb[\w-]{0,20}", "p", is_glued=True),
    Option("curl|http|https", "uU", ("--user", "--proxy-user", "--auth"), AFTER_COLON),
    Option("curl", "E", ("--cert", "--proxy-cert"), AFTER_COLON),
    Option("curl", "b", ("--cookie",), COOKIE, kind="cookie"),
    Option("login", "p"),
    Option("etcdctl", "u", ("--user", "add"), AFTER_COLON),
    Option("crictl|ctr|podman|skopeo|nerdctl", "u", ("--creds", "--user", "--src-creds", "--dest-creds"), AFTER_COLON),
    Option("redis-cli", "a"),
    Option(r"ldap\w{1,12}", "w"),
    Option("ipmitool", "P"),
    Option("tcpdump", "M"),
    Option("smbclient", "U", (), AFTER_PERCENT),
    Option(r"snmp\w{1,12}", "c", kind="community"),
    Option("snmpwalk|snmpget", "AX"),
    Option("openssl", "k"),
    Option("openssl", "", ("-k", "-pass", "-passin", "-passout", "-password"), AFTER_PASS),
    Option("sqlcmd|mssql-cli|osql", "P"),
    Option("mongo|mongosh|mongodump", "p"),
    Option("cqlsh|sealos", "p"),
    Option("unzip|zip", "P"),
    Option("7z[ar]?", "p", is_glued=True),
    Option("ssh-keygen", "NP"),
)
WORD = expression(r"\S+")
ENDS = frozenset(("|", "||", "&&", ";", "&"))
ARGUMENTS = 60
LONGEST_PATH = 80


def build_option_finder(option: Option) -> Finder:
    """Finds the arguments that the program takes for secrets."""
    program = expression(rf"(?:.*[^\w.-])?(?:{option.program})", re.ASCII)

    def find(line: str) -> Iterator[tuple[int, int, str]]:
        words = [(found.start(), found[0]) for found in WORD.finditer(line)]
        for number, (_, word) in enumerate(words):
            if program.fullmatch(word[-LONGEST_PATH:]):
                yield from _find_argument(line, _take_one_command(words[number + 1 : number + ARGUMENTS]), option)

    return build_line_finder(rf"(?:{option.program})\s{{1,9}}(?:-|[^\n]{{0,400}}(?:\s-|user add))", find)


def _take_one_command(words: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Up to where the shell begins another one."""
    end = next((at for at, (_, word) in enumerate(words) if word in ENDS or word.endswith(";")), len(words))
    return list(words[: end + 1])


def _find_argument(line: str, command: Sequence[tuple[int, str]], option: Option) -> Iterator[tuple[int, int, str]]:
    for number, (start, word) in enumerate(command):
        place = _place(start, word, option)
        if place == start + len(word):
            place = command[number + 1][0] if number + 1 < len(command) and not option.is_glued else 0
        if place > 0:
            value = _take_part(line, read_word(line, place), option.part)
            if value and not is_plain(line[value.start : value.stop]):
                yield value.start, value.stop, option.kind
            return


def _place(start: int, word: str, option: Option) -> int:
    """Where the option's value begins; where the word ends, it is the next one; 0 where this is another option."""
    name, equals, _ = word.partition("=")
    if name in option.names:
        return start + len(name) + len(equals)
    if not word.startswith("-") or word.startswith("--") or not option.letters:
        return 0
    if word[1:2] in option.letters and word[1:2]:
        return start + 2
    # Several letters in one: `-su user`. Only the last of them takes a value.
    if word[-1] in option.letters and word[1:].isalpha() and len(word) < len("-abcde"):
        return start + len(word)
    return 0


def _take_part(line: str, value: Value, sign: str) -> Value | None:
    if sign in (WHOLE, COOKIE):
        return value if not sign or sign in line[value.start : value.stop] else None
    at = line.find(sign, value.start, value.stop)
    if at < 0:
        return None
    inner = Value(at + len(sign), value.stop)
    return inner if inner.start < inner.stop else None


# Programs that read one from a pipe or from lines of their own.
READS = r"(?:sudo\s{1,9}(?:-\w{1,9}\s{1,9}){0,5}-\w{0,9}S|passwd\b|--(?:password|token)-stdin|base64\b|login\b|kinit\b)"
# What `printf` is given first only tells how.
FORMAT = r"(?:-\w{1,9}\s{1,9})?(?:[\"']?%[a-z](?:\\n)?[\"']?\s{1,9})?"
ECHOED = expression(rf"\b(?:echo|printf)\s{{1,9}}{FORMAT}(?=[^|]{{1,400}}\|.{{0,200}}?{READS})")
TO_CHPASSWD = expression(rf"\b(?:echo|printf)\s{{1,9}}{FORMAT}(?=[^|]{{1,400}}\|\s{{0,9}}(?:sudo\s{{1,9}})?chpasswd)")
HERE_STRING = expression(r"passwd\b[^<]{0,200}<<<\s{0,9}")
LITERAL = expression(r"--from-literal[= ][\"']?[\w.-]{1,200}=")
BCRYPT = expression(r"\bhtpasswd\s{1,9}(?:-\w{1,9}\s{1,9}){0,5}-\w{0,9}b\w{0,9}\s{1,9}(?:-\w{1,9}\s{1,9}){0,5}")


def find_piped(line: str) -> Iterator[tuple[int, int, str]]:
    """What is piped or given to a program that reads a password."""
    for shape, part in ((TO_CHPASSWD, AFTER_COLON), (HERE_STRING, WHOLE), (ECHOED, WHOLE)):
        for found in shape.finditer(line):
            value = read_word(line, found.end())
            value = _take_part(line, value, part) or value
            if (accounts := _take_part(line, value, AFTER_COLON)) and "chpasswd" in line:
                value = accounts
            text = line[value.start : value.stop]
            if not is_plain(text):
                yield value.start, value.stop, "password"


def find_literals(line: str) -> Iterator[tuple[int, int, str]]:
    """What `kubectl create secret` is given on the command line; the quotes may stand around name and value."""
    quotes = OpenQuotes(line)
    for found in LITERAL.finditer(line):
        limit = quotes.limit(found.end())
        value = read_word(line, found.end(), limit) if limit == len(line) else Value(found.end(), limit)
        if not is_plain(line[value.start : value.stop]):
            yield value.start, value.stop, "secret"


def find_hashed(line: str) -> Iterator[tuple[int, int, str]]:
    """The last argument of `htpasswd -b`."""
    for found in BCRYPT.finditer(line):
        command = _take_one_command(
            [(found.end() + word.start(), word[0]) for word in WORD.finditer(line[found.end() :])]
        )
        for start, _ in command[2 if len(command) > 2 else 1 :][:1]:
            value = read_word(line, start)
            if not is_plain(line[value.start : value.stop]):
                yield value.start, value.stop, "password"


# The command line of a process whose arguments have lost what stood between them.
GLUED = expression(
    r"--(?:[a-z0-9]{1,20}-){0,5}(?:password|passwd|passphrase|token|secret|api-key)(?!-|=|s?\s|file|expir|ttl|auth)"
    r"(?P<secret>[^\s=][^\s]*?)(?=--[a-z]|\s|$)"
)


def find_glued(line: str) -> Iterator[tuple[int, int, str]]:
    """An option and its value in one, where several options are."""
    for found in GLUED.finditer(line):
        has_more = "--" in line[: found.start()] or "--" in line[found.end() :]
        if has_more and looks_random(found["secret"]):
            yield *found.span("secret"), "password"


HERE_DOCUMENT = expression(r"<<-?\s{0,9}\\?[\"']?(?P<end>\w{1,40})[\"']?")
READER = expression(
    rf"{READS}|chpasswd|create\s{{1,9}}secret|/dev/stdin|>\s{{0,9}}\S{{0,200}}(?:pass|token|secret|key|cred)\S{{0,80}}",
    re.IGNORECASE,
)
ACCOUNT = expression(r"\s*[\w.-]{1,80}:")
LONGEST = 60


def find_here_documents(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """The words alone on the lines of a document that is given to a program which reads a secret."""
    done = -1
    for index in hits:
        document = HERE_DOCUMENT.search(lines[index])
        if index <= done or not document or not READER.search(lines[index]):
            continue
        margin = find_margin(lines, index, index + 1)
        for number, body in strip_margin(lines, range(index + 1, min(len(lines), index + LONGEST)), margin):
            done = number
            if body.strip() == document["end"]:
                break
            for start, stop in _find_in_document(body, is_account="chpasswd" in lines[index]):
                yield Span(number, start + len(margin), stop + len(margin), "password", body[start:stop])


def _find_in_document(line: str, *, is_account: bool) -> Iterator[tuple[int, int]]:
    account = ACCOUNT.match(line) if is_account else None
    words = line.split()
    if account or len(words) == 1:
        start = account.end() if account else line.index(words[0])
        stop = len(line.rstrip())
        if not is_plain(line[start:stop]):
            yield start, stop


COMMANDS = (
    *(build_option_finder(option) for option in OPTIONS),
    build_line_finder(
        r"\|\s{0,9}(?:sudo\s|chpasswd|passwd|base64|kinit)|--(?:password|token)-stdin|passwd\b[^<]{0,200}<<<",
        find_piped,
    ),
    build_line_finder(r"--from-literal[= ]", find_literals),
    build_line_finder(r"htpasswd\s{1,9}-", find_hashed),
    build_line_finder(
        r"--(?:[a-z0-9]{1,20}-){0,5}(?:password|passwd|passphrase|token|secret|api-key)[^\s=-]", find_glued
    ),
    Finder(r"<<-?\s{0,9}\\?[\"']?\w", find_here_documents),
)
