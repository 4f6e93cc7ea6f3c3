"""Signs in where Calico, and where the API server, looks for etcd."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Object
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_KEYS = ("etcd_endpoints", "ETCD_ENDPOINTS")
_SERVERS_FLAG = "--etcd-servers="
_SERVERS = expression(r"--etcd-servers=(?P<list>\S+)")
_HOST = expression(r"https?://(?P<host>[\w.-]+|\[[0-9a-f:]+\]):2379\b")
_BARE = expression(r"[\w.-]+\.[\w.-]+:\d{4,5}/?")
_OWN = ("127.0.0.1", "localhost", "[::1]")


def etcd_moved_away(picture: Picture) -> Iterator[Sighting]:
    """None of the addresses where Calico looks for etcd is one that the API server uses."""
    told = list(_of_calico(picture))
    used = {host for text in _of_server(picture) for host in _HOST.findall(text)} if told else set()
    for line, written in told:
        theirs = set(_HOST.findall(written))
        if theirs and used and not theirs & used and not used & set(_OWN):
            values = {"calico": ", ".join(sorted(theirs)), "server": ", ".join(sorted(used))}
            yield Sighting(line=line, values=values)


def etcd_without_scheme(picture: Picture) -> Iterator[Sighting]:
    """An address of etcd without http:// or https:// before it, which Calico's client cannot use."""
    for line, written in _of_calico(picture):
        bare = [one for one in written.split(",") if _BARE.fullmatch(one.strip())]
        if bare:
            yield Sighting(line=line, values={"endpoint": bare[0].strip()})


def _of_calico(picture: Picture) -> Iterator[tuple[Line, str]]:
    for variable in picture.all(Variable):
        if variable.name in _KEYS:
            yield variable.at, variable.value
    for thing in picture.all(Object):
        for path, value in thing.values.items():
            if path.endswith(_KEYS) and isinstance(value, str):
                yield thing.at, value


def _of_server(picture: Picture) -> Iterator[str]:
    for artifact in picture.artifacts:
        for line in artifact.lines:
            if _SERVERS_FLAG in line and (found := _SERVERS.search(line)):
                yield found["list"]


SIGNS = {"etcd-moved-away": etcd_moved_away, "etcd-without-scheme": etcd_without_scheme}
