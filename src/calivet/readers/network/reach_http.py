"""What came of curl and wget."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression
from calivet.readers.network.reach_outcome import Try, outcome_of

_CURL = expression(r"^\s*curl: \((?P<code>\d+)\) (?P<words>.*)")
_NAMED = expression(
    r"connect to (?P<target>[^\s:;]+|\[\S+?\])(?: port |:)(?P<port>\d{1,5})\b|resolve host:? '?(?P<host>[\w.-]+)"
)
_VERBOSE = expression(
    r"^\s*\* (?:(?P<words>Connected) to \S+ \((?P<target>[^)]+)\) port (?P<port>\d{1,5})\b"
    r"|connect to (?P<away>\S+) port (?P<number>\d{1,5})\b(?: from .*?)? failed: (?P<reason>.+))"
)
_WGET = expression(
    r"^\s*(?:wget: (?:can't connect to remote host \((?P<target>[^)]+)\): )?(?P<words>.+)"
    r"|Connecting to (?P<name>[^\s|:]+)(?:\|(?P<address>[^|]+)\|)?:(?P<port>\d{1,5})\.\.\. (?P<result>.+))"
)
_ANSWER = expression(r"^\s*(?:< )?HTTP/[\d.]+ (?P<code>\d{3})\b")
ANCHOR = r"curl: \(|\* (?:Connected to|connect to) |wget: |Connecting to \S|(?:< )?HTTP/[\d.]+ \d"

_TOOL = expression(r"\b(?:curl|wget)\s")
_PORT = r"(?::(?P<port>\d{1,5}))?"
_URLS = (
    expression(rf"\b(?P<scheme>https?|telnet)://(?P<host>\[[\da-fA-F:]+\]|[\w.-]+){_PORT}"),
    expression(rf"\s(?P<scheme>)(?P<host>\d+\.\d+\.\d+\.\d+|localhost|\[[\da-fA-F:]+\]){_PORT}(?:/\S*)?(?=[\s;]|$)"),
)

_EXIT = expression(r"^\s*command terminated with exit code (?P<code>\d+)")
# `curl ...; echo "rc=$?"`: whatever words stand before it, the number is the tool's exit code.
_EXIT_ASKED = expression(r";\s*echo\b[^;|]*\$\?")
_EXIT_ECHOED = expression(r"^\D{0,24}(?P<code>\d{1,3})\W*$")
_EXITS = {"0": "ok", "22": "ok", "6": "unresolved", "28": "timeout", "52": "reset", "56": "reset"}
_CODE_WANTED = expression(r"%\{http_code\}")
_CODE = expression(r"^\s*(?P<code>\d{3})(?:\s+[\d.]+)*\s*$")
# What may stand in the output without being an answer: times, progress, counts, and words of the tools around it.
_NO_ANSWER = expression(
    r"^(?:[\s\d.:k-]*$|\s*(?:\*\s|(?:real|user|sys)\s|\^C|% Total|Dload|[\w./-]*sh: |[Ee]rror|Unable to|OCI runtime))"
)


def fetches(lines: list[str], anchors: list[int], command: str) -> list[Try]:
    """Every fetch among these lines."""
    asked = _asked(command)
    tries = [one for index in anchors if (one := _try(lines[index], index, asked))]
    return tries or (_from_output(lines, command, asked) if asked else [])


def _asked(command: str) -> Try | None:
    """What was to be fetched, where it was one thing."""
    if not (tool := _TOOL.search(command)):
        return None
    found = next((urls for shape in _URLS if (urls := list(shape.finditer(command, tool.end() - 1)))), [])
    if len(found) != 1:
        return None
    port = found[0]["port"] or {"https": "443"}.get(found[0]["scheme"], "80")
    return Try(0, "http", "", found[0]["host"], int(port))


def _try(line: str, index: int, asked: Try | None) -> Try | None:
    if found := _CURL.match(line):
        return _curl(index, found, asked)
    if found := _VERBOSE.match(line):
        outcome = outcome_of(found["words"] or found["reason"])
        return Try(index, "tcp", outcome, found["target"] or found["away"], int(found["port"] or found["number"]))
    if found := _WGET.match(line):
        words = found["words"] or found["result"]
        target = found["target"] or found["address"] or found["name"] or (asked.target if asked else None)
        port = int(found["port"]) if found["port"] else asked.port if asked else None
        return Try(index, "http", outcome_of(words.removeprefix("failed: ")), target, port, words.strip())
    if asked and (found := _ANSWER.match(line)):
        return _fetched(asked, index, "ok", f"HTTP {found['code']}")
    return None


def _curl(index: int, found: re.Match[str], asked: Try | None) -> Try:
    words = found["words"].strip()
    named = _NAMED.search(words)
    # A timeout names the time it took; an error of the server was still an answer.
    outcome = {"28": "timeout", "22": "ok"}.get(found["code"]) or outcome_of(words)
    target = (named["target"] or named["host"]) if named else asked.target if asked else None
    port = int(named["port"]) if named and named["port"] else asked.port if asked else None
    return Try(index, "http", outcome, target, port, words)


def _from_output(lines: list[str], command: str, asked: Try) -> list[Try]:
    """Any answer is one; with a mere status code asked for, 000 means none, and the exit code tells why."""
    coded = bool(_CODE_WANTED.search(command))
    exit_shape = _EXIT_ECHOED if _EXIT_ASKED.search(command) and not coded else _EXIT
    for index, line in enumerate(lines[1:], start=1):
        if ended := exit_shape.match(line):
            code = ended["code"]
            return [_fetched(asked, index, _EXITS.get(code, "error"), f"exit code {code}")]
        code_shown = _CODE.match(line) if coded else None
        if code_shown and code_shown["code"] != "000":
            return [_fetched(asked, index, "ok", f"HTTP {code_shown['code']}")]
        if not coded and not _NO_ANSWER.match(line):
            return [_fetched(asked, index, "ok", None)]
    return []


def _fetched(asked: Try, index: int, outcome: str, detail: str | None) -> Try:
    return Try(index, "http", outcome, asked.target, asked.port, detail)
