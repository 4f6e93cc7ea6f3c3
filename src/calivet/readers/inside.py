"""What ran where the command pointed: inside a pod, in another network namespace, or right here."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.kubectl.kubectl_command import request
from calivet.readers.subject import Subjects, subjects

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


def inside(artifact: Artifact) -> Inside:
    """Looks through kubectl exec and logs, docker exec, nsenter and shells that were asked to run a line."""
    command = artifact.command or ""
    asked = request(artifact)
    pod = asked.named("pod")
    if asked.verb in ("exec", "logs", "log"):
        mark = " -- " if " -- " in command else f"{asked.name} "
        run = command.partition(mark)[2] if asked.verb == "exec" else ""
        return Inside(_bare(run), pod, asked.container, apart=asked.verb == "exec")
    place = _OTHER_NAMESPACE.search(command)
    run = command[place.end() :] if place else command
    # The agent's own container shares the host's network, so looking from there is looking from the host.
    return Inside(_bare(run), None if command else pod, apart=bool(place and "calico" not in place[0]))


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
        apart = self._network and inside(self._artifact).apart
        return Subjects(None) if apart else subjects(self._artifact)


def _bare(command: str) -> str:
    """The command without sudo, time, assignments and a shell around it."""
    while found := _WRAPPER.match(command):
        command = command[found.end() :]
    return command.strip()
