"""Names the machine of artifacts that have no prompt: from file names, directories and labels, with care."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from calivet.evidence.artifact import Artifact
from calivet.evidence.layouts.origins import PROMPT, find_origin
from calivet.search.expressions import expression

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


def find_machines(artifacts: Sequence[Artifact]) -> dict[str, str]:
    """The machine that all files below a path come from, by that path."""
    found: dict[str, str] = {}
    for artifact in artifacts:
        if artifact.first == 0 and artifact.command in _NAMING and artifact.host is None:
            named = next(filter(None, map(_NAME.match, artifact.lines[1:])), None)
            if named:
                found.setdefault(_find_root(artifact.name), named["name"])
    return found


def _find_root(path: str) -> str:
    if part := _LOCAL_PART.match(path):
        return part[0]
    source = find_origin(path)
    return f"{source.root}/" if source and source.root else ""


def find_machine(path: str, by_root: dict[str, str]) -> str | None:
    """The machine of the nearest root above this path."""
    while by_root and path:
        path = path[: path.rstrip("/").rfind("/") + 1]
        if path in by_root:
            return by_root[path]
    return None


def find_pod_nodes(artifacts: Sequence[Artifact]) -> dict[str, str]:
    """The node of each pod, as tables and describe pages show it."""
    return {pod: node for artifact in artifacts if not artifact.prose for pod, node in _list_pods_shown(artifact)}


def _list_pods_shown(artifact: Artifact) -> Iterator[tuple[str, str]]:
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


Labelled = tuple[Artifact, str | None]
"""An artifact and the name that a header or the line before it gives it."""

LOOKED_AT = 400
JOURNAL = expression(
    r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*)"
    r" (?P<host>[A-Za-z][\w.-]*) [\w./@-]+(?:\[\d+\])?: "
)
STATED = expression(r"\s*(?:Node|Hostname|HolderIdentity):\s+(?P<host>[A-Za-z0-9][\w.-]*)(?:/[\d.:a-f]+)?\s*$")
LABEL = "kubernetes.io/hostname"
LABELLED = expression(r'.*\bkubernetes\.io/hostname"?[=:] ?"?(?P<host>[\w.-]+)')
NODES = expression(r"NAME\s+STATUS\s+ROLES")
NODE_COLUMN = expression(r"(?:^|\s)NODE(?:\s|$)")
FOLDERS_OF_HOSTS = frozenset(("nodes", "hosts"))
PLAIN_HOST = expression(
    r"(?!calico|kube-|csi-)(?:[a-z0-9.-]*[-.])?"
    r"(?:node|worker|master|wk|wn|cp|ctrl|controlplane|control-plane|server|host|vm|minion)-?\d+(?:[.-][a-z0-9.-]+)?$"
    r"|ip(?:-\d{1,3}){4}(?:\.[a-z0-9.-]+)?$",
    re.IGNORECASE,
)
AGENT = expression(r"(?:calico-node|canal|[\w-]+-calico-node)-[a-z0-9]{5}$")
NOT_HERE = "kubectl "
COLLECTED = expression(r"(?P<host>[\w.-]+?)-\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d(?:\.tar\.gz|\.tgz)?$")
SOSREPORT = expression(r"sosreport-(?P<host>[\w.-]+?)-(?:\d{4}-\d\d-\d\d|\d{6,})")
OTHER_WORDS = 3
PART = expression(r"[a-z0-9]+")
PARTS = 24
WORDS = expression(r"[a-z]+|[\u3400-\u9fff]{1,4}")


def name_hosts(labelled: Sequence[Labelled]) -> None:
    """Sets the host where another artifact shows that such a host exists, or a directory plainly is one."""
    artifacts = [artifact for artifact, _ in labelled]
    name_commands(artifacts)
    _name_by_pods(artifacts)
    known = _collect_known_hosts(artifacts)
    by_root = find_machines(artifacts)
    told = {artifact.name for artifact in artifacts if artifact.host}
    for artifact, label in labelled:
        if artifact.host or artifact.prose or (artifact.command or "").startswith(NOT_HERE):
            continue
        host = _find_host_in(label, known, other_words=OTHER_WORDS) if label else None
        if host is None and artifact.name not in told:
            host = find_machine(artifact.name, by_root) or _find_host_of_path(artifact.name, known)
        artifact.host = known.get((host or "").lower(), host)


def _name_by_pods(artifacts: Sequence[Artifact]) -> None:
    """Some collectors name a machine's folder after its calico-node pod."""
    named = [artifact for artifact in artifacts if artifact.host and AGENT.match(artifact.host)]
    nodes = find_pod_nodes(artifacts) if named else {}
    for artifact in named:
        artifact.host = nodes.get(artifact.host or "")


def _collect_known_hosts(artifacts: Iterable[Artifact]) -> dict[str, str]:
    """Every host that the evidence shows, by its name in lower case and, where that is free, by its first part."""
    seen: dict[str, str] = {}
    for artifact in artifacts:
        if artifact.host:
            seen.setdefault(artifact.host.lower(), artifact.host)
        if not artifact.prose:
            for name in _list_hosts_shown(artifact.lines):
                seen.setdefault(name.lower(), name)
    for name in list(seen.values()):
        short = name.split(".")[0].lower()
        # A machine that calls itself by its first name only is the one that is known by its full name.
        if not name.replace(".", "").isdigit() and (short not in seen or "." not in seen[short]):
            seen[short] = name
    return {name: host for name, host in seen.items() if len(name) > 1 and "<" not in name}


def _list_hosts_shown(lines: Sequence[str]) -> Iterable[str]:
    column = -1
    in_nodes = False
    for line in islice(lines, LOOKED_AT):
        if "NODE" in line and NODE_COLUMN.search(line) and line.isupper():
            column, in_nodes = line.index("NODE"), False
        elif NODES.match(line):
            in_nodes, column = True, -1
        elif not line.strip():
            column, in_nodes = -1, False
        elif in_nodes:
            yield line.split()[0]
        elif 0 < column < len(line) and line[column - 1] == " " and line[column] != " ":
            yield line[column:].split()[0]
        if found := JOURNAL.match(line) or STATED.match(line) or (LABEL in line and LABELLED.match(line)):
            yield found["host"]


def _find_host_of_path(path: str, known: dict[str, str]) -> str | None:
    *folders, file = path.split("/")
    stem = file.rsplit(".", 1)[0] if "." in file else file
    if host := _find_host_in(stem, known):
        return host
    for level in range(len(folders) - 1, -1, -1):
        folder = folders[level]
        if collected := SOSREPORT.match(folder) or COLLECTED.match(folder):
            return collected["host"]
        if folder.lower() in known:
            return known[folder.lower()]
        if PLAIN_HOST.match(folder) or (level and folders[level - 1].lower() in FOLDERS_OF_HOSTS):
            return folder
    return None


def _find_host_in(text: str, known: dict[str, str], other_words: int | None = None) -> str | None:
    """The one known host that the text names; with `other_words`, little else may stand beside it."""
    lowered = text.lower()
    parts = [part.span() for part in islice(PART.finditer(lowered), PARTS)]
    spans = {lowered[start:stop] for first, (start, _) in enumerate(parts) for _, stop in parts[first:]}
    named = [name for name in spans if name in known]
    named = [name for name in named if not any(name != other and name in other for other in named)]
    if len({known[name] for name in named}) != 1:
        return None
    if other_words is not None and len(WORDS.findall(lowered.replace(named[0], " "))) > other_words:
        return None
    return known[named[0]]
