"""The bundles of a fleet, and one of them diagnosed, wherever a worker runs: the JSON contract and the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import reduce
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct, field

from calivet.contract.diagnosis import Document
from calivet.contract.documents import build_document
from calivet.engines.engine import OwnFiles, PathError, load_knowledge
from calivet.evidence.archives.member_names import is_clutter
from calivet.evidence.gather import gather
from calivet.evidence.layouts.own_bundle import MANIFEST
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Version
from calivet.facts.kubernetes import Node
from calivet.messages.message import Message, message
from calivet.pipeline import Examined, examine
from calivet.redaction.redactor import Redactor

ARCHIVES = tuple(".tar .tgz .tzst .tbz2 .txz .zip".split()) + tuple(
    f".tar.{packed}" for packed in ("gz", "zst", "bz2", "xz")
)
CASE = "expect.yaml"
"""The label of a case; the evidence lies beside it, and the label is none."""
EVIDENCE = "evidence"


class NoSuchPathError(Exception):
    """Something that was named is not there."""


def find_bundles(paths: Iterable[str]) -> Iterator[str]:
    """The bundles that these paths name or hold, each once."""
    seen: set[Path] = set()
    for given in paths:
        path = Path(given)
        if not path.exists():
            raise NoSuchPathError(given)
        for bundle in _list_shelf(path) if path.is_dir() else [path]:
            if (real := bundle.resolve()) not in seen:
                seen.add(real)
                yield str(bundle)


def _list_shelf(folder: Path) -> Iterator[Path]:
    """A folder that holds nothing but loose files is a bundle itself, and so is what says that it is one."""
    archives, folders, loose = _sort_entries(folder)
    if {MANIFEST, CASE} & {file.name for file in loose} or not (archives or folders):
        yield _find_evidence(folder)
        return
    yield from archives
    for inner in folders:
        inner_archives, _, inner_loose = _sort_entries(inner)
        if inner_archives and not inner_loose:
            yield from _list_shelf(inner)
        else:
            yield _find_evidence(inner)


def _find_evidence(folder: Path) -> Path:
    return folder / EVIDENCE if (folder / CASE).is_file() else folder


def _sort_entries(folder: Path) -> tuple[list[Path], list[Path], list[Path]]:
    """Archives, folders and other files; what cannot be looked into is a bundle that fails later, with its reason."""
    try:
        entries = sorted(entry for entry in folder.iterdir() if not is_clutter(entry.name))
    except OSError:
        return [], [], []
    folders = [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]
    files = [entry for entry in entries if entry.is_file()]
    archives = [file for file in files if file.name.lower().endswith(ARCHIVES)]
    return archives, folders, [file for file in files if file not in archives]


class BundleAnswer(Struct, frozen=True):
    """All that is kept of a bundle: what travels back from the worker."""

    diagnosis: Document
    background: Background


class DiagnoseBundle(Struct, frozen=True):
    """From a bundle's path to JSON."""

    language: str
    own: OwnFiles = ()

    def __call__(self, path: str) -> bytes:
        """Diagnose; where nothing could be read, that is no diagnosis."""
        catalogue, watch = load_knowledge(self.own)
        evidence = gather([path], matcher=watch.output, redactor=Redactor())
        if not evidence.artifacts:
            raise PathError(reduce(_join_reasons, (item.why for item in evidence.unreadable)))
        examined = examine(evidence, catalogue, watch)
        return msgspec.json.encode(
            BundleAnswer(build_document(examined.diagnosis, self.language), find_background(examined))
        )


def _join_reasons(first: Message, second: Message) -> Message:
    return message("engine.both", first=first, second=second)


def read_answer(text: bytes) -> BundleAnswer:
    """As the worker wrote it."""
    return msgspec.json.decode(text, type=BundleAnswer)


LONGEST = 80
"""Characters of a version; what is longer is something else."""
CONTROL = ("control-plane", "master", "controlplane")


class Running(Struct, frozen=True):
    """A version of a program, and on how many nodes it was seen; 0 where none is named."""

    program: str
    version: str
    nodes: int


class Background(Struct, frozen=True):
    """Beside the diagnosis."""

    cluster: str | None = None
    """The same for every bundle of one cluster; None where no node was seen."""
    collected: datetime | None = None
    versions: list[Running] = field(default_factory=list)


def find_background(examined: Examined) -> Background:
    """Taken from the facts and from the bundle's own word on when it was collected."""
    picture = examined.picture
    return Background(_identify_cluster(picture), _convert_to_utc(examined.taken), _collect_versions(picture))


def _convert_to_utc(moment: datetime | None) -> datetime | None:
    """Databases compare clock faces: all are those of UTC."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment and moment.tzinfo else moment


def _identify_cluster(picture: ClusterFacts) -> str | None:
    """Told by the control plane, where seen: its nodes stay while others come and go. Else by all nodes."""
    latest = {node.name: node for node in picture.all(Node)}
    chosen = [node for node in latest.values() if node.roles and any(role in node.roles for role in CONTROL)]
    named = sorted(f"{node.name} {node.internal_ip or ''}" for node in chosen or latest.values())
    return blake2b("\n".join(named).encode("utf-8", "replace"), digest_size=8).hexdigest() if named else None


def _collect_versions(picture: ClusterFacts) -> list[Running]:
    """Each program's versions with the nodes they were last seen on, the most frequent first."""
    seen: dict[tuple[str, str | None, str | None], str] = {}
    for fact in picture.all(Version):
        seen[fact.program, fact.host, fact.owner] = fact.version
    for node in picture.all(Node):
        seen |= {(program, node.name, None): version for program, version in _list_node_versions(node)}
    places = {(program, version, host) for (program, host, _), version in seen.items() if _is_plausible(version)}
    counts: Counter[tuple[str, str]] = Counter()
    for program, version, host in places:
        counts[program, version] += host is not None
    return [Running(*key, nodes) for key, nodes in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def _list_node_versions(node: Node) -> list[tuple[str, str]]:
    """What the node's line or object says runs on it."""
    runtime, _, version = (node.runtime or "").partition("://")
    told = [("kubernetes", node.version), ("kernel", node.kernel), ("os", node.os), (runtime, version)]
    return [(program, version) for program, version in told if program and version]


def _is_plausible(version: str) -> bool:
    return bool(version) and len(version) <= LONGEST and version.isprintable()
