"""Signs in mounts of a host that do not pass on what calico-node mounts below them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture
from calivet.facts.roles import role_of_name
from calivet.readers.command import output_lines
from calivet.signs.sighting import Sighting

# What calico-node asks to be shared with the host. /var/run is a link to /run nearly everywhere.
_WANTED = ("/sys/fs/bpf", "/sys/fs", "/run/calico")
_SAME = {"/var/run": "/run", "/var/run/calico": "/run/calico"}
_NOT_STARTED = ("RunContainerError", "CreateContainerError")
_LOOKS_FOR_SHARED = expression(
    r"^(?!.*\bexec\b)(?:.*\bgrep\b[^|]*\bshared\b[^|]*/mountinfo|.*/mountinfo\s*\|\s*e?grep\b[^|]*\bshared\b)"
    r"[^|;]*(?:\|\s*wc -l)?$"
)
# Pulls fail with the daemon's words too, but not as a container's.
_REFUSED = expression(
    r"^Error: (?:failed to (?:start|create|generate) container|(?:Error response from daemon: )?.{0,20}\bpath \W?/)"
)


def private_mounts(picture: Picture) -> Iterator[Sighting]:
    """A mount under which calico-node needs a shared one is private."""
    for node, mounts in _mounts(picture).items():
        for setting in _private(mounts):
            values = {"mount": setting.key, "kind": str(setting.value)}
            yield Sighting(line=setting.at, node=node, values=values)


def nothing_shared(picture: Picture) -> Iterator[Sighting]:
    """The operator looked for shared mounts and found none."""
    for artifact in picture.artifacts:
        looked = _LOOKS_FOR_SHARED.search(artifact.command or "")
        if looked and [text for _, text in output_lines(artifact)] in ([], ["0"]):
            node = picture.names.node(artifact.host) or artifact.host
            yield Sighting(line=artifact.at(len(artifact.lines) - 1), node=node, order=artifact.order)


def refused_beside_private_mount(picture: Picture) -> Iterator[Sighting]:
    """The runtime does not start a container of calico-node on a host with such a mount."""
    sick = {node for node, mounts in _mounts(picture).items() if any(_private(mounts))}
    for pod in picture.latest_pods("calico-node"):
        if any(word in (pod.status or "") for word in _NOT_STARTED) and _on(pod.node, sick):
            yield Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "status": pod.status or ""})
    for event in picture.all(Event):
        node = event.node or picture.node_of_pod(event.object)
        of_agent = role_of_name(event.object or "") == "calico-node"
        if of_agent and event.reason == "Failed" and _REFUSED.search(event.message) and _on(node, sick):
            yield Sighting(line=event.at, node=node, values={"pod": event.object or "", "status": event.reason})


def _on(node: str | None, sick: set[str | None]) -> bool:
    """Where either is not known, one sick host is enough to think of."""
    return bool(sick) and (node is None or node in sick or None in sick)


def _private(mounts: dict[str, Setting]) -> list[Setting]:
    """The mounts on which the wanted paths lie, where these are not shared; the deepest that is shown counts."""
    holders = {holder for path in _WANTED if (holder := _holder(path, mounts))}
    found = [mounts[holder] for holder in sorted(holders)]
    return [setting for setting in found if "shared" not in str(setting.value)]


def _holder(path: str, mounts: dict[str, Setting]) -> str | None:
    above = [mount for mount in mounts if path == mount or path.startswith(mount.rstrip("/") + "/")]
    return max(above, key=len, default=None)


def _mounts(picture: Picture) -> dict[str | None, dict[str, Setting]]:
    """By node, as they were found: what is made shared by hand later was not so when calico-node failed."""
    found: dict[str | None, dict[str, Setting]] = defaultdict(dict)
    for setting in picture.all(Setting):
        if setting.program == "mount":
            node = picture.names.node(setting.host) or setting.host
            found[node].setdefault(_SAME.get(setting.key, setting.key), setting)
    return found


SIGNS = {
    "mount-not-shared": private_mounts,
    "no-shared-mount": nothing_shared,
    "refused-beside-private-mount": refused_beside_private_mount,
}
