"""What became of a login, in words: ssh's own messages, and what they mean for the operator."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.archives.member_names import make_printable
from calivet.evidence.decoding.terminal import strip_escapes
from calivet.messages.message import Message, message
from calivet.node.process import How
from calivet.search.expressions import expression

_NO_NAME = r"(?:Name or service not known|Temporary failure in name resolution|nodename nor servname|No address)"

Row = tuple[str, str, str]


def _list_meanings(*rows: Row) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    return tuple((kind, expression(said), key) for kind, said, key in rows)


# What each message means. The first that fits counts: behind a jump host one failure has several messages.
_OF_SSH = _list_meanings(
    (
        "key-changed",
        r"REMOTE HOST IDENTIFICATION HAS CHANGED(?:[\s\S]{0,4000}?Offending \S+ key in (?P<place>\S+))?",
        "node.key.changed",
    ),
    ("key-revoked", r"REVOKED HOST KEY", "node.key.revoked"),
    (
        "key-unknown",
        r"Host key verification failed|No \S+ host key is known",
        "node.key.unknown",
    ),
    (
        "denied",
        r"Permission denied \((?P<methods>[^)\n]+)\)",
        "node.denied",
    ),
    (
        "denied",
        r"Too many authentication failures",
        "node.denied.keys",
    ),
    (
        "unresolved",
        rf"Could not resolve hostname|connect failed: {_NO_NAME}",
        "node.unresolved",
    ),
    ("refused", r"Connection refused", "node.refused"),
    ("no-route", r"No route to host|(?:Network|Host) is (?:unreachable|down)", "node.no_route"),
    ("mute", r"during banner exchange", "node.mute"),
    ("timeout", r"timed out|Timeout, server", "node.timeout"),
    (
        "no-common",
        r"no matching (?P<what>[\w ]+) found\. Their offer: (?P<offer>\S+)",
        "node.no_common",
    ),
    (
        "closed",
        r"onnection (?:closed|reset)|closed by remote host|Broken pipe|kex_exchange_identification",
        "node.closed",
    ),
    (
        "settings",
        r"(?P<line>.*(?:[Bb]ad configuration|Bad owner or permissions|after keyword|remote command).*)",
        "node.settings",
    ),
)
# What the machine itself says where it does not let the script run.
_OF_THE_LOGIN = _list_meanings(
    ("other-user", r'login as the user "(?P<user>[\w.-]+)"', "node.other_user"),
    ("expired", r"(?:password|account) has expired", "node.expired"),
    ("no-login", r"account is (?:currently )?not available", "node.no_login"),
    (
        "no-shell",
        r"\bsh'?: (?:command )?not found|\bsh: No such file|'sh' is not recognized|Unknown command:? '?sh\b",
        "node.no_shell",
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
    How.DEADLINE: ("hangs", "node.never.deadline"),
    How.TOO_MUCH: ("floods", "node.never.flood"),
    How.INTERRUPTED: ("interrupted", "general.interrupted"),
}
_CUT = {
    How.ITSELF: "node.cut",
    How.DEADLINE: "node.cut.deadline",
    How.TOO_MUCH: "node.cut.flood",
    How.INTERRUPTED: "node.cut.interrupted",
}
_LONGEST = 200


class Meaning(Struct, frozen=True):
    """Why a login brought nothing."""

    kind: str
    why: Message
    line: str = ""
    """ssh's own message."""


def interpret_failure(errors: str, printed: str, code: int, *, is_behind: bool) -> Meaning:
    """What a login that never reached the script has ended with."""
    meanings = (*_OF_SSH, *_OF_THE_LOGIN) if code == FAILED else _OF_THE_LOGIN
    for text in (errors, printed):
        for kind, said, key in meanings:
            # Of a machine behind another one it is not known whether its port is open.
            if (found := said.search(text)) and not (is_behind and kind == "mute"):
                values = {name: _shorten(value or "known_hosts") for name, value in found.groupdict().items()}
                return Meaning(kind, message(key, **values), _find_line_at(text, found.end() - 1))
    said_last = next((line for line in reversed([*printed.splitlines(), *errors.splitlines()]) if line.strip()), "")
    if not said_last:
        return Meaning("unknown", message("node.ended", code=str(code)))
    return Meaning(
        "unknown", message("node.ended.saying", code=str(code), said=_shorten(said_last)), _shorten(said_last)
    )


def explain_never_begun(how: How, seconds: float, size: int) -> Meaning:
    """calivet itself ended a login before the script's first line."""
    kind, key = _NEVER_BEGUN[how]
    return Meaning(kind, message(key, seconds=f"{seconds:g}", size=size))


def cut(how: How, seconds: float, size: int) -> Meaning:
    """The script's last line is missing."""
    return Meaning("cut", message(_CUT[how], seconds=f"{seconds:g}", size=size))


def _find_line_at(text: str, index: int) -> str:
    return _shorten(text[text.rfind("\n", 0, index) + 1 :].partition("\n")[0])


def _shorten(text: str) -> str:
    return make_printable(strip_escapes(text).strip())[:_LONGEST]
