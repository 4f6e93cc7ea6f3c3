"""Secrets met in one place that stand in another without anything that would give them away there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calivet.redaction.spans import Marks, Span
from calivet.search.expressions import expression
from calivet.search.scanner import Scanner

# No name in Kubernetes, no path and no word is like this, so that nothing else is taken for one.
UNMISTAKABLE = expression(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)\S{12,}|(?=.*[a-z])(?=.*\d)[a-z0-9]{24,}")
# The scanner needs no more to know one secret from another.
HEAD = 64
# More would take long to compile; so many come only from a dump of all Secrets.
MOST = 300


class RepeatedSecrets:
    """Finds what is known to be secret, word for word."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._known: list[str] = []
        self._looked_at = 0
        self._scanner: Scanner | None = None

    def learn(self) -> bool:
        """Take in the secrets met since the last time; says whether there were any to look for."""
        secrets = self._marks.list_secrets()
        if len(secrets) == self._looked_at:
            return False
        self._looked_at = len(secrets)
        known = [secret for secret in secrets if UNMISTAKABLE.fullmatch(secret)][:MOST]
        if len(known) == len(self._known):
            return False
        self._known = known
        # Never kept on disk: these patterns are the secrets themselves.
        self._scanner = Scanner.build([re.escape(secret[:HEAD]) for secret in known], caseless=False)
        return True

    def find(self, lines: Sequence[str]) -> Iterator[Span]:
        """Every place where a known secret stands, in order of the lines."""
        for hit in self._scanner.scan(lines) if self._scanner else ():
            secret = self._known[hit.pattern]
            at = lines[hit.line].find(secret)
            while at >= 0:
                yield Span(hit.line, at, at + len(secret), "", secret)
                at = lines[hit.line].find(secret, at + len(secret))
