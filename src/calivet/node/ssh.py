"""Whom to ask, and the probe run on many machines over the system's own ssh; one that fails costs only itself."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from threading import Event
from typing import Protocol

from msgspec import Struct, structs

from calivet.evidence.artifact import Document, Unreadable
from calivet.messages.command_line import build_command, quote_words
from calivet.messages.message import Message, message
from calivet.node.outcome import TELLING, UNHEARD, Meaning, cut, explain_never_begun, interpret_failure
from calivet.node.process import Bounds, How, run
from calivet.node.running import MOST_OUTPUT, Probed, rename_machine, stream_in
from calivet.search.expressions import expression

# What ssh takes for a machine: [USER@]HOST or a ssh:// address. Signs that a shell acts on have no place in either:
# they could end up in the command line of a proxy. A dash in front would be an option.
_LOGIN = expression(
    r"(?:ssh://)?(?:(?P<user>[A-Za-z0-9_][\w.+\\@-]*)@)?"
    r"(?P<host>\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\]|[A-Za-z0-9_][\w.-]*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+(?:%[\w.-]+)?)"
    r"(?::(?P<port>\d{1,5}))?/?"
)
_NOT_IN_A_NAME = expression(r"[^\w.-]+")


class Target(Struct, frozen=True):
    """One machine to ask."""

    name: str
    """Its document is `probes/NAME.txt`."""
    logins: tuple[str, ...]
    """What ssh is told, in turn, until one of them is a machine that it knows."""
    is_node: bool = False
    """The name is that of a Kubernetes node, and goes before the one that the machine gives itself."""
    arguments: tuple[str, ...] = ()
    """For the script: whom to try to reach from there."""

    @property
    def document(self) -> str:
        """The name of its document."""
        return f"probes/{self.name}.txt"


def is_login(text: str) -> bool:
    """Whether ssh may be given this."""
    found = _LOGIN.fullmatch(text)
    return found is not None and (not found["port"] or text.startswith("ssh://"))


def read_host(login: str) -> str:
    """The machine in `USER@HOST`, without brackets, user or port."""
    found = _LOGIN.fullmatch(login)
    return found["host"].strip("[]") if found else login


def add_user(login: str, user: str | None) -> str:
    """The same login as this user, where it names none itself."""
    found = _LOGIN.fullmatch(login)
    if not user or not found or found["user"]:
        return login
    return f"ssh://{user}@{login.removeprefix('ssh://')}" if login.startswith("ssh://") else f"{user}@{login}"


def list_targets(logins: Iterable[str], user: str | None = None) -> list[Target]:
    """The machines that the operator names; one that is named twice is asked once."""
    targets: dict[str, Target] = {}
    for login in dict.fromkeys(add_user(login, user) for login in logins):
        name = _find_free_name(make_file_name(read_host(login)), targets)
        targets[name] = Target(name, (login,))
    return list(targets.values())


def make_file_name(host: str) -> str:
    """The host as part of a file's name."""
    return _NOT_IN_A_NAME.sub("_", host)


def _find_free_name(name: str, taken: Iterable[str]) -> str:
    """One machine may be asked as two users, or at two ports."""
    numbers = (name if number == 1 else f"{name}-{number}" for number in range(1, len(list(taken)) + 2))
    return next(one for one in numbers if one not in taken)


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


def read_ssh_settings(login: str, ends: float, interrupted: Event) -> Settings:
    """As ssh itself reads them; one that is too old to say is not told anything either."""
    ended = run(["ssh", "-G", "--", login], b"", Bounds(ends, _ENOUGH), interrupted, ENVIRONMENT)
    if ended.code:
        return Settings()
    found = {one["name"]: one["value"] for one in _SETTING.finditer(ended.out.decode("utf-8", "replace"))}
    behind = any(found.get(name, "none") != "none" for name in ("proxyjump", "proxycommand"))
    return Settings(found.get("connecttimeout", "none") != "none", behind)


def build_ssh_command(login: str, remote: str, seconds: float | None) -> list[str]:
    """ssh with all that it is told; with so many seconds left, it gets no more than them to connect."""
    timeout = [] if seconds is None else ["-o", f"ConnectTimeout={max(1, min(CONNECT, int(seconds)))}"]
    return ["ssh", *OPTIONS, *timeout, "--", login, remote]


def build_remote_command(arguments: Sequence[str], *, sudo: bool) -> str:
    """What the login shell, whichever it is, runs: the script arrives on standard input, nothing is written there."""
    words = ["sh", "-c", _AS_ROOT, "sh"] if sudo else ["sh", "-s", "--"]
    return quote_words([*words, *arguments])


MOST_PRINTED = 1 << 16
"""Bytes that are searched for what a login shell says in place of the script."""
SHARE = 0.75
"""Of the time, for the script: it ends better by itself than at the deadline."""
# The operator may know the machine by its address only.
OTHER_NAME = ("unresolved", "key-unknown")
# A server that many log in to at once, a jump host above all, turns some of them away.
AGAIN = "closed"
PAUSES = (0.0, 1.0, 3.0)
"""Seconds before each try."""


class SshOptions(Struct, frozen=True):
    """What the operator asked for."""

    script: str
    deadline: float = 60.0
    """Seconds for each machine."""
    parallel: int = 16
    sudo: bool = True
    """Become root there, where that needs no password."""
    size: int = MOST_OUTPUT
    """Bytes of output from each machine."""


class Visit(Probed, frozen=True):
    """How it went with one machine."""

    login: str = ""
    called: str = ""
    """The name that it gives itself."""
    kind: str = ""
    """The kind of its failure, as in `outcome`."""
    said: str = ""
    """ssh's own message."""


def visit(target: Target, options: SshOptions, interrupted: Event) -> Visit:
    """By the first of its names that ssh knows."""
    start = time.monotonic()
    for name in target.logins:
        found = _try_target(target, name, options, start + options.deadline, interrupted)
        if found.kind not in OTHER_NAME:
            break
    return structs.replace(found, seconds=time.monotonic() - start)


def _try_target(target: Target, name: str, options: SshOptions, ends: float, interrupted: Event) -> Visit:
    try:
        for pause in PAUSES:
            interrupted.wait(min(pause, ends - time.monotonic()))
            found = _try_login(target, name, options, ends, interrupted)
            if found.kind != AGAIN or time.monotonic() > ends:
                break
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        why = message("node.ssh.missing") if missing else message("node.ssh.failed", why=error.strerror)
        return _describe_end(target, name, Meaning("no-ssh", why))
    except Exception as error:  # noqa: BLE001 - a bug that one machine meets must not cost the others
        return _describe_end(
            target, name, Meaning("bug", message("general.bug", error=f"{type(error).__name__}: {error}"))
        )
    return found


def _try_login(target: Target, name: str, options: SshOptions, ends: float, interrupted: Event) -> Visit:
    if interrupted.is_set():
        return _describe_end(target, name, explain_never_begun(How.INTERRUPTED, options.deadline, options.size))
    known = read_ssh_settings(name, ends, interrupted)
    arguments = ("--total", str(max(1, int(SHARE * options.deadline))), *target.arguments)
    wanted = build_remote_command(arguments, sudo=options.sudo)
    asking = build_ssh_command(name, wanted, None if known.has_timeout else ends - time.monotonic())
    ended = run(asking, options.script.encode(), Bounds(ends, options.size), interrupted, ENVIRONMENT)
    stream = stream_in(ended.out)
    if stream is None and ended.how is How.ITSELF:
        printed = ended.out[-MOST_PRINTED:].decode("utf-8", "replace")
        return _describe_end(
            target, name, interpret_failure(ended.errors, printed, ended.code, is_behind=known.is_behind)
        )
    if stream is None:
        return _describe_end(target, name, explain_never_begun(ended.how, options.deadline, options.size))
    lines = rename_machine(stream.lines, target.name) if target.is_node else stream.lines
    told = None if stream.is_whole else cut(ended.how, options.deadline, options.size)
    return structs.replace(
        _describe_end(target, name, told), document=Document(target.document, lines), called=stream.host
    )


def _describe_end(target: Target, name: str, told: Meaning | None) -> Visit:
    if told is None:
        return Visit(target.name, None, None, 0.0, name)
    failure = Unreadable(target.document, told.why, build_command("login", login=name))
    return Visit(target.name, None, failure, 0.0, name, kind=told.kind, said=told.line)


TRANSCRIPT = "ssh.txt"
"""Not named after a machine, or its lines would pass for output of that machine."""


class Progress(Protocol):
    """Told what happens while it happens."""

    def phase(self, name: str, total: int) -> None:
        """So many machines will be asked."""

    def step(self, name: str, says: Message | None = None) -> None:
        """One of them is done, and how it went."""


def probe_over_ssh(
    targets: Sequence[Target], options: SshOptions, progress: Progress, interrupted: Event
) -> list[Visit]:
    """Asks all of them; the answers come in the order of the targets.

    Once interrupted, whoever is on his way winds up at his next glance, and brings what he has.
    """
    from concurrent.futures import ThreadPoolExecutor, as_completed

    progress.phase("probes", len(targets))
    with ThreadPoolExecutor(max(1, min(options.parallel, len(targets)))) as hands:
        visits = [hands.submit(visit, target, options, interrupted) for target in targets]
        for one in as_completed(visits):
            _tell(one.result(), progress)
    return [one.result() for one in visits]


def _tell(found: Visit, progress: Progress) -> None:
    answered = message("node.answered", seconds=f"{found.seconds:.1f}")
    progress.step(found.host, found.failure.why if found.failure else answered)


def write_transcript(visits: Sequence[Visit]) -> Document | None:
    """What ssh said of machines that it did not get into, as on a terminal: that too is evidence.

    Where none of several was heard of, it is the way there that is closed, which says nothing about any of them.
    """
    if len(visits) > 1 and all(found.kind in UNHEARD for found in visits):
        return None
    told = [found for found in visits if found.kind in TELLING]
    lines = [line for found in told for line in (f"$ {build_command('login', login=found.login)}", found.said)]
    return Document(TRANSCRIPT, lines) if lines else None
