"""Signs around localhost: its name, its interface, and who holds the ports on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.facts.host import HostsEntry, Interface, Socket
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

PORTS = (179, 5473, 9098, 9099)
_OWN = ("calico", "bird", "felix", "typha", "runsv", "confd", "docker-proxy", "conmon")
# A listing of so few entries may be a grep.
_WHOLE_FILE = 2
_HEALTH = (9098, 9099)
_BY_NAME = expression(r"//localhost:90(?:98|99)/.*(?:refused|no such host|lookup localhost|timeout|canceled)")
_SELF = ("127.0.0.1", "localhost")


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
    """lo is down, has only other addresses, or stands bare in a listing that shows those of its neighbours."""
    for artifact in picture.artifacts:
        devices = picture.within(artifact, Interface)
        complete = "|" not in (artifact.command or "") and any(
            _ipv4(device) for device in devices if device.name != "lo"
        )
        for device in devices:
            own = any(address.startswith("127.") for address in device.addresses)
            if device.name == "lo" and (device.up is False or (not own and (complete or _ipv4(device)))):
                yield Sighting(line=device.at, node=picture.names.node(device.host) or device.host)


def loopback_does_not_answer(picture: Picture) -> Iterator[Sighting]:
    """A ping to the own loopback address is lost."""
    yield from (_reached(reach, picture) for reach in _own_tests(picture) if reach.protocol == "icmp")


def loopback_connect_lost(picture: Picture) -> Iterator[Sighting]:
    """A connection to the own loopback address is neither taken nor refused."""
    yield from (_reached(reach, picture) for reach in _own_tests(picture) if reach.protocol != "icmp")


def health_answers_by_address(picture: Picture) -> Iterator[Sighting]:
    """The health port answers at 127.0.0.1 while a probe that calls it by name fails."""
    failing = any(_BY_NAME.search(event.message) for event in picture.all(Event))
    for reach in picture.all(Reach):
        if failing and reach.target == "127.0.0.1" and reach.port in _HEALTH and reach.outcome == "ok":
            values = {"address": f"{reach.target}:{reach.port}"}
            yield Sighting(line=reach.at, node=picture.names.node(reach.host) or reach.host, values=values)


def port_held_by_other(picture: Picture) -> Iterator[Sighting]:
    """A port of Calico on which another program listens."""
    for socket in picture.all(Socket):
        if socket.port not in PORTS or socket.state != "LISTEN" or socket.protocol != "tcp" or not socket.process:
            continue
        if not socket.process.startswith(_OWN):
            node = picture.names.node(socket.host) or socket.host
            yield Sighting(line=socket.at, node=node, values={"port": str(socket.port), "process": socket.process})


def _own_tests(picture: Picture) -> Iterator[Reach]:
    """Tests that got nowhere; a program that took the connection and then kept silent is no fault of the loopback."""
    for reach in picture.all(Reach):
        connected = "bytes received" in (reach.detail or "")
        if (
            reach.target in _SELF
            and not reach.pod
            and reach.outcome in ("loss", "timeout", "no-route")
            and not connected
        ):
            yield reach


def _reached(reach: Reach, picture: Picture) -> Sighting:
    values = {"outcome": reach.outcome, "port": str(reach.port or "")}
    return Sighting(line=reach.at, node=picture.names.node(reach.host) or reach.host, values=values)


def _ipv4(device: Interface) -> bool:
    return any("." in address for address in device.addresses)


SIGNS = {
    "hosts-file-without-localhost": hosts_file_without_localhost,
    "loopback-without-address": loopback_without_address,
    "loopback-does-not-answer": loopback_does_not_answer,
    "loopback-connect-lost": loopback_connect_lost,
    "health-answers-by-address": health_answers_by_address,
    "calico-port-held-by-other": port_held_by_other,
}
