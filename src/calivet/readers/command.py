"""What the operator asked for: in a pod, in another network namespace or right here.

It helps where the output alone does not say what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.readers.kubectl.kubectl_command import parse_request
from calivet.readers.subject import Subjects, find_machine_head, find_subjects
from calivet.search.expressions import expression

_PATH = expression(r"(?<![\w.:/])/[\w.@+*{},~/-]+")
_BRACES = expression(r"\{([^{}]*,[^{}]*)\}")
_MOST_BRACES = 3


def find_output_start(artifact: Artifact) -> int:
    """The index of the first line that is output rather than the prompt, or the head over one machine's share."""
    words = (artifact.command or "").split(maxsplit=1)
    return int(
        bool(words and artifact.lines and (words[0] in artifact.lines[0] or find_machine_head(artifact.lines[0])))
    )


def list_output_lines(artifact: Artifact) -> Iterator[tuple[int, str]]:
    """The output's lines that are not blank, stripped, with their indexes."""
    for index in range(find_output_start(artifact), len(artifact.lines)):
        if text := artifact.lines[index].strip():
            yield index, text


def search_command(artifact: Artifact, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The pattern in the command, where there is a command."""
    return pattern.search(artifact.command or "")


def find_paths(artifact: Artifact) -> list[str]:
    """The absolute paths that the command names, with shell braces expanded."""
    command = artifact.command or ""
    return [path.rstrip(",") for found in _PATH.finditer(command) for path in _expand(found[0])]


def find_file(artifact: Artifact, word: str) -> str | None:
    """The first file in the command whose path has this word."""
    return next((path for path in find_paths(artifact) if word in path), None)


def _expand(text: str) -> list[str]:
    found = _BRACES.search(text)
    if not found or text.count("{") > _MOST_BRACES:
        return [text]
    head, tail = text[: found.start()], text[found.end() :]
    return [path for choice in found[1].split(",") for path in _expand(head + choice + tail)]


_OTHER_NAMESPACE = expression(
    r"\bip\s+netns\s+exec\s+\S+\s+|\bnsenter\s+(?:-\S+\s+|\d+\s+)*"
    r"|\b(?:docker|crictl|nerdctl|podman)\s+exec\s+(?:-\S+\s+)*\S+\s+"
)
_WRAPPER = expression(
    r"\s*(?:sudo\s+(?:-\S+\s+)*|time\s+|timeout\s+(?:-\S+\s+)*[\d.]+\w?\s+|[A-Za-z_]\w*=\S*\s+"
    r"|(?:/bin/)?(?:ba|a)?sh\s+-\w*c\s+[\"']?)"
)


class Inside(Struct, frozen=True):
    """The command as it ran at its place, and the place where that is not the host itself."""

    command: str = ""
    pod: str | None = None
    container: str | None = None
    apart: bool = False
    """In another network namespace than the host's own."""


def look_inside(artifact: Artifact) -> Inside:
    """Looks through kubectl exec and logs, docker exec, nsenter and shells that were asked to run a line."""
    command = artifact.command or ""
    asked = parse_request(artifact)
    pod = asked.named("pod")
    if asked.verb in ("exec", "logs", "log"):
        mark = " -- " if " -- " in command else f"{asked.name} "
        run = command.partition(mark)[2] if asked.verb == "exec" else ""
        return Inside(_strip_command(run), pod, asked.container, apart=asked.verb == "exec")
    place = _OTHER_NAMESPACE.search(command)
    run = command[place.end() :] if place else command
    # The agent's own container shares the host's network, so looking from there is looking from the host.
    return Inside(_strip_command(run), None if command else pod, apart=bool(place and "calico" not in place[0]))


class Machines:
    """The machine that each line is about, worked out when first asked: most long logs hold nothing to ask for."""

    def __init__(self, artifact: Artifact, network: bool = False) -> None:
        """With `network`, none where the lines show the network of a pod or container."""
        self._artifact = artifact
        self._network = network

    def at(self, index: int) -> str | None:
        """The machine of this line."""
        return self._subjects.at(index)

    @cached_property
    def _subjects(self) -> Subjects:
        apart = self._network and look_inside(self._artifact).apart
        return Subjects(None) if apart else find_subjects(self._artifact)


def _strip_command(command: str) -> str:
    """The command without sudo, time, assignments and a shell around it."""
    while found := _WRAPPER.match(command):
        command = command[found.end() :]
    return command.strip()
