"""Signs in the memory cgroup of a container: its limit, how often it was reached, and who was killed for it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Container, Row
from calivet.facts.picture import Picture, once
from calivet.facts.roles import role_of_name
from calivet.readers.command import output_lines
from calivet.readers.host.sizes import kibibytes
from calivet.readers.inside import inside
from calivet.readers.subject import Subjects, subjects
from calivet.signs.sighting import Sighting

# Files of a memory cgroup, of the first version and of the second.
_LIMITS = ("memory.limit_in_bytes", "memory.max")
_PEAKS = ("memory.max_usage_in_bytes", "memory.peak", "memory.usage_in_bytes", "memory.current")
_FILE = expression(r"\bmemory\.(?:[a-z_]+in_bytes|failcnt|max|peak|current)\b")
# As `grep .` and `head` over several files print it, and a bare number where the command names the file.
_NAMED = expression(r"(?:^|/)(?P<file>memory\.[a-z_.]+):\s*(?P<value>\d+)\s*$")
_NUMBER = expression(r"\d+")
_KILLS = expression(r"(?:^|[\s:\"])oom(?:_group)?_kill\"?[ =:\t]{1,4}(?P<kills>[1-9]\d*)\b")
_SHOWS_CGROUP = "memory."
_OF_CALICO = expression(r"\b(?:calico-node|calico-felix|canal|calico-typha|felix|bird6?)\b")
_PARTS = ("calico-node", "typha", "kube-controllers")
# A few files are shown at a time; a longer text is a log.
_SHORT = 200
REACHED = 0.99
"""Of the limit: the kernel counts in pages, and in pages that it has not given back yet."""
_KIBI = 1024


class Cgroup(Struct):
    """What was shown of one memory cgroup: values by file, with the lines that hold them."""

    node: str | None
    own: bool
    """The command says that it is Calico's."""
    values: dict[str, tuple[int, int]] = field(default_factory=dict)


def calico_cgroup_kills(picture: Picture) -> Iterator[Sighting]:
    """The kernel killed processes in a cgroup that the command says is Calico's."""
    for artifact in _shown(picture):
        if not _is_own(artifact):
            continue
        for index, text in enumerate(artifact.lines):
            if found := _KILLS.search(text):
                node = picture.node_of_pod(inside(artifact).pod) or _node(subjects(artifact), index, picture)
                yield Sighting(line=artifact.at(index), node=node, values={"kills": found["kills"]})


def calico_limit_reached(picture: Picture) -> Iterator[Sighting]:
    """Memory of Calico's container that went up to its limit."""
    limits = _limits(picture)
    for artifact in _shown(picture):
        for cgroup in _cgroups(artifact, picture):
            limit = next((cgroup.values[file][0] for file in _LIMITS if file in cgroup.values), 0)
            peaks = [cgroup.values[file] for file in _PEAKS if file in cgroup.values]
            peak, index = max(peaks, default=(0, 0))
            if limit and peak >= REACHED * limit and (cgroup.own or limit // _KIBI in limits):
                values = {"limit": f"{limit / _KIBI**2:.0f}Mi"}
                yield Sighting(line=artifact.at(index), node=cgroup.node, values=values)
    yield from _at_limit_now(picture)


def _at_limit_now(picture: Picture) -> Iterator[Sighting]:
    """`kubectl top` beside the limit of the same pod."""
    limits = {one.pod: one.memory_limit for one in picture.all(Container) if one.pod and one.memory_limit}
    for row in picture.all(Row):
        used = kibibytes(row.cells.get("MEMORY(bytes)", ""))
        pod = row.cells.get("POD") or row.name or ""
        limit = kibibytes(limits.get(pod) or "")
        if used and limit and role_of_name(pod) in _PARTS and used >= REACHED * limit:
            yield Sighting(line=row.at, node=picture.node_of_pod(pod), values={"limit": str(limits[pod])})


@once
def _limits(picture: Picture) -> set[int]:
    """The limits of Calico's containers in KiB; of a container without its pod, the name tells."""
    own = (one for one in picture.all(Container) if one.name in _PARTS or role_of_name(one.pod or "") in _PARTS)
    sizes = (kibibytes(one.memory_limit) for one in own if one.memory_limit)
    return {int(size) for size in sizes if size}


def _shown(picture: Picture) -> Iterator[Artifact]:
    for artifact in picture.artifacts:
        named = _SHOWS_CGROUP in (artifact.command or "") or any(
            _SHOWS_CGROUP in text for text in artifact.lines[:_SHORT]
        )
        if named and not artifact.prose and artifact.length <= _SHORT:
            yield artifact


def _is_own(artifact: Artifact) -> bool:
    """A look into Calico's own container, or at the cgroup of one of its processes."""
    place = inside(artifact)
    if place.pod:
        return role_of_name(place.pod) in _PARTS
    return bool(_OF_CALICO.search(artifact.command or ""))


def _cgroups(artifact: Artifact, picture: Picture) -> Iterator[Cgroup]:
    """One for each time that the same files are shown anew."""
    machines, own = subjects(artifact), _is_own(artifact)
    cgroup = None
    for index, file, value in _values(artifact):
        if cgroup is None or file in cgroup.values:
            if cgroup:
                yield cgroup
            cgroup = Cgroup(_node(machines, index, picture), own)
        cgroup.values[file] = value, index
    if cgroup:
        yield cgroup


def _values(artifact: Artifact) -> Iterator[tuple[int, str, int]]:
    named = [(index, found) for index, text in enumerate(artifact.lines) if (found := _NAMED.search(text))]
    if named:
        yield from ((index, found["file"], int(found["value"])) for index, found in named)
        return
    files = _FILE.findall(artifact.command or "")
    bare = [(index, int(text)) for index, text in output_lines(artifact) if _NUMBER.fullmatch(text)]
    # Only where every file has its number: an unlimited one prints a word, and would shift the others.
    if len(files) == len(bare):
        yield from ((index, file, value) for file, (index, value) in zip(files, bare, strict=True))


def _node(machines: Subjects, index: int, picture: Picture) -> str | None:
    host = machines.at(index)
    return picture.names.node(host) or host


SIGNS = {"calico-cgroup-kills": calico_cgroup_kills, "calico-limit-reached": calico_limit_reached}
