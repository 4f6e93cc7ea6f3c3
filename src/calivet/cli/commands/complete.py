"""__complete: the words that fit at the cursor, as the scripts of `completion` ask for them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

from calivet.cli.command_table import COMMANDS, build_parser, insert_command
from calivet.cli.exits import HEALTHY
from calivet.cli.invocation import find_language
from calivet.cli.parsing.parser import list_actions
from calivet.cli.terminal.output import print_text
from calivet.search.expressions import expression


class Cursor:
    """A command line read up to the cursor, forgivingly: what is typed need not be complete, nor right."""

    def __init__(self, top: argparse.ArgumentParser, words: Sequence[str]) -> None:
        """Walk over the finished words; the last one, perhaps empty, is being typed."""
        *finished, self._word = words or [""]
        self.command = top
        self.lost = False
        """After a word that no command goes by, nothing sensible can follow."""
        self._values: dict[str, Any] = {}
        self._awaiting: argparse.Action | None = None
        self._arguments = 0
        self._dashes_over = False
        for word in finished:
            self._walk_over(word)
        dashed = self._awaiting is None and self._looks_like_option(self._word)
        self._joined = dashed and "=" in self._word
        self.starts_option = dashed and not self._joined
        """The word is an option's name, or the beginning of one."""

    @property
    def wants(self) -> argparse.Action | None:
        """The option or argument whose value is being typed."""
        if self._awaiting is not None:
            return self._awaiting
        return self._find_option(self._word)[0] if self._joined else self._find_argument()

    @property
    def typed(self) -> str:
        """What there is of the candidate: `pro` of `--context=pro`, else the word."""
        return self._word.partition("=")[2] if self._joined else self._word

    def read_options(self) -> argparse.Namespace:
        """What the parser would make of the line so far."""
        defaults = {action.dest: action.default for action in list_actions(self.command)}
        return argparse.Namespace(**(defaults | self._values))

    def _walk_over(self, word: str) -> None:
        if self._awaiting is not None:
            self._note(self._awaiting, word)
            self._awaiting = None
        elif word == "--" and not self._dashes_over:
            self._dashes_over = True
        elif self._looks_like_option(word):
            option, value = self._find_option(word)
            if option is not None and value is not None:
                self._note(option, value)
            elif option is not None and option.nargs != 0:
                self._awaiting = option
        else:
            self._take(word)

    def _take(self, word: str) -> None:
        argument = self._find_argument()
        if argument is None:
            return
        if not isinstance(argument.choices, Mapping):
            self._arguments += 1
        elif word in argument.choices:
            self.command, self._arguments = argument.choices[word], 0
        else:
            self.lost = True

    def _note(self, action: argparse.Action, text: str) -> None:
        value: Any = os.path.expanduser(os.path.expandvars(text))  # noqa: PTH111 - as the shell will do on Enter
        with suppress(argparse.ArgumentTypeError, TypeError, ValueError):
            value = action.type(value) if callable(action.type) else value
        if isinstance(action.default, list):  # an option that may be given again
            value = [*self._values.get(action.dest, []), value]
        self._values[action.dest] = value

    def _looks_like_option(self, word: str) -> bool:
        return word.startswith("-") and not self._dashes_over

    def _find_option(self, word: str) -> tuple[argparse.Action | None, str | None]:
        """The option a word names, in any form that argparse takes, and its value where it stands in the same word."""
        named = {name: action for action in list_actions(self.command) for name in action.option_strings}
        name, equals, value = word.partition("=")
        if name in named:
            return named[name], value if equals else None
        if not word.startswith("--"):
            return named.get(word[:2]), word[2:] or None
        meant = {id(action): action for known, action in named.items() if known.startswith(name)}
        return meant.popitem()[1] if len(meant) == 1 else None, value if equals else None

    def _find_argument(self) -> argparse.Action | None:
        """The argument whose turn it is; the last one may take any number of words."""
        arguments = [action for action in list_actions(self.command) if not action.option_strings]
        if self._arguments < len(arguments):
            return arguments[self._arguments]
        return arguments[-1] if arguments and arguments[-1].nargs in ("*", "+") else None


NODES_DEADLINE = 2.0  # seconds; whoever presses Tab is waiting
# Completion puts it on the command line as it is, and a cluster may call a node `$(reboot)`.
_PLAIN = expression(r"[\w ./:@%+,=-]+")


class Candidate(NamedTuple):
    """A word that fits, and what it is."""

    value: str
    says: str = ""


class Also(IntEnum):
    """What fits beside the candidates, in the numbers that kubectl's completion knows."""

    FILES = 0
    NOTHING = 4
    FOLDERS = 16


ALSO_BY_METAVAR = {
    **dict.fromkeys(("PATH", "KEY=VALUE|PATH", "FILE", "OLD", "NEW"), Also.FILES),
    "DIR": Also.FOLDERS,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The line as far as it is typed."""
    parser.add_argument("words", nargs="*", metavar="WORD")


def run(options: argparse.Namespace) -> int:
    """`calivet __complete -- WORD...`."""
    candidates, also = complete_words(options.words)
    for candidate in candidates:
        print_text("\t".join(part for part in candidate if part) + "\n")
    print_text(f":{also:d}\n")
    return HEALTHY


def complete_words(words: Sequence[str]) -> tuple[list[Candidate], Also]:
    """The candidates for the last word, and what else may stand there."""
    if len(words) > 1:
        return _complete_line(insert_command(words))
    # The first word may become a command, an option of calivet itself, or one of `diagnose`, which need not be named.
    named, _ = _complete_line(words)
    short, also = _complete_line(["diagnose", *words])
    candidates = list(dict.fromkeys(named + short))
    return candidates, Also.NOTHING if candidates else also


def _complete_line(words: Sequence[str]) -> tuple[list[Candidate], Also]:
    finished = next((word for word in words[:-1] if word in COMMANDS), "")
    cursor = Cursor(build_parser(language=find_language(words), only=finished), words)
    if cursor.lost:
        return [], Also.NOTHING
    if cursor.starts_option:
        return _select_candidates(cursor.typed, _list_options(cursor.command)), Also.NOTHING
    if (wanted := cursor.wants) is None:
        return [], Also.NOTHING
    kind = str(wanted.metavar).partition(".")[0]  # FILE of FILE.tar.gz
    values = _list_values(wanted, cursor.read_options())
    return _select_candidates(cursor.typed, values), ALSO_BY_METAVAR.get(kind, Also.NOTHING)


def _select_candidates(start: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Those that begin so; each on one line, with the tab before its description as the only one."""
    fitting = (each for each in candidates if each.value.startswith(start) and _PLAIN.fullmatch(each.value))
    return [Candidate(value, " ".join(says.split())) for value, says in fitting]


def _list_options(command: argparse.ArgumentParser) -> Iterator[Candidate]:
    for action in list_actions(command):
        if action.help != argparse.SUPPRESS:
            says = (action.help or "") % (vars(action) | {"choices": ", ".join(action.choices or ())})
            yield from (Candidate(name, says) for name in action.option_strings)


def _list_values(wanted: argparse.Action, options: argparse.Namespace) -> list[Candidate]:
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


def list_contexts(options: argparse.Namespace) -> Iterator[Candidate]:
    """The contexts of the kubeconfig files; no cluster is asked."""
    from calivet.live.login.kubeconfig import list_default_paths, merge_files

    paths = [Path(options.kubeconfig)] if options.kubeconfig else list_default_paths()
    for name, (_, context) in merge_files(paths).contexts.items():
        yield Candidate(name, context.cluster and f"cluster {context.cluster}")


def list_nodes(options: argparse.Namespace) -> Iterator[Candidate]:
    """The cluster's nodes, where it answers in time."""
    from threading import Thread

    from calivet.cli.inputs.cluster import make_access
    from calivet.live.overview import list_node_names

    names: list[str] = []

    def ask() -> None:
        with suppress(Exception):  # a thread's failure would be printed into the line being typed
            names.extend(list_node_names(make_access(options)))

    # It ends with the process: a cluster that does not answer must not hold up the shell.
    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(NODES_DEADLINE)
    yield from (Candidate(name) for name in tuple(names))


def list_causes(options: argparse.Namespace) -> Iterator[Candidate]:
    """The causes of the catalogue, the user's own among them."""
    from calivet.cli.inputs.knowledge import load_causes

    for cause in load_causes(options.causes).causes.values():
        yield Candidate(cause.id, cause.title.read(options.lang))


def list_incidents(options: argparse.Namespace) -> Iterator[Candidate]:
    """The embedded incidents."""
    from calivet.cli.commands.demo import read_titles

    for name, title in read_titles().items():
        yield Candidate(name, title[options.lang])


SOURCES: dict[str, Callable[[argparse.Namespace], Iterator[Candidate]]] = {
    "cause": list_causes,
    "context": list_contexts,
    "incident": list_incidents,
    "node": list_nodes,
    "ssh": list_nodes,
}
"""By the name an option or argument has in the parsed options."""
