"""Completion: the words that fit at the cursor, and the scripts that make a shell ask for them.

The parser itself is asked, so that a new option completes as soon as it exists. The answer has the form that kubectl
expects of a plugin: a line for each candidate, a tab before its description, and a last line that says what else fits.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path

from calivet.cli.arguments import parser
from calivet.cli.candidates import SOURCES, Candidate
from calivet.cli.commands import with_command
from calivet.cli.cursor import Cursor, actions
from calivet.cli.speaking import spoken

SHELLS = Path(__file__).parent / "shells"


class Also(IntEnum):
    """What fits beside the candidates, in the numbers that kubectl's completion knows."""

    FILES = 0
    NOTHING = 4
    FOLDERS = 16


ALSO_BY_METAVAR = {
    **dict.fromkeys(("PATH", "KEY=VALUE|PATH", "FILE", "OLD", "NEW"), Also.FILES),
    "DIR": Also.FOLDERS,
}


def run_completion(options: argparse.Namespace) -> int:
    """`calivet completion SHELL`."""
    sys.stdout.write((SHELLS / options.shell).read_text(encoding="utf-8"))
    return 0


def run_complete(options: argparse.Namespace) -> int:
    """`calivet __complete -- WORD...`: what the scripts ask."""
    candidates, also = completed(options.words)
    for candidate in candidates:
        print("\t".join(part for part in candidate if part))
    print(f":{also:d}")
    return 0


def complete_for_kubectl() -> int:
    """The entry of `kubectl_complete-calivet`, which kubectl runs with the words that follow `kubectl calivet`."""
    from calivet.cli.main import main

    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())  # a program that fetches credentials must not ask now
    return main(["__complete", "--", *sys.argv[1:]])


def completed(words: Sequence[str]) -> tuple[list[Candidate], Also]:
    """The candidates for the last word, and what else may stand there."""
    if len(words) > 1:
        return _completed(with_command(words))
    # The first word may become a command, an option of calivet itself, or one of `diagnose`, which need not be named.
    named, _ = _completed(words)
    short, also = _completed(["diagnose", *words])
    candidates = list(dict.fromkeys(named + short))
    return candidates, Also.NOTHING if candidates else also


def _completed(words: Sequence[str]) -> tuple[list[Candidate], Also]:
    cursor = Cursor(parser(language=spoken(words)), words)
    if cursor.lost:
        return [], Also.NOTHING
    if cursor.starts_option:
        return _beginning(cursor.typed, _options(cursor.command)), Also.NOTHING
    if (wanted := cursor.wants) is None:
        return [], Also.NOTHING
    kind = str(wanted.metavar).partition(".")[0]  # FILE of FILE.tar.gz
    return _beginning(cursor.typed, _values(wanted, cursor.options())), ALSO_BY_METAVAR.get(kind, Also.NOTHING)


def _beginning(start: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Those that begin so; each on one line, with the tab before its description as the only one."""
    fitting = (each for each in candidates if each.value.startswith(start) and each.value.isprintable())
    return [Candidate(value, " ".join(says.split())) for value, says in fitting]


def _options(command: argparse.ArgumentParser) -> Iterator[Candidate]:
    for action in actions(command):
        if action.help != argparse.SUPPRESS:
            says = (action.help or "") % (vars(action) | {"choices": ", ".join(action.choices or ())})
            yield from (Candidate(name, says) for name in action.option_strings)


def _values(wanted: argparse.Action, options: argparse.Namespace) -> list[Candidate]:
    if isinstance(wanted, argparse._SubParsersAction):  # noqa: SLF001 - commands and their help are kept nowhere else
        return [Candidate(command.dest, command.help or "") for command in wanted._choices_actions]  # noqa: SLF001
    if wanted.choices is not None:
        return [Candidate(str(choice)) for choice in wanted.choices]
    if wanted.dest not in SOURCES:
        return []
    try:
        return list(SOURCES[wanted.dest](options))
    except Exception:  # noqa: BLE001 - whatever is wrong, the line being typed must stay undisturbed
        return []
