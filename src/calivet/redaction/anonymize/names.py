"""Finds known names in text, alone or in others, and puts others in their place; one name, one other name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import count

from calivet.redaction.anonymize.name_places import tells
from calivet.redaction.anonymize.places import (
    AMBIGUOUS_ENDS,
    CLUSTER,
    DOMAIN,
    FULL,
    HOST,
    IDENTIFIER,
    NOT_LABELS,
    ORGANISATION,
    RESOURCE,
    SERVICE,
    USER,
)
from calivet.search.expressions import expression

SUFFIX = "suffix"
Branches = dict[str, "Branches"]
END = ""
STEM_LENGTHS = (12, 6, 4, 3, 2)
STEMS = 300
CLUSTER_DOMAIN = expression(r"^.*?\.(?:svc|pod)\.")


class Aliases:
    """The names of one kind, numbered in the order in which they are replaced."""

    def __init__(self, shape: str) -> None:
        self._fresh = (shape.format(number) for number in count(1))
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()
        self._written: set[str] = set()
        self.learnt: set[str] = set()
        """Names to look for wherever they stand; others get their alias only where they were found."""

    def learn(self, name: str) -> None:
        """Take in a name to look for, unless it is an alias that stands for one already."""
        if name.lower() not in self._taken:
            self.learnt.add(name.lower())
            self._written.add(name)

    def is_meant(self, name: str) -> bool:
        """Whether a word that reads like a name is one: of letters alone only as it was learnt, or in capitals."""
        return not name.isalpha() or name in self._written or name.isupper()

    def find_other(self, name: str) -> str:
        """The other name; what was written with capitals or underscores still is, for both can be a fault."""
        lowered = name.lower()
        if lowered in self._taken and lowered not in self.learnt:
            return name
        if lowered not in self._given:
            # Nobody's real name: what reads like an alias is one.
            alias = next(alias for alias in self._fresh if alias not in self.learnt)
            self._given[lowered] = alias
            self._taken.add(alias)
        alias = self._given[lowered]
        if "_" in name:
            alias = alias.replace("-", "_")
        return alias if name == lowered else alias.capitalize()


class Identifiers(Aliases):
    """Numbers that machines gave: the other one has the same shape, so that a program still takes it for one."""

    def __init__(self, key: bytes) -> None:
        super().__init__("{}")
        self._key = hashlib.sha256(b"identifiers" + key).digest()

    def find_other(self, name: str) -> str:
        """Digits for digits, letters for letters; hexadecimal stays so."""
        lowered = name.lower()
        if lowered in self._taken and lowered not in self.learnt:
            return name
        other = name
        for attempt in range(256):
            if other != name and other.lower() not in self.learnt:
                break
            other = self._scramble(name, attempt)
        self._taken.add(other.lower())
        return other

    def _scramble(self, name: str, attempt: int) -> str:
        seed = f"{attempt} {name.lower()}".encode()
        digest = b"".join(
            hashlib.blake2b(seed + bytes([part]), key=self._key).digest() for part in range(1 + len(name) // 64)
        )
        # Hexadecimal letters become hexadecimal ones; where others are, it was no hexadecimal number.
        letters = "abcdef" if not set(name.lower()) - set("0123456789abcdefx-:") else "abcdefghjkmnpqrstuvwxyz"
        turned = []
        for letter, number in zip(name, digest, strict=False):
            if letter.isdigit():
                turned.append(str(number % 10))
            elif letter.isalpha():
                turned.append(
                    letters[number % len(letters)].upper() if letter.isupper() else letters[number % len(letters)]
                )
            else:
                turned.append(letter)
        return "".join(turned)


class NameText:
    """Replaces names in any text; a name must be learnt before it is known."""

    def __init__(self, key: bytes) -> None:
        self._aliases = {
            HOST: Aliases("host-{}"),
            DOMAIN: Aliases("site-{}.example"),
            # Domains of one word: replaced only behind a machine's name.
            SUFFIX: Aliases("site{}"),
            CLUSTER: Aliases("cluster-{}"),
            USER: Aliases("user-{}"),
            ORGANISATION: Aliases("org-{}"),
            RESOURCE: Aliases("resource-{}"),
            IDENTIFIER: Identifiers(key),
        }
        self._host = re.compile("(?!)")
        self._met: set[tuple[str, str]] = set()

    def learn(self, kind: str, name: str) -> None:
        """Take in a name, short or full."""
        if (kind, name) in self._met:
            return
        self._met.add((kind, name))
        if kind == HOST:
            self._learn_host(name)
        elif kind == SERVICE:
            # A name of two labels is all domain.
            self._take(DOMAIN, name.partition(".")[2] if name.count(".") > 1 else name)
        elif kind == FULL:
            self._learn_full(name)
        else:
            self._take(kind, name)

    def _learn_host(self, name: str) -> None:
        host, _, domain = name.strip(".").partition(".")
        self._take(HOST, host)
        if domain and tells(DOMAIN, domain):
            self._take(DOMAIN if "." in domain else SUFFIX, domain)

    def _learn_full(self, name: str) -> None:
        """A name that is known for one only by how it ends; a numbered machine before it is known by itself too."""
        name = CLUSTER_DOMAIN.sub("", name)
        first, _, rest = name.partition(".")
        is_field = first.lower() in NOT_LABELS and name.rpartition(".")[2] in AMBIGUOUS_ENDS
        if is_field or not tells(DOMAIN, name):
            return
        if first != "ip" and any(letter.isdigit() for letter in first) and not first.isdigit():
            self._learn_host(name)
        elif "." in rest:
            self._take(DOMAIN, rest)
        elif first.lower() not in NOT_LABELS:
            self._take(DOMAIN, name)

    def __len__(self) -> int:
        return sum(len(aliases.learnt) for aliases in self._aliases.values())

    def __iter__(self) -> Iterator[str]:
        """Every name to be looked for."""
        return (name for aliases in self._aliases.values() for name in sorted(aliases.learnt))

    def build_pattern(self) -> str:
        """Matches every known name where it stands as a word, or as a part between dashes or dots."""
        names = {kind: build_alternation(aliases.learnt) for kind, aliases in self._aliases.items() if kind != DOMAIN}
        names[DOMAIN] = build_alternation(name for name in self._aliases[DOMAIN].learnt if not self._is_host(name))
        self._host = re.compile(rf"(?<![a-z0-9]){names[HOST]}(?![a-z0-9])", re.IGNORECASE)
        return (
            rf"(?<![a-z0-9])(?P<name>(?P<user>(?:(?<=/home/)|(?<=/users/)|(?={names[USER]}@)){names[USER]})"
            rf"|(?P<left>(?:[a-z0-9_-]{{1,63}}\.){{0,8}}?)(?P<domain>{names[DOMAIN]})(?!\.\w)"
            rf"|(?P<identifier>{names[IDENTIFIER]})|(?P<resource>{names[RESOURCE]})"
            rf"|(?P<organisation>{names[ORGANISATION]})"
            rf"|(?P<cluster>{names[CLUSTER]})|(?P<host>{names[HOST]})(?:\.(?P<suffix>{names[SUFFIX]}))?)(?![a-z0-9])"
            # Behind a machine that is named after its address.
            rf"|(?<=\d)\.(?P<tail>{names[SUFFIX]})(?!\.?\w)"
        )

    def replace_match(self, found: re.Match[str]) -> str:
        """For a match of the pattern, what goes in its place."""
        if found["tail"]:
            return f".{self._aliases[SUFFIX].find_other(found['tail'])}"
        if found[HOST] and not found[SUFFIX] and not self._aliases[HOST].is_meant(found[HOST]):
            return found[0]
        other = {kind: aliases.find_other(found[kind]) for kind, aliases in self._aliases.items() if found[kind]}
        if DOMAIN in other:
            return self._rename_service(found["left"].rstrip(".")) + other[DOMAIN]
        if SUFFIX in other:
            return f"{other[HOST]}.{other[SUFFIX]}"
        return next(iter(other.values()))

    def replace_here(self, kind: str, name: str) -> str:
        """The other name for one that is replaced only where it was found."""
        return self._aliases[kind].find_other(name)

    def _is_host(self, name: str) -> bool:
        host, _, suffix = name.partition(".")
        return host in self._aliases[HOST].learnt and suffix in self._aliases[SUFFIX].learnt

    def _take(self, kind: str, name: str) -> None:
        if name and tells(DOMAIN if kind == SUFFIX else kind, name):
            self._aliases[kind].learn(name)

    def _rename_service(self, left: str) -> str:
        """What stands before a domain: a machine that is known, something named after one, or another machine."""
        if left.endswith((".svc", ".pod")) or left in ("svc", "pod"):
            return f"{left}."
        hosts = self._aliases[HOST]
        renamed, times = self._host.subn(lambda host: hosts.find_other(host[0]), left)
        return f"{renamed if times else hosts.find_other(left)}." if left else ""


def shorten_to_stems(names: Iterable[str]) -> list[str]:
    """Beginnings of all these names, few enough for a scanner: machines are mostly named alike and numbered."""
    known = list(names)
    for length in STEM_LENGTHS:
        found = sorted({name[:length] for name in known})
        if len(found) <= STEMS:
            break
    return found


def build_alternation(names: Iterable[str]) -> str:
    """A pattern for all these names that takes the longest that fits, and looks at each letter once."""
    root: Branches = {}
    for name in names:
        branch = root
        for letter in name:
            branch = branch.setdefault(letter, {})
        branch[END] = {}
    return _build_branch_pattern(root) if root else "(?!)"


def _build_branch_pattern(branch: Branches) -> str:
    ways = [re.escape(letter) + _build_branch_pattern(rest) for letter, rest in sorted(branch.items()) if letter != END]
    if not ways:
        return ""
    together = ways[0] if len(ways) == 1 and END not in branch else f"(?:{'|'.join(ways)})"
    return f"{together}?" if END in branch else together
