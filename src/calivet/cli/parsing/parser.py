"""argparse in the reader's language: help is put into it from keys, and wrong usage is recognised and said in it."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NoReturn

from calivet.cli.exits import USAGE
from calivet.messages.message import Message, find_words, make_verbatim, message, say
from calivet.reports.layout.wrapping import wrap_text
from calivet.search.expressions import expression

HELP_OF_ARGPARSE = {
    "positional arguments": "help.argparse.positional",
    "options": "help.argparse.options",
    "show this help message and exit": "help.argparse.help",
    "show program's version number and exit": "help.argparse.version",
}
"""What argparse itself says, which is English alone."""
_ARGUMENT = expression(r"argument (.+?): (.+)")
ERRORS_OF_ARGPARSE = [
    (expression(said), key)
    for said, key in (
        (r"unrecognized arguments: (?P<what>.+)", "unrecognized"),
        (r"the following arguments are required: (?P<what>.+)", "required"),
        (r"ambiguous option: (?P<what>.+) could match (?P<known>.+)", "ambiguous"),
        (r"not allowed with argument (?P<what>.+)", "not_allowed"),
        (r"ignored explicit argument (?P<what>.+)", "ignored"),
        (r"expected one argument", "one"),
        (r"expected at least one argument", "at_least_one"),
        (r"expected (?P<what>\d+) arguments?", "count"),
        (r"invalid choice: (?P<what>.+?),? \(?(?:choose from|maybe you meant) (?P<known>.+?)\)?", "choice"),
        (r"invalid choice: (?P<what>.+)", "choice.none"),
        (r"invalid \S+ value: (?P<what>.+)", "value"),
    )
]

_NO_COMMAND = expression(r"argument COMMAND: invalid choice: '(?P<what>.{0,80})',? \((?:choose from) (?P<known>.+)\)")
_NAMESPACES = expression(r"unrecognized arguments: (?:-n|-A|--namespace|--all-namespaces)(?:[ =].*)?")


class Formatter(argparse.HelpFormatter):
    """As wide as the terminal, which argparse would ask anew for each option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_measure_width())


@cache
def _measure_width() -> int:
    try:
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns) - 2
    except (OSError, ValueError):
        return 78


class ChineseFormatter(argparse.HelpFormatter):
    """Breaks lines where Chinese may be broken, by the columns that it takes."""

    def add_usage(self, usage: str | None, actions: object, groups: object, prefix: str | None = None) -> None:
        """With the Chinese word in front."""
        super().add_usage(usage, actions, groups, prefix or "用法：")  # type: ignore[arg-type]

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap_text(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrap_text(text, width - len(indent)))


class Parser(argparse.ArgumentParser):
    """Usage errors have an exit code of their own, and help has the reader's language."""

    language = "en"

    def __init__(self, **settings: Any) -> None:
        """With the formatter of this program."""
        super().__init__(**{"formatter_class": Formatter, **settings})

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """What is left over is the command's to complain of: its help tells what it takes."""
        options, left_over = self.parse_known_args(args, namespace)
        if left_over:
            commands = {parser.prog: parser for parser in list_parsers(self)}
            command = commands.get(f"{self.prog} {getattr(options, 'command', '')}", self)
            command.error(f"unrecognized arguments: {' '.join(left_over)}")
        return options

    def error(self, message: str) -> NoReturn:
        """One line, and where to read on."""
        from calivet.cli.terminal.output import clean_message

        shown = explain_usage_error(message, self.prog, self.language)
        self.exit(USAGE, clean_message(f"{self.prog}: {shown}") + "\n")


def translate_help(top: argparse.ArgumentParser, language: str) -> None:
    """Everything that this parser and those of its commands say of themselves; where it is written, it is a key."""

    def read(key: str | None) -> str | None:
        return find_words(HELP_OF_ARGPARSE.get(key, key)).read(language) if key else key

    for parser in list_parsers(top):
        if language == "zh":
            parser.formatter_class = ChineseFormatter
        if isinstance(parser, Parser):
            parser.language = language
        parser.description, parser.epilog = read(parser.description), read(parser.epilog)
        for group in parser._action_groups:  # noqa: SLF001 - argparse shows them in no other way
            group.title = read(group.title)
        for action in list_explained_actions(parser):
            action.help = read(action.help)


def list_parsers(top: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser itself and those of its commands."""
    yield top
    for action in list_actions(top):
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            yield from action.choices.values()


def list_explained_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Options, arguments and commands: all that may have a help text."""
    for action in list_actions(parser):
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            yield from action._choices_actions  # noqa: SLF001 - as above


def list_actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """A command's options and arguments."""
    return parser._actions  # noqa: SLF001 - as above


def explain_usage_error(said: str, program: str, language: str) -> str:
    """One line, and where to read on. What argparse says is not said otherwise in its own language."""
    own = _find_better_words(said)
    shown = said if language == "en" and not own else (own or recognise_usage_error(said)).read(language)
    return shown + say("usage.try", language, command=f"{program} --help")


def _find_better_words(said: str) -> Message | None:
    """For what people type most often by mistake: a command that is misspelt, and namespaces as kubectl wants them."""
    if typed := _NO_COMMAND.fullmatch(said):
        from difflib import get_close_matches

        known = [name for name in re.findall(r"'([^']+)'", typed["known"]) if not name.startswith("_")]
        near = get_close_matches(typed["what"], known, n=1)
        key = "usage.command.near" if near else "usage.command"
        return message(key, what=typed["what"], near=near[0] if near else "", known=", ".join(known))
    return message("usage.namespace") if _NAMESPACES.fullmatch(said) else None


def recognise_usage_error(said: str) -> Message:
    """What argparse says as a message; what is not known stays as it is."""
    if about := _ARGUMENT.fullmatch(said):
        return message("usage.argument", name=about[1], why=_find_own_message() or recognise_usage_error(about[2]))
    for pattern, key in ERRORS_OF_ARGPARSE:
        if found := pattern.fullmatch(said):
            return message(f"usage.{key}", **found.groupdict())
    return make_verbatim(said)


def _find_own_message() -> Message | None:
    """The message of whoever read the value, of which argparse has kept the English alone."""
    failure = sys.exception()
    told = getattr(failure.__context__, "message", None) if failure else None
    return told if isinstance(told, Message) else None
