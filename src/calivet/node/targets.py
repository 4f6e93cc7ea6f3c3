"""Whom to ask: what the operator calls a machine, what ssh is told, and the name its answer goes by."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from calivet.evidence.expressions import expression

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


def host_in(login: str) -> str:
    """The machine in `USER@HOST`, without brackets, user or port."""
    found = _LOGIN.fullmatch(login)
    return found["host"].strip("[]") if found else login


def with_user(login: str, user: str | None) -> str:
    """The same login as this user, where it names none itself."""
    found = _LOGIN.fullmatch(login)
    if not user or not found or found["user"]:
        return login
    return f"ssh://{user}@{login.removeprefix('ssh://')}" if login.startswith("ssh://") else f"{user}@{login}"


def named(logins: Iterable[str], user: str | None = None) -> list[Target]:
    """The machines that the operator names; one that is named twice is asked once."""
    targets: dict[str, Target] = {}
    for login in dict.fromkeys(with_user(login, user) for login in logins):
        name = _free(file_name(host_in(login)), targets)
        targets[name] = Target(name, (login,))
    return list(targets.values())


def file_name(host: str) -> str:
    """The host as part of a file's name."""
    return _NOT_IN_A_NAME.sub("_", host)


def _free(name: str, taken: Iterable[str]) -> str:
    """One machine may be asked as two users, or at two ports."""
    numbers = (name if number == 1 else f"{name}-{number}" for number in range(1, len(list(taken)) + 2))
    return next(one for one in numbers if one not in taken)
