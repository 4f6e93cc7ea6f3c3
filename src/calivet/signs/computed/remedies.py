"""What the operator did: people restart what they found broken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.facts.fact import Command
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_RESTART = re.compile(
    r"(?:systemctl|service)\s+(?:restart\s+)?(?P<unit>containerd|docker|crio|cri-o|cri-docker)(?:\.service)?(?:\s+restart)?\b"
)
_DRAIN = re.compile(r"\bkubectl\b.*\bdrain\s+(?:--?\S+\s+)*(?P<node>[\w.-]+)")
_REBOOT = re.compile(r"^\s*(?:sudo\s+)?(?:reboot|shutdown\s+-r|systemctl\s+reboot|init\s+6)\b")


def restarted_runtime(picture: Picture) -> Iterator[Sighting]:
    """The operator restarted the container runtime."""
    for command in picture.all(Command):
        found = _RESTART.search(command.line)
        if found and "restart" in command.line:
            node = picture.names.node(command.host) or command.host
            yield Sighting(line=command.at, node=node, values={"unit": found["unit"]})


def drained_and_rebooted(picture: Picture) -> Iterator[Sighting]:
    """The operator drained a node and rebooted it."""
    if not any(_REBOOT.search(command.line) for command in picture.all(Command)):
        return
    for command in picture.all(Command):
        if found := _DRAIN.search(command.line):
            yield Sighting(line=command.at, node=picture.names.node(found["node"]) or found["node"])


SIGNS = {"restarted-runtime": restarted_runtime, "drained-and-rebooted": drained_and_rebooted}
