"""What the operator did: people restart what they found broken."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Command
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_RESTART = expression(r"\b(?:systemctl\b.*\brestart\b|service\b.*\brestart\b|rc-service\b.*\brestart\b)")
_RUNTIME = expression(r"(?<![\w-])(?P<unit>containerd|docker|crio|cri-o|cri-docker)(?:\.service)?(?![\w-])")
_DRAIN = expression(r"\bkubectl\b.*\bdrain\b(?P<rest>.*)")
_REBOOT = expression(r"^\s*(?:sudo\s+)?(?:reboot|shutdown\s+-r|systemctl\s+reboot|init\s+6)\b")


def restarted_runtime(picture: Picture) -> Iterator[Sighting]:
    """The operator restarted the container runtime."""
    for command in picture.all(Command):
        unit = _RUNTIME.search(command.line)
        if unit and _RESTART.search(command.line):
            node = picture.names.node(command.host) or command.host
            yield Sighting(line=command.at, node=node, values={"unit": unit["unit"]})


def drained_and_rebooted(picture: Picture) -> Iterator[Sighting]:
    """The operator drained a node and rebooted it."""
    if not any(_REBOOT.search(command.line) for command in picture.all(Command)):
        return
    for command in picture.all(Command):
        if found := _DRAIN.search(command.line):
            yield Sighting(line=command.at, node=_drained(found["rest"].split(), picture))


def _drained(words: list[str], picture: Picture) -> str | None:
    """The node among the words of a drain: one that is known, else the first that is no option."""
    known = (picture.names.node(word) for word in words)
    return next((node for node in known if node), None) or next(filter(_is_name, words), None)


def _is_name(word: str) -> bool:
    """Neither an option nor an option's figure."""
    return word[0].isalpha()


SIGNS = {"restarted-runtime": restarted_runtime, "drained-and-rebooted": drained_and_rebooted}
