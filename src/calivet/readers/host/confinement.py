"""Policies that bind even root: SELinux's mode, and what a container may not do and the host may."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.security import ContainerTrial, DeniedWrite, HostWrite, SelinuxMode
from calivet.readers.command import list_output_lines
from calivet.readers.reader import read_statements
from calivet.readers.subject import SPEAKER, find_subjects
from calivet.search.expressions import expression

_MODE = expression(
    rf"^\s*{SPEAKER}(?:(?P<mode>Enforcing|Permissive|Disabled)|Current mode:\s+(?P<current>\w+)"
    r"|SELinux status:\s+(?P<off>disabled))\s*$"
)
# Host directories that Calico's containers write.
_PLACES = r"(?P<place>/opt/cni(?:/bin)?|/etc/cni(?:/net\.d)?|/var/lib/calico|/var/run/calico|/var/log/calico)"
_DENIED = expression(r"(?:permission denied|权限不够|拒绝访问)", re.IGNORECASE)
_DENIED_PLACE = expression(rf"/host{_PLACES}\b")
"""As Calico's installer sees them; what a person without rights is refused on the host is another matter."""
# Nothing that would end well on a read-only file system too, such as mkdir of what is there.
_WRITES = expression(rf"^(?:sudo\s+)?(?:touch\s|echo\b.*>|tee\s).*{_PLACES}\b")
_HIDES = expression(r"2>\s*/dev/null|&>")
_FAILS = expression(
    r"cannot|can't|denied|read-only|no such file|no space|无法|只读|权限不够|not permitted|failed", re.IGNORECASE
)
_RUNS = expression(r"^(?:sudo\s+)?(?:docker|podman|nerdctl)\s+run\b")
_FREE = expression(r"--privileged(?!=false)|label[=:]disable|apparmor[=:]unconfined")
# Where the kernel maps root of a container to somebody else, being denied needs no policy.
_MAPPED = expression(r"--userns|userns-remap")
# What one types to try a thing out prints little.
_SHORT = 40


def _read(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    for index in anchors:
        text = artifact.lines[index]
        if "/host/" in text and _DENIED.search(text) and (place := _DENIED_PLACE.search(text)):
            yield DeniedWrite(at=artifact.at(index), host=artifact.host, place=place["place"])
    if artifact.length <= _SHORT:
        yield from _find_modes(artifact, anchors)
        yield from _find_trials(artifact)


def _find_modes(artifact: Artifact, anchors: list[int]) -> Iterator[SelinuxMode]:
    """How SELinux works on each machine."""
    machines = None
    for index in anchors:
        if found := _MODE.match(artifact.lines[index]):
            machines = machines or find_subjects(artifact)
            mode = (found["mode"] or found["current"] or found["off"]).lower()
            yield SelinuxMode(at=artifact.at(index), host=machines.at(index, found["speaker"]), mode=mode)


def _find_trials(artifact: Artifact) -> Iterator[Fact]:
    command = artifact.command or ""
    wrote = _WRITES.search(command)
    if wrote and _did_go_well(artifact):
        yield HostWrite(at=artifact.at(0), host=artifact.host, place=wrote["place"])
    if _RUNS.search(command):
        denied = [index for index, text in list_output_lines(artifact) if _DENIED.search(text)]
        yield ContainerTrial(
            at=artifact.at(denied[0] if denied else 0),
            host=artifact.host,
            free=_FREE.search(command) is not None,
            mapped=_MAPPED.search(command) is not None,
            denied=bool(denied),
        )


def _did_go_well(artifact: Artifact) -> bool:
    """A command of the host made something, and said nothing of trouble."""
    command, printed = artifact.command or "", [text for _, text in list_output_lines(artifact)]
    if _HIDES.search(command) or any(map(_FAILS.search, printed)):
        return False
    return "$?" not in command or printed[-1:] == ["0"]


READER = read_statements(
    _read,
    anchor=expression(
        r"(?:^|\s)(?:Enforcing|Permissive|Disabled)\s*$|Current mode:\s+\w|SELinux status:\s+disabled"
        r"|/host/(?:opt/cni|etc/cni|var/lib/calico|var/run/calico|var/log/calico)"
    ),
    command=expression(r"\b(?:touch|echo|tee)\b|\b(?:docker|podman|nerdctl)\s+run\b"),
)
