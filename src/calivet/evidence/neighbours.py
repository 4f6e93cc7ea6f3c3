"""What the files of one archive tell about each other: the machine's name stands in one, the command of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.evidence.origins import PROMPT, origin

# Commands whose output is the machine's own name.
_NAMING = frozenset(("hostname", "cat /etc/hostname", "support-bundle hostCollectors/hostOS"))
# Of a support bundle only this part is about the machine on which it was made.
_LOCAL_PART = expression(r"^(?:.*/)?host-collectors/")
_NAME = expression(r'^(?:\s*"name": ?")?(?P<name>(?!localhost\b)[A-Za-z0-9][\w.-]*)"?,?\s*$')
_TOLD = expression(r'"command": ?"(?P<command>[^"]+)"')
_PROGRAM_PATH = expression(r"^/(?:\S+/)?(?=[\w.-]+(?:\s|$))")
_NODE_COLUMN = expression(r"^NAME(?:SPACE)?\s.*\sNODE(?:\s|$)")
_DESCRIBED = expression(r"^kubectl describe pod .*?(?P<pod>\S+)$")
_DESCRIBED_NODE = expression(r"^Node:\s+(?P<node>[\w.-]+)/")


def name_commands(artifacts: Sequence[Artifact]) -> None:
    """troubleshoot.sh writes beside the output of a command which one it was."""
    told = {artifact.name: artifact for artifact in artifacts if artifact.name.endswith("-info.json")}
    for artifact in artifacts if told else ():
        info = told.get(f"{artifact.name.removesuffix('.txt')}-info.json")
        found = _TOLD.search("\n".join(info.lines)) if info and artifact.command is None else None
        if found:
            artifact.command = _PROGRAM_PATH.sub("", found["command"])
            artifact.first, artifact.lines = 0, [PROMPT + artifact.command, *artifact.lines]


def machines(artifacts: Sequence[Artifact]) -> dict[str, str]:
    """The machine that all files below a path come from, by that path."""
    found: dict[str, str] = {}
    for artifact in artifacts:
        if artifact.first == 0 and artifact.command in _NAMING and artifact.host is None:
            named = next(filter(None, map(_NAME.match, artifact.lines[1:])), None)
            if named:
                found.setdefault(_root(artifact.name), named["name"])
    return found


def _root(path: str) -> str:
    if part := _LOCAL_PART.match(path):
        return part[0]
    source = origin(path)
    return f"{source.root}/" if source and source.root else ""


def machine_of(path: str, by_root: dict[str, str]) -> str | None:
    """The machine of the nearest root above this path."""
    while by_root and path:
        path = path[: path.rstrip("/").rfind("/") + 1]
        if path in by_root:
            return by_root[path]
    return None


def pod_nodes(artifacts: Sequence[Artifact]) -> dict[str, str]:
    """The node of each pod, as tables and describe pages show it."""
    return {pod: node for artifact in artifacts if not artifact.prose for pod, node in _pods_shown(artifact)}


def _pods_shown(artifact: Artifact) -> Iterator[tuple[str, str]]:
    if described := _DESCRIBED.match(artifact.command or ""):
        if found := next(filter(None, map(_DESCRIBED_NODE.match, artifact.lines)), None):
            yield described["pod"], found["node"]
        return
    column = -1
    for line in artifact.lines:
        if _NODE_COLUMN.match(line):
            column = line.index(" NODE") + 1
        elif not line:
            column = -1
        elif 0 < column < len(line):
            for word in line.split()[:2]:
                yield word.removeprefix("pod/"), line[column:].split()[0]
