"""Secrets of the web: before the host of a URL, in headers of HTTP, in the addresses of hooks, and JSON web tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calivet.redaction.secrets.below import find_wrapped_below
from calivet.redaction.secrets.quoting import BLANK_OR_CHINESE, OpenQuotes, Value, read_word
from calivet.redaction.secrets.values import is_plain, looks_random
from calivet.redaction.spans import Finder, Span, build_line_finder, build_spans
from calivet.search.expressions import expression

Found = Iterator[tuple[int, int, str]]

SCHEME = expression(r"(?<![\w/:@+.-])[A-Za-z][A-Za-z0-9+.-]{0,30}://", re.ASCII)
USER = expression(r"[^\s/@:\"'<>\[\]]{0,200}:")
HOST = expression(r"[\w.\[(%$<{-]")
TOKEN_ALONE = expression(r"[A-Za-z0-9_~.-]{20,}@(?=\w)")
# Behind a host's name, and then no password.
PORT = expression(r"\d{1,5}(?:[/?#,;:]|$)")
LOOKS_LIKE_HOST = expression(r".*\..*|localhost|\d+|\[.*", re.IGNORECASE)
PROXY = expression(r"(?:https?|all|ftp|socks5?|http)?[-_.]?proxy(?:\\{0,9}[\"'])?\s{0,9}[:=]\s{0,9}", re.IGNORECASE)
DATA_SOURCE = expression(r"@(?:tcp6?|unix)\(")
DATA_SOURCE_USER = expression(r"(?<![\w.-])[\w.-]{1,80}:")
LONGEST_PASSWORD = 400


def find_in_urls(line: str) -> Found:
    """`scheme://user:password@host`; a password may hold any sign, so the last `@` before a host counts."""
    quotes = OpenQuotes(line)
    schemes = list(SCHEME.finditer(line))
    for number, scheme in enumerate(schemes):
        start = scheme.end()
        stop = schemes[number + 1].start() if number + 1 < len(schemes) else len(line)
        stop = min(stop, quotes.limit(start))
        if blank := BLANK_OR_CHINESE.search(line, start, stop):
            stop = blank.start()
        yield from _find_before_host(line, start, stop)


def _find_before_host(line: str, start: int, stop: int) -> Found:
    at = _find_last_at(line, start, stop)
    user = USER.match(line, start, at) if at > 0 else None
    if user:
        is_port = PORT.match(line, user.end(), stop) and LOOKS_LIKE_HOST.fullmatch(line, start, user.end() - 1)
        if not is_port and not is_plain(line[user.end() : at], quoted=True):
            yield user.end(), at, "password"
    elif (token := TOKEN_ALONE.match(line, start, stop)) and looks_random(token[0][:-1]):
        yield start, token.end() - 1, "token"


def _find_last_at(line: str, start: int, stop: int) -> int:
    at = line.rfind("@", start, stop)
    return at if at >= 0 and HOST.match(line, at + 1) else -1


def find_in_proxies(line: str) -> Found:
    """`HTTP_PROXY=user:password@host`: a proxy without a scheme."""
    for proxy in PROXY.finditer(line):
        value = read_word(line, proxy.end())
        if "://" not in line[value.start : value.stop]:
            yield from _find_before_host(line, value.start, value.stop)


def find_in_data_sources(line: str) -> Found:
    """`user:password@tcp(host)`, as Go's drivers have it."""
    for host in DATA_SOURCE.finditer(line):
        first = max(0, host.start() - LONGEST_PASSWORD)
        first = max(first, line.rfind(" ", first, host.start()) + 1)
        if user := DATA_SOURCE_USER.search(line, first, host.start()):
            yield user.end(), host.start(), "password"


AUTHORIZATION = expression(
    r"\bauthorization(?:\\{0,15}[\"']?\s{0,9}[:=]\s{0,9}[\[\"'\\]{0,15}|\s{1,9}[\"'](?=(?:basic|bearer)\s))",
    re.IGNORECASE,
)
SCHEME_NAME = expression(r"[A-Za-z][\w.-]{1,40}\s{1,9}")
KNOWN_SCHEMES = frozenset(
    (
        "basic bearer token apikey api-key negotiate ntlm oauth oauth2 aws sharedkey sharedkeylite geniekey splunk"
        " googlelogin key kerberos scram-sha-1 scram-sha-256 hoba mutual vapid privatetoken bot jwt qcs"
    ).split()
)
# Their values are lists of settings.
LISTS = expression(r"digest|aws4-hmac-\w+|hawk|signature|tc3-hmac-\w+|acs3-hmac-\w+|oauth", re.IGNORECASE)
BEARER = expression(r"\bbearer[ :=]{1,9}[\"']?", re.IGNORECASE)
COOKIE = expression(
    r"\b(?:set-)?cookie\\{0,15}[\"']?\s{0,9}[:=]\s{0,9}[\[\"'\\]{0,15}(?=[\w.%-]{1,80}=)", re.IGNORECASE
)


def find_in_headers(line: str) -> Found:
    """`Authorization: <scheme> <credentials>`, whatever the scheme."""
    quotes = OpenQuotes(line)
    for header in AUTHORIZATION.finditer(line):
        start, limit = header.end(), quotes.limit(header.end())
        scheme = SCHEME_NAME.match(line, start, limit)
        name = scheme[0].strip().lower() if scheme else ""
        if scheme and LISTS.fullmatch(name):
            yield scheme.end(), limit, "authorization"
            continue
        value = read_word(line, scheme.end() if scheme else start, limit)
        text = line[value.start : value.stop]
        if text and not is_plain(text) and (name in KNOWN_SCHEMES or looks_random(text)):
            yield value.start, value.stop, "authorization"


def find_bearers(line: str) -> Found:
    """A word behind `bearer` that no sentence goes on with."""
    quotes = OpenQuotes(line)
    for bearer in BEARER.finditer(line):
        value = read_word(line, bearer.end(), quotes.limit(bearer.end()))
        if looks_random(line[value.start : value.stop]):
            yield value.start, value.stop, "token"


def find_cookies(line: str) -> Found:
    """All cookies of a header."""
    quotes = OpenQuotes(line)
    for cookie in COOKIE.finditer(line):
        value = Value(cookie.end(), quotes.limit(cookie.end()))
        if value.start < value.stop:
            yield value.start, value.stop, "cookie"


FINDERS = (
    build_line_finder(
        r"(?i)authorization(?:(?:\\{0,15}[\"'])?\s{0,9}[:=]|\s{1,9}[\"'](?:basic|bearer)\s)", find_in_headers
    ),
    build_line_finder(r"(?i)bearer[ :=]", find_bearers),
    build_line_finder(r"(?i)cookie(?:\\{0,15}[\"'])?\s{0,9}[:=]", find_cookies),
    build_line_finder(r"://[^\s]{0,400}@", find_in_urls),
    build_line_finder(r"(?i)proxy(?:\\{0,9}[\"'])?\s{0,9}[:=][^\s]{0,400}@", find_in_proxies),
    build_line_finder(r"@(?:tcp6?|unix)\(", find_in_data_sources),
)


KIND = "token"
# `eyJ` and `ewo` are how an opening brace begins in base64.
# A letter before it belongs to a written-out newline, or it is the middle of something else.
TOKEN = expression(
    r"(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt])|(?<=%[23][0-9A-F]))(?:eyJ|ewog|ewoJ)[\w+/-]{13,}={0,2}(?:\.[\w+/=-]*){0,4}"
)


def find(lines: Sequence[str], hits: Sequence[int]) -> Iterator[Span]:
    """Every token that begins on one of these lines."""
    done = -1
    for index in hits:
        if index <= done:
            continue
        for token in TOKEN.finditer(lines[index]):
            pieces = [(index, *token.span()), *find_wrapped_below(lines, index, *token.span())]
            yield from build_spans(KIND, pieces, lines)
            done = pieces[-1][0]


TOKEN_FINDER = Finder(r"(?:eyJ|ewog|ewoJ)[\w+/-]{13,}", find)
