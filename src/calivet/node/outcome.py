"""What became of a login, in words: ssh's own messages, and what they mean for the operator."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.evidence.names import printable
from calivet.evidence.terminal import strip_escapes
from calivet.node.process import How

_NO_NAME = r"(?:Name or service not known|Temporary failure in name resolution|nodename nor servname|No address)"

Row = tuple[str, str, str]


def _table(*rows: Row) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    return tuple((kind, expression(said), why) for kind, said, why in rows)


# What each message means. The first that fits counts: behind a jump host one failure has several messages.
_OF_SSH = _table(
    (
        "key-changed",
        r"REMOTE HOST IDENTIFICATION HAS CHANGED(?:[\s\S]{0,4000}?Offending \S+ key in (?P<place>\S+))?",
        "its host key differs from the one in {place}: calivet does not go on",
    ),
    ("key-revoked", r"REVOKED HOST KEY", "its host key is marked as revoked: calivet does not go on"),
    (
        "key-unknown",
        r"Host key verification failed|No \S+ host key is known",
        "its host key is not in known_hosts: log in once by hand and compare it",
    ),
    (
        "denied",
        r"Permission denied \((?P<methods>[^)\n]+)\)",
        "permission denied: it takes {methods}, and no key or agent here will do",
    ),
    (
        "denied",
        r"Too many authentication failures",
        "permission denied after too many keys: name the right one with IdentityFile and IdentitiesOnly",
    ),
    (
        "unresolved",
        rf"Could not resolve hostname|connect failed: {_NO_NAME}",
        "its name is known neither to the name service nor to the settings of ssh",
    ),
    ("refused", r"Connection refused", "connection refused: no ssh server listens there"),
    ("no-route", r"No route to host|(?:Network|Host) is (?:unreachable|down)", "no route to it"),
    ("mute", r"during banner exchange", "timed out: the port is open, but no ssh server speaks"),
    ("timeout", r"timed out|Timeout, server", "timed out: no answer"),
    (
        "no-common",
        r"no matching (?P<what>[\w ]+) found\. Their offer: (?P<offer>\S+)",
        "no common {what}: it offers {offer}",
    ),
    (
        "closed",
        r"onnection (?:closed|reset)|closed by remote host|Broken pipe|kex_exchange_identification",
        "the connection was closed from the other side",
    ),
    (
        "settings",
        r"(?P<line>.*(?:[Bb]ad configuration|Bad owner or permissions|after keyword|remote command).*)",
        "ssh does not accept its settings: {line}",
    ),
)
# What the machine itself says where it does not let the script run.
_OF_THE_LOGIN = _table(
    ("other-user", r'login as the user "(?P<user>[\w.-]+)"', "it wants to be asked as the user {user}"),
    ("expired", r"(?:password|account) has expired", "the account or its password has expired"),
    ("no-login", r"account is (?:currently )?not available", "the account may not log in"),
    (
        "no-shell",
        r"\bsh'?: (?:command )?not found|\bsh: No such file|'sh' is not recognized|Unknown command:? '?sh\b",
        "there is no sh on it",
    ),
)
FAILED = 255
"""How ssh ends where it is ssh that failed, and not what it ran."""
SILENT = ("no-route", "timeout")
"""Nothing came back from the machine."""
TELLING = (*SILENT, "refused", "mute")
"""That it went so says something about the machine, not about the login."""
UNHEARD = (*SILENT, "unresolved", "no-ssh", "settings", "interrupted", "bug")
"""No sign of life from it, for whatever reason."""
_NEVER_BEGUN = {
    How.DEADLINE: ("hangs", "the login did not get as far as the probe within {seconds:g} s"),
    How.TOO_MUCH: ("floods", "{size:,} bytes came, and the probe had not even begun"),
    How.INTERRUPTED: ("interrupted", "interrupted before it arrived"),
}
_CUT = {
    How.ITSELF: "cut: the connection or the probe ended early; what came until then is kept",
    How.DEADLINE: "cut after {seconds:g} s; what came until then is kept",
    How.TOO_MUCH: "cut after {size:,} bytes; what came until then is kept",
    How.INTERRUPTED: "interrupted; what came until then is kept",
}
_LONGEST = 200


class Meaning(Struct, frozen=True):
    """Why a login brought nothing."""

    kind: str
    why: str
    line: str = ""
    """ssh's own message."""


def meaning(errors: str, printed: str, code: int, *, is_behind: bool) -> Meaning:
    """What a login that never reached the script has ended with."""
    meanings = (*_OF_SSH, *_OF_THE_LOGIN) if code == FAILED else _OF_THE_LOGIN
    for text in (errors, printed):
        for kind, said, why in meanings:
            # Of a machine behind another one it is not known whether its port is open.
            if (found := said.search(text)) and not (is_behind and kind == "mute"):
                values = {key: _short(value or "known_hosts") for key, value in found.groupdict().items()}
                return Meaning(kind, why.format_map(values), _line_at(text, found.end() - 1))
    said_last = next((line for line in reversed([*printed.splitlines(), *errors.splitlines()]) if line.strip()), "")
    if not said_last:
        return Meaning("unknown", f"ssh ended with code {code} and without a word")
    return Meaning("unknown", f"the login ended with code {code}: {_short(said_last)}", _short(said_last))


def never_begun(how: How, seconds: float, size: int) -> Meaning:
    """calivet itself ended a login before the script's first line."""
    kind, why = _NEVER_BEGUN[how]
    return Meaning(kind, why.format(seconds=seconds, size=size))


def cut(how: How, seconds: float, size: int) -> Meaning:
    """The script's last line is missing."""
    return Meaning("cut", _CUT[how].format(seconds=seconds, size=size))


def _line_at(text: str, index: int) -> str:
    return _short(text[text.rfind("\n", 0, index) + 1 :].partition("\n")[0])


def _short(text: str) -> str:
    return printable(strip_escapes(text).strip())[:_LONGEST]
