"""Where a file of an archive comes from: the command it is the output of, and the machine, told by its path."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.evidence.layouts import CLUSTER_PATHS, START
from calivet.evidence.layouts_of_machines import FOLDERS, MACHINE_PATHS

PROMPT = "$ "
_SOS_COMMAND = expression(rf"{START}sos_commands/(?:[^/]+/)+(?P<mangled>[^/]+)$")
# sos writes a command's name with every other character than these turned to `_`, and `/` to `.`.
_SOS_WORDS = (
    ("--all-namespaces=true", expression(r"--all-namespaces_true(?=_|$)")),
    ("", expression(r"_--kubeconfig_\.\S+?(?=_(?:get|describe|logs|version|--namespace)_)")),
)
_FIRST_FOLDER = expression(re.escape(START) + r"(?P<folder>[\w-]+)/")
_TOLD_BESIDE = expression(rf"{START}host-collectors/(?:run-host|journald)/(?:[^/]+/)?[^/]+\.txt$")


class Origin(Struct, frozen=True):
    """What the path tells. The file is a program's output as a whole: nothing in it is cut or taken for prose."""

    command: str | None = None
    host: str | None = None
    root: str = ""
    """The path up to where the collector's own layout begins: all below is from one run of it."""


def origin(path: str) -> Origin | None:
    """The origin of a file in a layout that is known."""
    if found := _SOS_COMMAND.search(path):
        return Origin(_unmangled(found["mangled"]), root=path[: found.start()])
    if found := _TOLD_BESIDE.search(path):
        return Origin(root=path[: found.start()])
    folder, _, file = path.rpartition("/")
    for shape, files in _folders():
        if file in files and (found := shape.search(f"{folder}/")):
            return Origin(files[file], found.groupdict().get("host"), path[: found.start()])
    folders = frozenset(folder.split("/"))
    for first, shape, command in _paths():
        if (first is None or first in folders) and (found := shape.search(path)):
            groups = found.groupdict()
            return Origin(command.format_map(groups), groups.get("host"), path[: found.start()])
    return None


def prompted(origin: Origin, lines: list[str]) -> tuple[int, list[str]]:
    """The lines under a prompt with the command, as if a person had run it, and the number of the first one."""
    return (0, [PROMPT + origin.command, *lines]) if origin.command else (1, lines)


def _unmangled(name: str) -> str:
    for text, mangled in _SOS_WORDS:
        name = mangled.sub(text, name)
    return name.replace("_", " ")


@cache
def _folders() -> list[tuple[re.Pattern[str], dict[str, str]]]:
    return [(expression(folder), files) for folder, files in FOLDERS]


@cache
def _paths() -> list[tuple[str | None, re.Pattern[str], str]]:
    """With the folder that each path begins with, where it is always the same: most need no closer look."""
    rows = (*CLUSTER_PATHS, *MACHINE_PATHS)
    firsts = [_FIRST_FOLDER.match(shape) for shape, _ in rows]
    named = [first["folder"] if first else None for first in firsts]
    return [(first, expression(shape), command) for first, (shape, command) in zip(named, rows, strict=True)]
