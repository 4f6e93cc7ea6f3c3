"""The one table of commands: which of them is meant, and the parser of their arguments."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from stat import S_ISDIR, S_ISREG
from typing import Protocol, cast

from calivet import __version__
from calivet.cli.parsing.parser import Parser, translate_help

COMMANDS = (
    "diagnose",
    "node",
    "demo",
    "fix",
    "diff",
    "whatif",
    "preflight",
    "status",
    "collect",
    "access",
    "causes",
    "explain",
    "eval",
    "fleet",
    "fleet-report",
    "completion",
    "__complete",
)
"""In the order in which help lists them; each is a module of `commands`, imported only when it is called."""
_OWN_OPTIONS = ("-h", "--help", "--version")


class CommandModule(Protocol):
    """What the module of a command holds."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """All that the command takes, without importing what only its run needs."""

    def run(self, options: argparse.Namespace) -> int:
        """Do it; the exit code."""


def load_command(name: str) -> CommandModule:
    """Import only what the command needs: cold start matters."""
    module = name.strip("_").replace("-", "_")
    return cast("CommandModule", import_module(f"calivet.cli.commands.{module}"))


def build_parser(program: str = "calivet", language: str = "en", only: str | None = None) -> argparse.ArgumentParser:
    """All commands and their options, explained in this language.

    Where one command is named it is that one alone; where `only` names none, no command's options are needed.
    """
    top = Parser(prog=program, description="help.program", epilog="help.program.exits")
    top.add_argument("--version", action="version", version=f"calivet {__version__}")
    commands = top.add_subparsers(prog=program, dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name in (only,) if only in COMMANDS else COMMANDS:
        if name.startswith("__"):  # the shells ask it; without help it is not listed
            parser = commands.add_parser(name)
        else:
            parser = commands.add_parser(name, help=f"help.{name.replace('-', '.')}")
        if only in (None, name):
            load_command(name).add_arguments(parser)
    translate_help(top, language)
    return top


def insert_command(arguments: Sequence[str]) -> list[str]:
    """`calivet`, `calivet --context X` and `calivet FILE` are short for `calivet diagnose ...`.

    `fleet report` is one command in two words; and options may stand before a command, as in `--lang zh status`.
    """
    if list(arguments[:2]) == ["fleet", "report"]:
        return ["fleet-report", *arguments[2:]]
    place = _find_command(arguments)
    if place:
        return [arguments[place], *arguments[:place], *arguments[place + 1 :]]
    first = next(iter(arguments), "-")
    option = first.startswith("-") and first not in _OWN_OPTIONS
    # No command has a dot in its name: what has one is a file, and where it is missing that is what to say.
    file = first not in COMMANDS and (os.sep in first or "." in first or _is_file(first))
    return ["diagnose", *arguments] if option or file else list(arguments)


def _find_command(arguments: Sequence[str]) -> int | None:
    """Where a command stands behind options: no file goes by its name, and it is not the value of an option."""
    if not arguments or not arguments[0].startswith("-"):
        return None
    for place, (before, word) in enumerate(pairwise(arguments), 1):
        is_value = before.startswith("-") and "=" not in before
        if word in COMMANDS and not is_value and not _is_file(word):
            return place
    return None


def _is_file(name: str) -> bool:
    """A file or a folder; also where the file system does not answer: whoever reads it will say so."""
    from calivet.evidence.sources import file_system
    from calivet.evidence.sources.mounts import HangingError, read_mounts

    mounted = read_mounts()
    ask = mounted.find_asker(mounted.place(name))
    try:
        mode = ask(file_system.read_mode, ask(file_system.resolve_target, name))
    except HangingError:
        return True
    except (OSError, ValueError):
        return False
    return S_ISREG(mode) or S_ISDIR(mode)
