"""Runs commands as they are printed: in bash, in which kubectl and ssh are calivet's, and little else can be started.

So what runs is what the operator has read, and yet every single call is seen, judged, saved and written down before
anything happens. Where calivet ends in the middle, nobody answers any more, and nothing more is changed.
"""

from __future__ import annotations

import base64
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from threading import Event, Thread

import msgspec
from msgspec import Struct

from calivet.evidence.isolated_python import isolate_command
from calivet.fix import shim
from calivet.fix.hosts import Answer
from calivet.messages.command_line import quote_words
from calivet.node.process import Bounds, How, run

TAKEN = ("kubectl", "oc", "k3s", "microk8s", "k0s", "ssh")
"""Calls that calivet answers."""
HARMLESS = (
    "awk base64 cat cut date echo expr false grep head ls mktemp openssl paste ping printf sed seq sleep sort tail test"
    " timeout tr true uniq wc xargs curl bash sh env nc basename dirname"
).split()
"""The programs that the commands of the catalogue read and compute with; none else is found."""
BASH = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash")
MOST_OUTPUT = 64 << 20
LONGEST_FOLDER = 70


class _Asked(Struct):
    program: str
    arguments: list[str]
    given: str


Handler = Callable[[str, list[str], bytes], Answer]


class Shell:
    """Made once; runs many commands, one after another."""

    def __init__(self, interrupted: Event, seconds: float) -> None:
        self._interrupted = interrupted
        self._seconds = seconds

    def run(self, script: str, folder: Path, handler: Handler) -> Answer:
        """Runs it in this folder; every call of kubectl and ssh goes to the handler."""
        with (
            TemporaryDirectory(prefix="calivet-", dir=_find_short_folder()) as place,
            _serve(Path(place) / "socket", handler) as address,
        ):
            _fill_path(Path(place))
            bash = next((path for path in BASH if os.access(path, os.X_OK)), "bash")
            command = [bash, "--norc", "--noprofile", "-c", f"cd -- {quote_words([str(folder)])} && {{\n{script}\n}}"]
            environment = {**_list_meddling(), "PATH": place, "CALIVET_FIX": address}
            bounds = Bounds(time.monotonic() + self._seconds, MOST_OUTPUT)
            ended = run(command, b"", bounds, self._interrupted, environment)
        code = ended.code if ended.how is How.ITSELF else 124
        return Answer(code, ended.out, ended.errors)


def _find_short_folder() -> str:
    """For a socket: the name of one has at most a hundred letters."""
    usual = gettempdir()
    return usual if len(usual) < LONGEST_FOLDER else "/tmp"  # noqa: S108 - what is made in it is private


def _list_meddling() -> dict[str, str]:
    """What of the operator's own surroundings would change what a command means, each as nothing.

    An exported function that is called kubectl would go before calivet's, and nobody would see what it does.
    """
    functions = [name for name in os.environ if name.startswith("BASH_FUNC_")]
    return dict.fromkeys([*functions, "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CDPATH", "GLOBIGNORE", "PS4"], "")


def _fill_path(folder: Path) -> None:
    """The only programs that the command can find by name."""
    for name in TAKEN:
        words = quote_words(isolate_command("-S", shim.__file__, name))
        (folder / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n', "utf-8")
        (folder / name).chmod(0o700)
    for name in HARMLESS:
        if found := shutil.which(name):
            (folder / name).symlink_to(found)


@contextmanager
def _serve(path: Path, handler: Handler) -> Iterator[str]:
    """Within this block calls are answered, one at a time."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(path))
        door.listen()
        closing = Event()
        thread = Thread(target=_answer_all, args=(door, handler, closing), daemon=True)
        thread.start()
        try:
            yield str(path)
        finally:
            closing.set()
            with socket.socket(socket.AF_UNIX) as last:  # wakes the thread up
                last.connect(str(path))
                last.shutdown(socket.SHUT_WR)
                thread.join()


def _answer_all(door: socket.socket, handler: Handler, closing: Event) -> None:
    while not closing.is_set():
        line, _ = door.accept()
        # Whoever asked may have ended, as before a pipe that wants no more; and one who cannot ask gets no answer.
        with line, suppress(OSError, msgspec.MsgspecError, ValueError):
            if asked := _read_all(line):
                line.sendall(_answer(asked, handler))


def _read_all(line: socket.socket) -> bytes:
    parts = []
    while part := line.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def _answer(asked: bytes, handler: Handler) -> bytes:
    call = msgspec.json.decode(asked, type=_Asked)
    answer = handler(call.program, call.arguments, base64.b64decode(call.given))
    tree = {"code": answer.code, "out": base64.b64encode(answer.out).decode(), "errors": answer.errors}
    return msgspec.json.encode(tree)
