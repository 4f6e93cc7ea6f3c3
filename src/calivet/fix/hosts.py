"""Commands on machines, over the operator's own ssh: as they are printed, as root where that needs no password."""

from __future__ import annotations

import time
from collections.abc import Mapping
from threading import Event
from typing import Protocol

from msgspec import Struct

from calivet.messages.command_line import quote_words
from calivet.messages.message import MessageError, message
from calivet.node.outcome import interpret_failure
from calivet.node.process import MOST_ERRORS, Bounds, Ended, How, run
from calivet.node.ssh import ENVIRONMENT, build_ssh_command, is_login, read_ssh_settings

MOST_OUTPUT = 256 << 20
END = "calivet: that was all\n"
"""What a machine says when a command has ended, however it ended."""
_MARK = f"code=$?; printf '%s\\n' '{END.strip()}' >&2; exit $code"
# Root needs no sudo, and may have none.
SUDO = 'sudo() { if [ "$(id -u)" = 0 ]; then "$@"; else command sudo -n "$@"; fi; }\n'
_MAY = 'if [ "$(id -u)" = 0 ] || timeout 10 sudo -n true </dev/null >/dev/null 2>&1; then echo yes; else echo no; fi'


class HostError(MessageError):
    """A machine that cannot be reached, or does not do what is asked."""


class Answer(Struct, frozen=True):
    """What a command on a machine came to."""

    code: int
    out: bytes
    errors: str


class Hosts(Protocol):
    """Runs a script on a machine."""

    def run(self, node: str, script: str, given: bytes, seconds: float) -> Answer:
        """As the login shell of an operator would; HostError where the machine was not reached."""
        ...


class SshHosts:
    """Over ssh; what each node is called is tried in turn, once."""

    def __init__(self, logins: Mapping[str, tuple[str, ...]], interrupted: Event) -> None:
        self._logins = logins
        self._interrupted = interrupted
        self._working: dict[str, str] = {}

    def run(self, node: str, script: str, given: bytes, seconds: float) -> Answer:
        """The script in a plain shell of the machine, with `sudo` as it is wanted there."""
        marked = f"{SUDO}(\n{script}\n)\n{_MARK}"
        ended = self._try_login(self._find_login(node, seconds), marked, given, seconds)
        if ended.how is not How.ITSELF:
            raise HostError(message("fix.host.late", node=node, seconds=f"{seconds:.0f}"))
        errors, mark, _ = ended.errors.rpartition(END)
        # Without it nobody knows how far the command came: the connection was cut, or there never was one.
        if not mark and len(ended.errors) < MOST_ERRORS:
            raise HostError(message("fix.host.failed", node=node, why=_explain(ended)))
        return Answer(ended.code, ended.out, errors if mark else ended.errors)

    def _find_login(self, node: str, seconds: float) -> str:
        if node in self._working:
            return self._working[node]
        why = message("fix.host.unknown")
        for login in self._logins.get(node, (node,) if is_login(node) else ()):
            ended = self._try_login(login, "echo calivet", b"", min(seconds, 30.0))
            if ended.how is How.ITSELF and b"calivet" in ended.out:
                return self._working.setdefault(node, login)
            why = _explain(ended)
        raise HostError(message("fix.host.failed", node=node, why=why))

    def _try_login(self, login: str, script: str, given: bytes, seconds: float) -> Ended:
        ends = time.monotonic() + seconds
        try:
            known = read_ssh_settings(login, ends, self._interrupted)
            command = build_ssh_command(
                login, quote_words(["sh", "-c", script]), None if known.has_timeout else seconds
            )
            return run(command, given, Bounds(ends, MOST_OUTPUT), self._interrupted, ENVIRONMENT)
        except OSError as error:
            raise HostError(message("fix.host.no_ssh", why=error.strerror or str(error))) from None


def _explain(ended: Ended):  # type: ignore[no-untyped-def]
    return interpret_failure(ended.errors, "", ended.code, is_behind=False).why


def may_become_root(hosts: Hosts, node: str, seconds: float) -> bool:
    """Whether commands run as root there without a password."""
    return hosts.run(node, _MAY, b"", seconds).out.strip() == b"yes"
