"""Which names inside a directory or an archive are clutter, and which are a trap."""

from __future__ import annotations

from calivet.evidence.expressions import expression

CLUTTER = frozenset(
    (
        ".git .hg .svn .bzr __pycache__ .cache .tox .venv node_modules .mypy_cache .ruff_cache .pytest_cache"
        " __MACOSX .DS_Store Thumbs.db desktop.ini .idea .vscode"
    ).split()
)
ABSOLUTE = expression(r"[/\\]|[A-Za-z]:[/\\]")
SEPARATOR = expression(r"[/\\]")


def is_clutter(name: str) -> bool:
    """Version control, caches and what desktops leave behind: never evidence."""
    return any(part in CLUTTER or part.startswith("._") for part in SEPARATOR.split(name))


def trap(name: str) -> str | None:
    """Why a member of this name is not read: it would lie outside the archive."""
    if ABSOLUTE.match(name):
        return "has an absolute name and is not read"
    if ".." in SEPARATOR.split(name):
        return "has a name that leads out of the archive and is not read"
    return None


def tidy(name: str) -> str:
    """The name as it is shown."""
    return name.removeprefix("./")


def printable(name: str) -> str:
    """A name without bytes that are no text and characters that would act on a terminal."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
