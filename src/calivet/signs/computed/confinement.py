"""Signs of a policy that binds even root: what a container may not do and the host, or a freer container, may."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture, once
from calivet.readers.command import output_lines
from calivet.readers.subject import SPEAKER, subjects
from calivet.signs.sighting import Sighting

_MODE = expression(
    rf"^\s*{SPEAKER}(?:(?P<mode>Enforcing|Permissive|Disabled)|Current mode:\s+(?P<current>\w+)"
    r"|SELinux status:\s+(?P<off>disabled))\s*$"
)
ENFORCING = "enforcing"

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


def enforcing_where_sick_only(picture: Picture) -> Iterator[Sighting]:
    """SELinux enforces on nodes that are sick, and on none of those that are well."""
    modes = {node: (mode, sighting) for node, mode, sighting in _modes(picture)}
    well = sorted(node for node in picture.healthy_nodes if node in modes)
    if not well or any(modes[node][0] == ENFORCING for node in well):
        return
    for node in sorted(picture.sick_nodes):
        mode, sighting = modes.get(node, ("", None))
        if mode == ENFORCING and sighting:
            values = {"sick": node, "well": well[0], "mode": modes[well[0]][0]}
            yield Sighting(line=sighting.line, node=node, values=values)


def denied_though_host_may_write(picture: Picture) -> Iterator[Sighting]:
    """Calico's container was refused where somebody on the host wrote without trouble."""
    places = _denied_places(picture)
    for place, sighting in _written(picture):
        if any(place.startswith(denied) or denied.startswith(place) for denied in places):
            yield sighting


def host_may_write(picture: Picture) -> Iterator[Sighting]:
    """Somebody wrote into one of Calico's directories on the host, so it is not read-only."""
    yield from (sighting for _, sighting in _written(picture))


def privileged_may_write(picture: Picture) -> Iterator[Sighting]:
    """An ordinary container is refused what a privileged or unconfined one may do on the same machine."""
    tried = [artifact for artifact in _short(picture) if _RUNS.search(artifact.command or "")]
    free = {one.host for one in tried if _FREE.search(one.command or "") and not _denied(one)}
    for artifact in tried:
        command = artifact.command or ""
        bound = not _FREE.search(command) and not _MAPPED.search(command)
        denied = _denied(artifact)
        if bound and denied and artifact.host in free:
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=artifact.at(denied[0]), node=node)


def _modes(picture: Picture) -> Iterator[tuple[str, str, Sighting]]:
    """How SELinux works on each machine whose name is known."""
    for artifact in _short(picture):
        machines = None
        for index, text in enumerate(artifact.lines):
            if not (found := _MODE.match(text)):
                continue
            machines = machines or subjects(artifact)
            host = machines.at(index, found["speaker"])
            if node := picture.names.node(host) or host:
                mode = (found["mode"] or found["current"] or found["off"]).lower()
                yield node, mode, Sighting(line=artifact.at(index), node=node)


@once
def _written(picture: Picture) -> list[tuple[str, Sighting]]:
    """Directories in which a command of the host made something, and said nothing of trouble."""
    found = []
    for artifact in _short(picture):
        wrote = _WRITES.search(artifact.command or "")
        if wrote and _went_well(artifact):
            node = picture.names.node(artifact.host) or artifact.host
            found.append((wrote["place"], Sighting(line=artifact.at(0), node=node, values={"place": wrote["place"]})))
    return found


def _went_well(artifact: Artifact) -> bool:
    command, printed = artifact.command or "", [text for _, text in output_lines(artifact)]
    if _HIDES.search(command) or any(map(_FAILS.search, printed)):
        return False
    return "$?" not in command or printed[-1:] == ["0"]


@once
def _denied_places(picture: Picture) -> set[str]:
    """Directories of the host for which some program was refused."""
    denied = (
        place
        for artifact in picture.artifacts
        if not artifact.prose
        for text in artifact.lines
        if "/host/" in text and _DENIED.search(text) and (place := _DENIED_PLACE.search(text))
    )
    return {place["place"] for place in denied}


def _denied(artifact: Artifact) -> list[int]:
    return [index for index, text in output_lines(artifact) if _DENIED.search(text)]


def _short(picture: Picture) -> Iterator[Artifact]:
    return (one for one in picture.artifacts if one.length <= _SHORT and not one.prose)


SIGNS = {
    "enforcing-where-sick-only": enforcing_where_sick_only,
    "denied-though-host-may-write": denied_though_host_may_write,
    "host-may-write": host_may_write,
    "privileged-may-write": privileged_may_write,
}
