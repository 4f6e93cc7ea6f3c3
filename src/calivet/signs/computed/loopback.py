"""Signs around localhost: its name, its interface, and who holds the ports on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Reach
from calivet.facts.host import HostsEntry, Interface, Socket
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

PORTS = (179, 5473, 9098, 9099)
_OWN = ("calico", "bird", "felix", "typha", "runsv", "confd", "docker-proxy", "conmon")
# A listing of so few entries may be a grep.
_WHOLE_FILE = 2


def hosts_file_without_localhost(picture: Picture) -> Iterator[Sighting]:
    """A hosts file that was shown and has no `127.0.0.1 localhost`."""
    files: dict[tuple[str, str | None], list[HostsEntry]] = defaultdict(list)
    for entry in picture.all(HostsEntry):
        files[entry.at.artifact, entry.host].append(entry)
    for (_, host), entries in files.items():
        known = any(entry.address == "127.0.0.1" and "localhost" in entry.names for entry in entries)
        if len(entries) >= _WHOLE_FILE and not known:
            node = picture.names.node(host) or host
            yield Sighting(line=entries[0].at, node=node)


def loopback_without_address(picture: Picture) -> Iterator[Sighting]:
    """lo stands without its address in a listing that shows those of its neighbours."""
    for artifact in picture.artifacts:
        devices = [device for device in picture.all(Interface) if _within(device, artifact)]
        listed = any("." in address for device in devices for address in device.addresses if device.name != "lo")
        for device in devices:
            if device.name != "lo" or "|" in (artifact.command or "") or not (listed or device.up is False):
                continue
            if device.up is False or not any(address.startswith("127.") for address in device.addresses):
                yield Sighting(line=device.at, node=picture.names.node(device.host) or device.host)


def loopback_does_not_answer(picture: Picture) -> Iterator[Sighting]:
    """A ping to the own loopback address is lost."""
    for reach in picture.all(Reach):
        if reach.target in ("127.0.0.1", "localhost") and reach.protocol == "icmp" and reach.outcome != "ok":
            node = picture.names.node(reach.host) or reach.host
            if not reach.pod:
                yield Sighting(line=reach.at, node=node, values={"outcome": reach.outcome})


def port_held_by_other(picture: Picture) -> Iterator[Sighting]:
    """A port of Calico on which another program listens."""
    for socket in picture.all(Socket):
        if socket.port not in PORTS or socket.state != "LISTEN" or socket.protocol != "tcp" or not socket.process:
            continue
        if not socket.process.startswith(_OWN):
            node = picture.names.node(socket.host) or socket.host
            yield Sighting(line=socket.at, node=node, values={"port": str(socket.port), "process": socket.process})


def _within(device: Interface, artifact: Artifact) -> bool:
    first = artifact.first
    return device.at.artifact == artifact.name and first <= device.at.number < first + len(artifact.lines)


SIGNS = {
    "hosts-file-without-localhost": hosts_file_without_localhost,
    "loopback-without-address": loopback_without_address,
    "loopback-does-not-answer": loopback_does_not_answer,
    "calico-port-held-by-other": port_held_by_other,
}
