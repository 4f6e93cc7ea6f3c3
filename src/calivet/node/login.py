"""The command lines: how ssh is called, and what it runs on the machine."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from threading import Event

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.node.process import Bounds, run

# Whose keys are trusted is for the operator's own settings to say: nothing here touches that.
OPTIONS = (
    "-T",
    *("-o", "BatchMode=yes"),
    # A setting that keeps ssh silent would keep silent why it fails.
    *("-o", "LogLevel=ERROR"),
    # Neither the operator's agent nor his forwarded ports are any business of a sick machine.
    *("-a", "-x", "-o", "ClearAllForwardings=yes"),
)
ENVIRONMENT = {"SSH_ASKPASS_REQUIRE": "never"}
"""No window may ask for the password of a jump host."""
CONNECT = 10
"""Seconds for the connection, where the operator's settings name none."""

# Whether sudo would ask for a password is tried with nothing on standard input, where the script waits to be read; and
# not for long, because sudo itself may hang on a machine whose name service does.
_AS_ROOT = (
    'if [ "$(id -u)" != 0 ] && timeout 5 sudo -n sh -c : </dev/null >/dev/null 2>&1; '
    'then exec sudo -n sh -s -- "$@"; fi; exec sh -s -- "$@"'
)
_SETTING = expression(r"(?m)^(?P<name>connecttimeout|proxyjump|proxycommand) (?P<value>.+)$")
_ENOUGH = 1 << 20


class Settings(Struct, frozen=True):
    """What the operator's own settings say about a machine."""

    has_timeout: bool = True
    is_behind: bool = False
    """It is reached through another machine or program."""


def settings(login: str, ends: float, interrupted: Event) -> Settings:
    """As ssh itself reads them; one that is too old to say is not told anything either."""
    ended = run(["ssh", "-G", "--", login], b"", Bounds(ends, _ENOUGH), interrupted, ENVIRONMENT)
    if ended.code:
        return Settings()
    found = {one["name"]: one["value"] for one in _SETTING.finditer(ended.out.decode("utf-8", "replace"))}
    behind = any(found.get(name, "none") != "none" for name in ("proxyjump", "proxycommand"))
    return Settings(found.get("connecttimeout", "none") != "none", behind)


def command(login: str, remote: str, seconds: float | None) -> list[str]:
    """ssh with all that it is told; with so many seconds left, it gets no more than them to connect."""
    timeout = [] if seconds is None else ["-o", f"ConnectTimeout={max(1, min(CONNECT, int(seconds)))}"]
    return ["ssh", *OPTIONS, *timeout, "--", login, remote]


def remote(arguments: Sequence[str], *, sudo: bool) -> str:
    """What the login shell, whichever it is, runs: the script arrives on standard input, nothing is written there."""
    words = ["sh", "-c", _AS_ROOT, "sh"] if sudo else ["sh", "-s", "--"]
    return shlex.join([*words, *arguments])
