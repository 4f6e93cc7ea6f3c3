"""Takes shell text apart into the commands that it would run, so that each can be shown to its own program's parser.

Not a shell: it knows the shell that the catalogue writes (lists, pipes, loops, quotes, substitutions, here documents).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Words = list[str]

GAP = re.compile(r"<[a-z][a-z0-9 _-]{0,60}>")
_KEYWORDS = {"do", "done", "then", "else", "elif", "fi", "if", "while", "until", "!", "{", "}", "time", "exec"}
_WRAPPERS = {"sudo", "nohup", "command", "xargs", "env", "nsenter", "chroot"}
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_REDIRECTION = re.compile(r"(?:\d|&)?(?:>>?|<)(?:&\d)?")
_HERE = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")


def fill_gaps(command: str) -> str:
    """The command as if somebody had filled in what calivet could not."""
    return GAP.sub("gap", command)


def list_commands(text: str) -> Iterator[Words]:
    """The words of each command in it, also of those that other commands are given to run."""
    for words in _Scanner(_drop_documents(text)).scan():
        yield from _unwrap(words)


def find_dead_lookup(text: str) -> str:
    """A lookup of calivet's that stands in single quotes, where no shell does it; empty where there is none."""
    quote = ""
    for place, character in enumerate(text):
        if quote == "'" and text.startswith(("$(kubectl get ", "$(kubectl -n "), place):
            return text[place : place + 60]
        if character in "'\"" and text[place - 1 : place] != "\\":
            quote = "" if quote == character else quote or character
    return ""


def _drop_documents(text: str) -> str:
    """Without here documents, which are no shell."""
    while found := _HERE.search(text):
        end = re.compile(rf"^\s*{found[2]}\s*$", re.MULTILINE).search(text, found.end())
        start = text.find("\n", found.end())
        rest = text[end.end() :] if end else ""
        text = text[: found.start()] + (text[found.end() : start] if start >= 0 else "") + rest
    return text


def _unwrap(words: Words) -> Iterator[Words]:
    """The command, or what it is given to run."""
    while words and (words[0] in _KEYWORDS or _ASSIGNMENT.fullmatch(words[0])):
        words = words[1:]
    if not words or words[0] in ("for", "case"):
        return
    program = words[0]
    if program == "timeout":
        yield from _unwrap(words[2:])
    elif program in _WRAPPERS:
        yield from _unwrap(_skip_options(words[1:]))
    elif program == "ssh":
        yield from list_commands(" ".join(_skip_options(words[1:])[1:]))
    elif program in ("sh", "bash") and "-c" in words:
        yield from list_commands(words[words.index("-c") + 1])
    else:
        yield words
        if "--" in words and program in ("kubectl", "oc"):
            yield from _unwrap(words[words.index("--") + 1 :])


def _skip_options(words: Words) -> Words:
    """What stands after the options; those that the catalogue gives a value have it in the next word."""
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in ("-o", "-n", "-I", "-t", "-u", "-i", "-p", "-l") else words[1:]
    return words


class _Scanner:
    """Goes through the text once; each substitution is scanned by one of its own."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.inner: list[Words] = []

    def scan(self) -> list[Words]:
        """All commands up to the end of the text."""
        commands: list[Words] = [[]]
        while self.place < len(self.text):
            character = self.text[self.place]
            if character in ";&|\n()" and not self.text.startswith("&>", self.place):
                self.place += 1
                commands.append([])
            elif character in " \t":
                self.place += 1
            elif character == "#":
                self.place = _find(self.text, "\n", self.place)
            elif found := _REDIRECTION.match(self.text, self.place):
                self.place = found.end()
                self._skip_blanks()
                if not found[0].endswith(("&1", "&2")):
                    self._word()
            else:
                commands[-1].append(self._word())
        return [words for words in (*commands, *self.inner) if words]

    def _skip_blanks(self) -> None:
        while self.text[self.place : self.place + 1] in (" ", "\t"):
            self.place += 1

    def _word(self) -> str:
        """The next word, without its quotes."""
        word = ""
        while self.place < len(self.text) and self.text[self.place] not in " \t\n;&|()<>":
            word += self._piece()
        return word

    def _piece(self) -> str:
        character = self.text[self.place]
        if character == "'":
            end = _find(self.text, "'", self.place + 1)
            piece, self.place = self.text[self.place + 1 : end], end + 1
            return piece
        if character == '"':
            return self._quoted()
        if character == "\\":
            piece, self.place = self.text[self.place + 1 : self.place + 2], self.place + 2
            return piece
        if self.text.startswith("$(", self.place):
            return self._substitution()
        self.place += 1
        return character

    def _quoted(self) -> str:
        self.place += 1
        word = ""
        while self.place < len(self.text) and self.text[self.place] != '"':
            character = self.text[self.place]
            if character == "\\" and self.text[self.place + 1 : self.place + 2] in ('"', "\\", "$", "`"):
                word += self.text[self.place + 1]
                self.place += 2
            elif self.text.startswith("$(", self.place):
                word += self._substitution()
            elif self.text.startswith("${", self.place):
                word += self._parameter()
            else:
                word += character
                self.place += 1
        self.place += 1
        return word

    def _parameter(self) -> str:
        """Stands for one word, too."""
        self.place = _find(self.text, "}", self.place) + 1
        return "substituted"

    def _substitution(self) -> str:
        """Stands for one word; the commands inside are kept."""
        start, depth, self.place = self.place + 2, 1, self.place + 2
        while self.place < len(self.text) and depth:
            character = self.text[self.place]
            if character in "'\"\\":
                self._piece()
                continue
            depth += {"(": 1, ")": -1}.get(character, 0)
            self.place += 1
        self.inner += _Scanner(self.text[start : self.place - 1]).scan()
        return "substituted"


def _find(text: str, character: str, start: int) -> int:
    place = text.find(character, start)
    return place if place >= 0 else len(text)
