"""Where the cursor stands on a command line: in which command, and whose value is being typed."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from calivet.cli.parsing.parser import list_actions


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
