"""Names inside a directory or an archive: which are clutter, which are a trap, and how calivet makes its own."""

from __future__ import annotations

import re

from calivet.messages.message import Message, message
from calivet.search.expressions import expression

CLUTTER = frozenset(
    (
        ".git .hg .svn .bzr __pycache__ .cache .tox .venv node_modules .mypy_cache .ruff_cache .pytest_cache"
        " __MACOSX .DS_Store Thumbs.db desktop.ini .idea .vscode"
    ).split()
)
LONGEST = 4096
"""Characters of a name, as Linux has it."""
SHOWN = 1024
CLUTTERED = expression(r"(?:^|[/\\])(?:\._|(?:" + "|".join(map(re.escape, sorted(CLUTTER))) + r")(?:[/\\]|$))")
ABSOLUTE = expression(r"[/\\]|[A-Za-z]:[/\\]")
SEPARATOR = expression(r"[/\\]")
_NOT_IN_A_NAME = expression(r"[^A-Za-z0-9._+@=-]")
# What some system takes for a device, for a folder, for something hidden or for an option.
_NOT_A_NAME = expression(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|\..*|-.*|.*\.|")
LONGEST_PART = 120


def is_clutter(name: str) -> bool:
    """Version control, caches and what desktops leave behind: never evidence."""
    return CLUTTERED.search(name, 0, LONGEST) is not None


def find_trap(name: str) -> Message | None:
    """Why a member of this name is not read: it would lie outside the archive, or on no disk at all."""
    if len(name) > LONGEST:
        return message("archive.name.long", limit=LONGEST)
    if ABSOLUTE.match(name):
        return message("archive.name.absolute")
    if ".." in SEPARATOR.split(name):
        return message("archive.name.outside")
    return None


def clean_name(name: str) -> str:
    """The name as it is shown."""
    return name.removeprefix("./")


def make_printable(name: str) -> str:
    """A name without bytes that are no text and characters that would act on a terminal, and of bearable length."""
    if len(name) > SHOWN:
        name = f"{name[:SHOWN]}…"
    if name.isprintable():
        return name
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def build_member_name(*parts: str) -> str:
    """The name of a file in a bundle, of parts that others have named: none of them leads anywhere else."""
    return "/".join(map(_clean_part, parts))


def make_names_distinct(names: list[str]) -> list[str]:
    """The same names, made safe; where two would be one file, on whichever system, the later one has a number."""
    taken: set[str] = set()
    found: list[str] = []
    for name in names:
        safe = first = build_member_name(*SEPARATOR.split(name))
        number = 1
        while safe.lower() in taken:
            number += 1
            stem, dot, ending = first.rpartition(".")
            safe = f"{stem}-{number}{dot}{ending}" if dot and "/" not in ending else f"{first}-{number}"
        taken.add(safe.lower())
        found.append(safe)
    return found


def _clean_part(text: str) -> str:
    safe = _NOT_IN_A_NAME.sub("_", text)
    if _NOT_A_NAME.fullmatch(safe):
        safe = f"_{safe.rstrip('.')}"
    if len(safe) <= LONGEST_PART:
        return safe
    from hashlib import sha256

    ending = safe[-10:][safe[-10:].find(".") :] if "." in safe[-10:] else ""
    return f"{safe[: LONGEST_PART - 30]}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}{ending}"
