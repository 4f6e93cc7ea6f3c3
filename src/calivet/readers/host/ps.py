"""Processes: `ps aux`, `ps -ef`, `pgrep -a` and the small `ps` of containers; whether the programs that matter run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Scalar, Setting
from calivet.readers.command import list_output_lines, search_command
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SHARED, SPEAKER, Subjects, find_subjects
from calivet.search.expressions import expression

_ROWS = (
    expression(
        rf"^\s*{SPEAKER}\S+\s+\d+\s+[\d.]+\s+[\d.]+\s+\d+\s+\d+\s+\S+\s+(?P<state>[A-Z]\S*)\s+\S+\s+[\d:]+\s+(?P<command>\S.*)$"
    ),
    expression(rf"^\s*{SPEAKER}\S+\s+\d+\s+\d+\s+\d+\s+\S+\s+\S+\s+(?:\d+-)?[\d:]+\s+(?P<command>\S.*)$"),
    expression(r"^\s*\d+\s+\S+\s+(?:\S+\s+[RSDZTI]\w*\s+)?\d+:\d\d\s+(?P<command>\S.*)$"),
    expression(r"^\s*\d+\s+(?:\?|tty\w+|pts/\d+|console)\s+(?P<state>[A-Z]\S*)\s+\d+:\d\d\s+(?P<command>\S.*)$"),
    expression(r"^\s*\d+ (?P<command>/?\S*(?:kubelet|containerd|dockerd|crio|bird6?|calico-\S+)(?: .*)?)$"),
)
_PROGRAMS = {
    "kubelet": "kubelet",
    "containerd": "containerd",
    "docker-containerd": "containerd",
    "dockerd": "docker",
    "dockerd-current": "docker",
    "crio": "crio",
    "bird": "bird",
    "bird6": "bird6",
    "calico-felix": "felix",
    "confd": "confd",
    "calico-typha": "typha",
    "kube-proxy": "kube-proxy",
    "k3s": "k3s",
    "rke2": "rke2",
}
_NAMES = "kubelet|containerd|dockerd|crio|calico|bird|confd|kube-proxy|k3s|rke2"
_CALICO_NODE_PART = expression(r"\s-(felix|confd|bird|monitor-addresses|allocate-tunnel-addrs)\b")
# Stopped by a signal, or waiting for something that no signal interrupts.
_HALTED = ("T", "D")
_SEARCH = expression(
    r"(?:^|[;&(]|\bsudo)\s*ps\s.*?\|\s*grep\s+(?:-\w+\s+)*['\"]?(?P<word>[\w-]+)['\"]?\s*(?:\|\s*grep\s+-v\s+['\"]?grep['\"]?\s*)?$"
)


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One setting for each program seen; a search that found only itself says that the program does not run."""
    reading = Reading()
    machines = find_subjects(artifact)
    seen: set[tuple[str | None, str]] = set()
    for index in anchors:
        row = _parse_row(artifact.lines[index])
        program = _find_program(row["command"]) if row else None
        if not row or not program:
            continue
        reading.claim(index, index + 1)
        host = machines.at(index, row.groupdict().get("speaker"))
        if (host, program) not in seen:
            seen.add((host, program))
            reading.facts += _find_setting(artifact, index, host, program, running=True)
        if (state := (row.groupdict().get("state") or "")[:1]) in _HALTED:
            reading.facts += _find_setting(artifact, index, host, program, state=state)
    _read_vain_search(artifact, machines, reading)
    return reading


def _parse_row(line: str) -> re.Match[str] | None:
    return next((found for pattern in _ROWS if (found := pattern.match(line))), None)


def _find_program(command: str) -> str | None:
    words = command.split()
    if words[0].startswith("[") or command.endswith("<defunct>"):
        return None
    # k3s and rke2 name their processes by role: "/usr/local/bin/k3s server".
    name = basename(words[0].rstrip(":"))
    if name in ("calico-node", "calico") and (part := _CALICO_NODE_PART.search(command)):
        return part[1]
    return "calico-node" if name == "calico-node" else _PROGRAMS.get(name)


def _read_vain_search(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    search = search_command(artifact, _SEARCH)
    if not search or reading.facts:
        return
    program = _PROGRAMS.get(search["word"])
    rows = [(index, _parse_row(text)) for index, text in list_output_lines(artifact)]
    if program and all(row and "grep" in row["command"].split()[0] for _, row in rows):
        index = rows[0][0] if rows else 0
        reading.facts += _find_setting(artifact, index, machines.at(index), program, running=False)
        reading.claim(index, index + 1)


def _find_setting(artifact: Artifact, index: int, host: str | None, program: str, **told: Scalar) -> Iterator[Setting]:
    for key, value in told.items():
        yield Setting(at=artifact.at(index), host=host, program=program, key=key, value=value)


READER = Reader(
    kind="processes",
    anchor=expression(
        rf"^(?:{FRONT}(?:\S+\s+\d+\s+[\d.]+\s+[\d.]+\s+\S|\d+\s+\S+\s+(?:\S+\s+){{0,2}}\d+:\d\d\s).*(?:{_NAMES})"
        rf"|\s*\d+ /?\S*(?:{_NAMES})|{SHARED}|.*ps\s[^|]*\|\s*grep)"
    ),
    read=read,
)
