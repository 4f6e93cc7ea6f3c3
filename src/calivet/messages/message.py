"""What is said, as a key and its values, until somebody reads it: only then it is put into a language.

A key is `area.name`. The area is a table in a file of `messages/tables`, the name one of its entries, with both
languages side by side. Whoever meets a reason (a file that cannot be read, a server that does not answer) records a
message; whoever shows it knows the language.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Protocol

from msgspec import Struct

from calivet.messages import tables
from calivet.messages.words import Words

VERBATIM = "general.verbatim"


class Readable(Protocol):
    """Words or a message: something that can be read in either language."""

    def read(self, language: str) -> str:
        """The text in this language."""
        ...


class Message(Struct, frozen=True):
    """One sentence or less. Its values are names and figures, or messages themselves."""

    key: str
    values: tuple[tuple[str, str | Message], ...] = ()

    def read(self, language: str) -> str:
        """The text in this language."""
        filled = {name: value if isinstance(value, str) else value.read(language) for name, value in self.values}
        return find_words(self.key).fill(filled).read(language)

    def map(self, change: Callable[[str], str]) -> Message:
        """The same with every name and figure in it changed, as redaction does."""
        pairs = ((name, change(value) if isinstance(value, str) else value.map(change)) for name, value in self.values)
        return Message(self.key, tuple(pairs))

    def __str__(self) -> str:
        """In English, as logs and exceptions have it."""
        return self.read("en")


class MessageError(Exception):
    """Something went wrong, and there is a message that says so to the user."""

    def __init__(self, message: Message) -> None:
        """Keep it as it is."""
        super().__init__(message)
        self.message = message


def message(key: str, /, **values: object) -> Message:
    """The message with this key; numbers get the commas that both languages put between thousands."""
    return Message(key, tuple((name, _format_value(value)) for name, value in values.items()))


def say(key: str, language: str, /, **values: object) -> str:
    """The same, read at once."""
    return message(key, **values).read(language)


class Area(Struct, frozen=True):
    """The words of one area, for those who need no other: called with the name of an entry, as `say` with a key."""

    name: str

    def __call__(self, name: str, language: str, /, **values: object) -> str:
        """The words in this language, their places filled."""
        return say(f"{self.name}.{name}", language, **values)


def make_verbatim(text: str) -> Message:
    """The words of others, which stay as they are in every language."""
    return Message(VERBATIM, (("text", text),)) if text else Message("general.nothing")


def find_reason(error: BaseException) -> Message:
    """Why: as the error itself knows to say it, or in the words that it came with."""
    known = getattr(error, "message", None)
    return known if isinstance(known, Message) else make_verbatim(str(error) or type(error).__name__)


def is_known(message: Message) -> bool:
    """Whether there are words for it: what was stored may come from another version, or from a stranger."""
    area, _, name = message.key.partition(".")
    nested = (value for _, value in message.values if isinstance(value, Message))
    return area in list_areas() and name in load_table(area) and all(map(is_known, nested))


@cache
def list_areas() -> frozenset[str]:
    """The areas that there are."""
    return frozenset(tables.FILES)


def find_words(key: str, /, **values: object) -> Words:
    """The words behind a key in both languages; their places filled where there are values."""
    area, _, name = key.partition(".")
    words = load_table(area)[name]
    if not values:
        return words
    english = {name: _read_value(value, "en") for name, value in values.items()}
    chinese = {name: _read_value(value, "zh") for name, value in values.items()}
    return Words(words.fill(english).en, words.fill(chinese).zh)


@cache
def load_table(area: str) -> dict[str, Words]:
    """All words of an area, by name."""
    module = import_module(f"calivet.messages.tables.{tables.FILES[area]}")
    table: dict[str, Words] = getattr(module, area.upper())
    return table


def _read_value(value: object, language: str) -> str:
    """A value that has words of its own is put in as the language has it."""
    formatted = value if isinstance(value, Words) else _format_value(value)
    return formatted if isinstance(formatted, str) else formatted.read(language)


def _format_value(value: object) -> str | Message:
    if isinstance(value, Message):
        return value
    return f"{value:,}" if isinstance(value, int) else str(value)
