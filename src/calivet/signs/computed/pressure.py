"""Signs of machines at their limits: usage, full disks, containers killed for memory."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.facts.host import Cpu, Disk, Load
from calivet.facts.kubernetes import Container, Object, Row
from calivet.facts.picture import Picture, is_sick
from calivet.facts.roles import role_of_name
from calivet.signs.sighting import Sighting

FULL_DISK = 97.0
ROOM = 80.0
FULL_USAGE = 95
HIGH_LOAD = 20.0
TIMES_HEALTHY = 5.0
_PROCESS = expression(
    r"^\s*\d+\s+(?P<elapsed>(?P<days>\d+-)?(?:\d+:)?\d\d:\d\d)\s+(?:\d+\s+)?(?:\S*/)?"
    r"(?:calico-node (?P<part>-felix|-confd)|bird6?)\b"
)
# A list of processes is never longer; a log is.
_LISTING = 1000
_ASKED_POD = expression(r"\b(?:calico-node|canal)-[a-z0-9]{5}\b")
_USAGE = {"CPU%": "CPU", "MEMORY%": "memory"}
_PERCENT = expression(r"(\d+)%")
_PARTS = ("calico-node", "typha", "kube-controllers", "operator", "calico-apiserver")
_CALICO_CONTAINERS = (
    "calico-node",
    "install-cni",
    "upgrade-ipam",
    "calico-typha",
    "calico-kube-controllers",
    "mount-bpffs",
)
# Whatever else is mounted there may be full without harm: images and snaps always are.
_WATCHED = expression(r"/|/var(?:/(?:lib|log|run)(?:/.*)?)?|/opt(?:/.*)?|/run|/etc|/usr|/data\d*(?:/.*)?")


def node_usage_at_limit(picture: Picture) -> Iterator[Sighting]:
    """`kubectl top` shows a node that has no CPU or memory left."""
    for row in picture.all(Row):
        for header, resource in _USAGE.items():
            found = _PERCENT.fullmatch(row.cells.get(header, ""))
            if found and int(found[1]) >= FULL_USAGE and row.name:
                node = picture.names.node(row.name) or row.name
                values = {"node": node, "usage": found[0], "resource": resource}
                yield Sighting(line=row.at, node=node, values=values)
    yield from _busy(picture)


def _busy(picture: Picture) -> Iterator[Sighting]:
    """The kubelet's own measurement against the CPUs that the node has."""
    cores = {thing.name: str(thing.values.get("status.capacity.cpu", "")) for thing in picture.all(Object)}
    for cpu in picture.all(Cpu):
        node = picture.names.node(cpu.host) or cpu.host
        count = cores.get(node, "")
        if cpu.used and count.isdigit() and 100 * cpu.used >= FULL_USAGE * int(count):
            values = {"node": str(node), "usage": f"{100 * cpu.used / int(count):.0f}%", "resource": _USAGE["CPU%"]}
            yield Sighting(line=cpu.at, node=node, values=values)


def loaded_node_is_sick(picture: Picture) -> Iterator[Sighting]:
    """The calico-node that fails is the one on a machine with many times the load of the healthy ones."""
    latest = {picture.names.node(load.host) or load.host: load for load in picture.all(Load) if load.host}
    calm = [load.one for node, load in latest.items() if node in picture.healthy_nodes]
    for pod in picture.latest_pods("calico-node"):
        load = latest.get(pod.node or "")
        if load and is_sick(pod) and load.one >= HIGH_LOAD and (not calm or load.one >= TIMES_HEALTHY * max(calm)):
            yield Sighting(line=pod.at, node=pod.node, values={"node": str(pod.node), "load": f"{load.one:g}"})


def felix_revived_inside(picture: Picture) -> Iterator[Sighting]:
    """Felix is far younger than the other processes of its container: it ended and runit brought it back."""
    for artifact in picture.artifacts:
        if artifact.length > _LISTING:
            continue
        rows = [(index, found) for index, text in enumerate(artifact.lines) if (found := _PROCESS.match(text))]
        young = [(index, found) for index, found in rows if found["part"] == "-felix"]
        old = [found["elapsed"] for _, found in rows if found["part"] != "-felix" and found["days"]]
        for index, found in young[:1]:
            if old and not found["days"]:
                node = picture.names.node(artifact.host) or picture.node_of_pod(_pod_of(artifact.command))
                values = {"young": found["elapsed"], "old": old[0]}
                yield Sighting(line=artifact.at(index), node=node, values=values)


def disk_at_limit(picture: Picture) -> Iterator[Sighting]:
    """A file system that the node lives on has no space or no inodes left."""
    for disk in picture.all(Disk):
        if disk.used >= FULL_DISK and _WATCHED.fullmatch(disk.mount):
            node = picture.names.node(disk.host) or disk.host
            what = "inodes" if disk.inodes else "space"
            values = {"mount": disk.mount, "used": f"{disk.used:.0f}%", "what": what}
            yield Sighting(line=disk.at, node=node, values=values)


def disks_have_room(picture: Picture) -> Iterator[Sighting]:
    """Every file system that was shown, space and inodes, is far from full."""
    shown = [disk for disk in picture.all(Disk) if _WATCHED.fullmatch(disk.mount)]
    fullest = max(shown, key=lambda disk: disk.used, default=None)
    if fullest and fullest.used <= ROOM:
        yield Sighting(line=fullest.at, values={"used": f"{fullest.used:.0f}%"})


def calico_container_oomkilled(picture: Picture) -> Iterator[Sighting]:
    """A container of Calico that ended as OOMKilled."""
    for container in picture.all(Container):
        ours = container.name in _CALICO_CONTAINERS or role_of_name(container.pod or "") in _PARTS
        if ours and "OOMKilled" in (container.reason, container.last_reason):
            values = {"container": container.name, "pod": container.pod or "?"}
            yield Sighting(line=container.at, node=picture.node_of_pod(container.pod), values=values)


def _pod_of(command: str | None) -> str | None:
    found = _ASKED_POD.search(command or "")
    return found[0] if found else None


SIGNS = {
    "node-usage-at-limit": node_usage_at_limit,
    "loaded-node-is-sick": loaded_node_is_sick,
    "felix-revived-inside": felix_revived_inside,
    "disk-at-limit": disk_at_limit,
    "disks-have-room": disks_have_room,
    "calico-container-oomkilled": calico_container_oomkilled,
}
