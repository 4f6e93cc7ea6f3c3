"""What could be reached from where: ping, nc, telnet, /dev/tcp, curl, wget, and what programs failed to reach."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import PortLoopFailure
from calivet.facts.fact import AskedUrl, Fact, FailedDial, FailedLookup, Silence
from calivet.facts.vocabulary.identifiers import find_url_addresses
from calivet.readers.command import find_output_start, look_inside
from calivet.readers.network import reach_tries
from calivet.readers.network.reach_tries import Try, build_reaches, find_outcome
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.search.expressions import expression

# Addresses in the URLs that programs asked for.
#
# Settings and a few failing requests are short; a long text is a log that repeats itself.
_LONGEST_TEXT = 400


def _read_asked_urls(artifact: Artifact, anchors: list[int]) -> Iterator[AskedUrl]:
    told: set[str] = set()
    for index in anchors if len(artifact.lines) <= _LONGEST_TEXT else ():
        text = artifact.lines[index]
        for address in find_url_addresses(text) if "_proxy" not in text.lower() else ():
            if address not in told:
                told.add(address)
                yield AskedUrl(at=artifact.at(index), host=artifact.host, address=address)


ASKED_URLS_READER = read_statements(_read_asked_urls, anchor=expression(r"https?://\[?\d{1,3}\.\d"))


# Connections that Go programs could not make, as their errors name them.
_DIALLED = expression(
    r"dial tcp \[?(?P<address>[0-9a-fA-F.]+|[0-9a-fA-F:]+)\]?:(?P<port>\d+): "
    r"(?:connect: |getsockopt: )?(?:no route to host|i/o timeout|host is down|connection (?:refused|timed out))"
)
_OF_API = expression(r"/apis?/|/readyz|/healthz|Unable to connect to the server")
# What cannot be dialled is complained of again and again: the first stretch of a log says it as well as the whole.
_ENOUGH_LINES = 5000


def _read_failed_dials(artifact: Artifact, anchors: list[int]) -> Iterator[FailedDial]:
    """Each address once, for the API's sake and for another."""
    told: set[tuple[str, int, bool]] = set()
    for index in anchors:
        text = artifact.lines[index]
        if index >= _ENOUGH_LINES or not (found := _DIALLED.search(text)):
            continue
        key = found["address"], int(found["port"]), _OF_API.search(text) is not None
        if key not in told:
            told.add(key)
            yield FailedDial(at=artifact.at(index), host=artifact.host, address=key[0], port=key[1], of_api=key[2])


FAILED_DIALS_READER = read_statements(_read_failed_dials, anchor=expression(r"dial tcp \S+: "))


# Words of many tools for what was not answered: a name that nobody resolves, a connection that stays silent.
_NO_NAME = expression(
    r"no servers could be reached|Temporary failure in name resolution|Could not resolve host|bad address '"
)
_SILENCE = expression(r"timed out|i/o timeout|no servers could be reached|100% packet loss")
# The output of a test; a longer text is a log.
_SHORT = 60


def _read_lost_answers(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    for index in anchors if artifact.length < _SHORT else ():
        text = artifact.lines[index]
        if _NO_NAME.search(text):
            yield FailedLookup(at=artifact.at(index), host=artifact.host)
        if artifact.command and _SILENCE.search(text):
            yield Silence(at=artifact.at(index), host=artifact.host)


LOST_ANSWERS_READER = read_statements(
    _read_lost_answers,
    anchor=expression(
        r"no servers could be reached|Temporary failure in name resolution|Could not resolve host|bad address '"
        r"|timed out|i/o timeout|100% packet loss"
    ),
)


# Loops in the shell that try several ports, the BGP port among them.
_BGP_PORT = 179
_PORT_LOOP = expression(r"\bfor\b.*\b179\b.*\bdo\b.*(?:\bnc\b|\bncat\b|telnet|/dev/tcp)")
_PORT_RESULT = expression(r"(?:^|\D)(?P<port>\d{2,5})\b\W{0,4}(?P<word>[\w-]+)")
_GOOD, _BAD = ("0", "ok", "open", "success", "succeeded"), ("1", "124", "fail", "failed", "closed", "timeout", "no")


def _read_port_loops(artifact: Artifact, _: list[int]) -> Iterator[PortLoopFailure]:
    results = {}
    for index, text in enumerate(artifact.lines[1:], start=1):
        if found := _PORT_RESULT.search(text):
            results[int(found["port"])] = (found["word"].lower(), index)
    bgp = results.pop(_BGP_PORT, ("", 0))
    if bgp[0] in _BAD and any(word in _GOOD for word, _ in results.values()):
        yield PortLoopFailure(at=artifact.at(bgp[1]), host=artifact.host, command=artifact.command or "")


PORT_LOOPS_READER = read_statements(_read_port_loops, command=_PORT_LOOP)


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
_HTTP_ANCHOR = r"curl: \(|\* (?:Connected to|connect to) |wget: |Connecting to \S|(?:< )?HTTP/[\d.]+ \d"

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


def find_fetches(lines: list[str], anchors: list[int], command: str) -> list[Try]:
    """Every fetch among these lines."""
    asked = _parse_asked_url(command)
    tries = [one for index in anchors if (one := _try(lines[index], index, asked))]
    return tries or (_read_output(lines, command, asked) if asked else [])


def _parse_asked_url(command: str) -> Try | None:
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
        return _parse_curl(index, found, asked)
    if found := _VERBOSE.match(line):
        outcome = find_outcome(found["words"] or found["reason"])
        return Try(index, "tcp", outcome, found["target"] or found["away"], int(found["port"] or found["number"]))
    if found := _WGET.match(line):
        words = found["words"] or found["result"]
        target = found["target"] or found["address"] or found["name"] or (asked.target if asked else None)
        port = int(found["port"]) if found["port"] else asked.port if asked else None
        return Try(index, "http", find_outcome(words.removeprefix("failed: ")), target, port, words.strip())
    if asked and (found := _ANSWER.match(line)):
        return _build_fetch(asked, index, "ok", f"HTTP {found['code']}")
    return None


def _parse_curl(index: int, found: re.Match[str], asked: Try | None) -> Try:
    words = found["words"].strip()
    named = _NAMED.search(words)
    # A timeout names the time it took; an error of the server was still an answer.
    outcome = {"28": "timeout", "22": "ok"}.get(found["code"]) or find_outcome(words)
    target = (named["target"] or named["host"]) if named else asked.target if asked else None
    port = int(named["port"]) if named and named["port"] else asked.port if asked else None
    return Try(index, "http", outcome, target, port, words)


def _read_output(lines: list[str], command: str, asked: Try) -> list[Try]:
    """Any answer is one; with a mere status code asked for, 000 means none, and the exit code tells why."""
    coded = bool(_CODE_WANTED.search(command))
    exit_shape = _EXIT_ECHOED if _EXIT_ASKED.search(command) and not coded else _EXIT
    for index, line in enumerate(lines[1:], start=1):
        if ended := exit_shape.match(line):
            code = ended["code"]
            return [_build_fetch(asked, index, _EXITS.get(code, "error"), f"exit code {code}")]
        code_shown = _CODE.match(line) if coded else None
        if code_shown and code_shown["code"] != "000":
            return [_build_fetch(asked, index, "ok", f"HTTP {code_shown['code']}")]
        if not coded and not _NO_ANSWER.match(line):
            return [_build_fetch(asked, index, "ok", None)]
    return []


def _build_fetch(asked: Try, index: int, outcome: str, detail: str | None) -> Try:
    return Try(index, "http", outcome, asked.target, asked.port, detail)


# Some tests print next to nothing: there the command line itself calls the reader.
_COMMANDS = ".*curl |.*wget |.* nc -|.*/dev/(?:tcp|udp)/"
# A socket of the machine's own is no way through a network, and a curl that listens there ends when its time is over.
_OWN_SOCKET = "--unix-socket"
_TOOLS = expression(r"(?:\S*/)?(?:curl|wget|nc|ncat|telnet|ping6?)\s")
_ANCHOR = expression(rf"^(?:\s*(?:{reach_tries.PING_ANCHOR}|{reach_tries.PORTS_ANCHOR}|{_HTTP_ANCHOR})|{_COMMANDS})")


def _read(artifact: Artifact, anchors: list[int]) -> Reading:
    reading = Reading()
    command = look_inside(artifact).command
    if _OWN_SOCKET in command:
        return reading
    tries = [
        *reach_tries.find_pings(artifact.lines, anchors, command),
        *reach_tries.find_port_tries(artifact.lines, anchors, command),
        *find_fetches(artifact.lines, anchors, command),
    ]
    reading.facts.extend(build_reaches(artifact, tries))
    if tries and _TOOLS.match(command):
        reading.claim(find_output_start(artifact), len(artifact.lines))
    reading.claimed.update(one.index for one in tries)
    return reading


READER = Reader(kind="reachability", anchor=_ANCHOR, read=_read)
