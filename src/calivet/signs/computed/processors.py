"""Signs of a processor that is too old for the images: what it can, what they ask, and programs that die unheard."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Container
from calivet.facts.picture import Picture, once
from calivet.facts.roles import role_of_name
from calivet.readers.subject import subjects
from calivet.signs.sighting import Sighting

# What the CPU must have for x86-64-v2; the kernel calls SSE3 pni.
_SECOND_LEVEL = frozenset(("cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"))
# The kernel always prints flags in the same order. What stands behind the last of these that is shown may only have
# been cut off; what should stand before it is missing.
_ORDER = (
    "pni ssse3 cx16 sse4_1 sse4_2 x2apic popcnt aes xsave avx hypervisor lahf_lm cmp_legacy svm cr8_legacy abm sse4a"
    " misalignsse 3dnowprefetch pti tpr_shadow vnmi vmmcall fsgsbase npt svm_lock nrip_save"
).split()
# Every list of an x86 CPU begins so, whatever the label before it is called in the language of the machine.
_FLAGS = expression(r"(?:^|[:：])\s*(?P<flags>fpu(?: +[a-z0-9_]+){8,})\s*$")
_MORE_FLAGS = expression(r"^\s*[a-z0-9_]+(?: +[a-z0-9_]+)*\s*$")
_MOST_WRAPS = 8
_FIRST_LEVEL = " lm "
# The dynamic loader lists what it would search; what this CPU can do is marked.
_LOADER_LIST = "glibc-hwcaps"
_UNSUPPORTED = expression(r"^\s*x86-64-v2\s*$")
# A list of capabilities is pasted with its command; a longer text is a log.
_SHORT = 600
# The first Calico whose images are built for the second level.
_BUILT_SINCE = (3, 31)
_MINOR = expression(r"v?(\d+)\.(\d+)")
# A program that runs, though it be not ready, is not one that cannot run here.
_DYING = expression(r"CrashLoopBackOff|Error")
_IMAGE = expression(
    r"\b(?:calico|tigera)/(?:node|cni|typha|kube-controllers|pod2daemon-flexvol|csi):(?P<version>v?\d[\w.-]*)"
)
_PARTS = ("calico-node", "calico-cni", "typha", "kube-controllers", "flexvol-driver", "calico-apiserver")
_CONTAINERS = ("calico-node", "install-cni", "upgrade-ipam", "flexvol-driver", "mount-bpffs", "ebpf-bootstrap")
# With this the loader ends a program that it may not run here, and the shell one that it does not find.
_NOT_LOADED = 127


def cpu_below_second_level(picture: Picture) -> Iterator[Sighting]:
    """A CPU of the x86-64 family without the instructions that newer images are built for."""
    yield from _by_flags(picture)


def loader_below_second_level(picture: Picture) -> Iterator[Sighting]:
    """The dynamic loader does not mark the second level as one that this CPU supports."""
    yield from _by_loader(picture)


def old_cpu_under_new_images(picture: Picture) -> Iterator[Sighting]:
    """Images that need the second level, and a machine below it on which containers of calico-node die."""
    version = _images(picture)
    found = _MINOR.match(version)
    if not found or (int(found[1]), int(found[2])) < _BUILT_SINCE:
        return
    old = {one.node: one for one in (*_by_loader(picture), *_by_flags(picture))}
    dying = {pod.node for pod in picture.latest_pods("calico-node") if _DYING.search(pod.status or "")}
    for node, one in old.items():
        if node in dying or (node is None and dying and not picture.healthy_nodes):
            yield Sighting(line=one.line, node=node, values={"version": version})


def calico_not_loaded(picture: Picture) -> Iterator[Sighting]:
    """A container of Calico that the loader ended in the very second in which it was started."""
    for container in picture.all(Container):
        ends = (
            (container.exit_code, container.started, container.finished),
            (container.last_exit_code, container.last_started, container.last_finished),
        )
        own = container.name in _CONTAINERS or role_of_name(container.pod or "") in _PARTS
        if own and any(code == _NOT_LOADED and began and began == ended for code, began, ended in ends):
            node = picture.node_of_pod(container.pod)
            yield Sighting(line=container.at, node=node, values={"container": container.name})


@once
def _images(picture: Picture) -> str:
    """The version of Calico's images that was seen last, in a list or wherever an image is named."""
    told = next((one.version for one in reversed(picture.all(Version)) if one.program in _PARTS), "")
    named = (found["version"] for _, _, text in _short_lines(picture) if (found := _IMAGE.search(text)))
    return told or next(named, "")


@once
def _by_flags(picture: Picture) -> list[Sighting]:
    found: dict[str | None, Sighting] = {}
    for artifact, index, text in _short_lines(picture):
        if "fpu " in text and (flags := _FLAGS.search(text)):
            missing = _missing(flags["flags"], artifact.lines[index + 1 : index + _MOST_WRAPS])
            node = _node(artifact, index, picture)
            # All cores of a machine are alike.
            if missing and node not in found:
                found[node] = Sighting(line=artifact.at(index), node=node, values={"missing": ", ".join(missing)})
    return list(found.values())


@once
def _by_loader(picture: Picture) -> list[Sighting]:
    return [
        Sighting(line=artifact.at(index), node=_node(artifact, index, picture))
        for artifact, index, text in _short_lines(picture)
        if _UNSUPPORTED.match(text)
        and ("ld-linux" in (artifact.command or "") or any(_LOADER_LIST in line for line in artifact.lines))
    ]


def _short_lines(picture: Picture) -> Iterator[tuple[Artifact, int, str]]:
    for artifact in picture.artifacts:
        if artifact.length <= _SHORT:
            yield from ((artifact, index, text) for index, text in enumerate(artifact.lines))


def _node(artifact: Artifact, index: int, picture: Picture) -> str | None:
    host = subjects(artifact).at(index)
    return picture.names.node(host) or host


def _missing(flags: str, below: list[str]) -> list[str]:
    """What of the second level the list leaves out, as far as it goes; a terminal may have wrapped it."""
    for line in below:
        if not _MORE_FLAGS.match(line):
            break
        flags += f" {line}"
    have = set(flags.split())
    shown = max((place for place, flag in enumerate(_ORDER) if flag in have), default=0)
    return sorted(_SECOND_LEVEL.intersection(_ORDER[:shown]) - have) if _FIRST_LEVEL in f"{flags} " else []


SIGNS = {
    "cpu-below-second-level": cpu_below_second_level,
    "loader-below-second-level": loader_below_second_level,
    "old-cpu-under-new-images": old_cpu_under_new_images,
    "calico-not-loaded": calico_not_loaded,
}
