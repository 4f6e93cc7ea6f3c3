"""Finds known names in text, alone or in others, and puts others in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.redaction.aliases import Aliases, any_of
from calivet.redaction.host_names import CLUSTER, DOMAIN, HOST, SERVICE, USER
from calivet.redaction.shown_names import tells

SUFFIX = "suffix"


class NameText:
    """Replaces names in any text; a name must be learnt before it is known."""

    def __init__(self) -> None:
        self._aliases = {
            HOST: Aliases("host-{}"),
            DOMAIN: Aliases("site-{}.example"),
            # Domains of one word: replaced only behind a machine's name.
            SUFFIX: Aliases("site{}"),
            CLUSTER: Aliases("cluster-{}"),
            USER: Aliases("user-{}"),
        }
        self._host = re.compile("(?!)")
        self._met: set[tuple[str, str]] = set()

    def learn(self, kind: str, name: str) -> None:
        """Take in a name, short or full."""
        if (kind, name) in self._met:
            return
        self._met.add((kind, name))
        if kind == HOST:
            host, _, domain = name.strip(".").partition(".")
            self._take(HOST, host)
            if domain and tells(DOMAIN, domain):
                self._take(DOMAIN if "." in domain else SUFFIX, domain)
        elif kind == SERVICE:
            # A name of two labels is all domain.
            self._take(DOMAIN, name.partition(".")[2] if name.count(".") > 1 else name)
        else:
            self._take(kind, name)

    def __len__(self) -> int:
        return sum(len(aliases.learnt) for aliases in self._aliases.values())

    def __iter__(self) -> Iterator[str]:
        """Every name to be looked for."""
        return (name for aliases in self._aliases.values() for name in sorted(aliases.learnt))

    def pattern(self) -> str:
        """Matches every known name where it stands as a word, or as a part between dashes or dots."""
        names = {kind: any_of(aliases.learnt) for kind, aliases in self._aliases.items()}
        self._host = re.compile(rf"(?<![a-z0-9]){names[HOST]}(?![a-z0-9])", re.IGNORECASE)
        return (
            rf"(?<![a-z0-9])(?P<name>(?P<user>(?:(?<=/home/)|(?<=/users/)|(?={names[USER]}@)){names[USER]})"
            rf"|(?P<left>(?:[a-z0-9_-]{{1,63}}\.){{0,8}}?)(?P<domain>{names[DOMAIN]})(?!\.\w)"
            rf"|(?P<cluster>{names[CLUSTER]})|(?P<host>{names[HOST]})(?:\.(?P<suffix>{names[SUFFIX]}))?)(?![a-z0-9])"
        )

    def replaced(self, found: re.Match[str]) -> str:
        """For a match of the pattern, what goes in its place."""
        other = {kind: aliases.of(found[kind]) for kind, aliases in self._aliases.items() if found[kind]}
        if DOMAIN in other:
            return self._service(found["left"].rstrip(".")) + other[DOMAIN]
        if SUFFIX in other:
            return f"{other[HOST]}.{other[SUFFIX]}"
        return next(iter(other.values()))

    def _take(self, kind: str, name: str) -> None:
        if name and tells(DOMAIN if kind == SUFFIX else kind, name):
            self._aliases[kind].learn(name)

    def _service(self, left: str) -> str:
        """What stands before a domain: a machine that is known, something named after one, or another machine."""
        hosts = self._aliases[HOST]
        renamed, count = self._host.subn(lambda host: hosts.of(host[0]), left)
        return f"{renamed if count else hosts.of(left)}." if left else ""
