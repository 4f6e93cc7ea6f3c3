"""Signs in the CNI directories of a node: configurations and programs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.evidence.expressions import expression
from calivet.facts.calico import CniConfig
from calivet.facts.host import File
from calivet.facts.kubernetes import Condition
from calivet.facts.picture import Picture, is_healthy
from calivet.signs.sighting import Sighting

_CONFIG = expression(r"/cni/net\.d/(?P<name>[^/]+\.(?:conf|conflist|json))$|/cni-network/(?P<snap>[^/]+\.conflist)$")
_SEARCHES_CALI = expression(r"\bip\b.*\|\s*e?grep\b.*\bcali")
_LISTS_NETWORKS = expression(r"\bls\b[^|]*cni/net\.d")
_NETWORK_FILE = expression(r"[\w.-]+\.(?:conf|conflist)")
_NARROWED = expression(r"\||\bgrep\b|\*")
_OWN = expression(r"calico|canal|multus", re.IGNORECASE)
_PROGRAM = expression(r"(?P<folder>.*/(?:cni/bin|libexec/cni|lib/cni))/(?P<name>[^/]+)$")
_NEEDED = ("calico", "calico-ipam", "loopback", "portmap")


def other_file_first(picture: Picture) -> Iterator[Sighting]:
    """A foreign configuration that sorts before Calico's own, or is the only one."""
    for files in _configurations(picture).values():
        first = min(files)
        if not _OWN.search(first):
            yield _file(files[first], first, picture)


def other_file_present(picture: Picture) -> Iterator[Sighting]:
    """A foreign configuration beside Calico's."""
    for files in _configurations(picture).values():
        for name, file in sorted(files.items())[1:]:
            if not _OWN.search(name):
                yield _file(file, name, picture)


def programs_absent(picture: Picture) -> Iterator[Sighting]:
    """A complete listing of the program directory that lacks what Calico's configuration calls."""
    for (host, folder), names in _programs(picture).items():
        missing = [needed for needed in _NEEDED if needed not in names]
        at = next(iter(names.values())).at
        if missing and (len(names) > 1 or "*" in names) and _listed_whole(at, picture):
            values = {"folder": folder, "missing": ", ".join(missing)}
            yield Sighting(line=at, node=picture.names.node(host) or host, values=values)


def no_network_though_ready(picture: Picture) -> Iterator[Sighting]:
    """A node that says it has no network plugin while its calico-node is ready."""
    ready = {pod.node for pod in picture.latest_pods("calico-node") if pod.node and is_healthy(pod)}
    for condition in picture.all(Condition):
        of_node = condition.kind == "node" and condition.type == "Ready" and condition.object in ready
        if of_node and "NetworkPluginNotReady" in (condition.message or ""):
            yield Sighting(line=condition.at, node=condition.object, values={"node": condition.object})


def config_of_other_plugin(picture: Picture) -> Iterator[Sighting]:
    """The content of a configuration that does not call Calico."""
    for config in picture.all(CniConfig):
        if config.plugins and not any(_OWN.search(plugin) for plugin in config.plugins):
            values = {"name": config.file or config.name or "", "plugins": ", ".join(config.plugins)}
            yield Sighting(line=config.at, node=picture.names.node(config.host) or config.host, values=values)


def no_cali_interfaces(picture: Picture) -> Iterator[Sighting]:
    """The operator looked for Calico's interfaces on a node and found none."""
    for artifact in picture.artifacts:
        if _SEARCHES_CALI.search(artifact.command or ""):
            shown = [text.strip() for text in artifact.lines[1:] if text.strip()]
            if shown in ([], ["0"]):
                node = picture.names.node(artifact.host) or artifact.host
                yield Sighting(line=artifact.at(len(artifact.lines) - 1), node=node, order=artifact.order)


def _configurations(picture: Picture) -> dict[str | None, dict[str, File]]:
    found: dict[str | None, dict[str, File]] = defaultdict(dict)
    for file in [*picture.all(File), *_listed_among_others(picture)]:
        name = _CONFIG.search(file.path)
        if name and file.exists:
            found[file.host][name["name"] or name["snap"]] = file
    return found


def _listed_among_others(picture: Picture) -> Iterator[File]:
    """Configuration files in the output of several commands at once, where no reader takes it for a listing."""
    for artifact in picture.artifacts:
        if not _LISTS_NETWORKS.search(artifact.command or "") or "file-listing" in artifact.kinds:
            continue
        for index, text in enumerate(artifact.lines[1:], start=1):
            if _NETWORK_FILE.fullmatch(text.strip()):
                yield File(at=artifact.at(index), host=artifact.host, path=f"/cni/net.d/{text.strip()}", exists=True)


def _programs(picture: Picture) -> dict[tuple[str | None, str], dict[str, File]]:
    found: dict[tuple[str | None, str], dict[str, File]] = defaultdict(dict)
    for file in picture.all(File):
        name = _PROGRAM.match(file.path)
        if name and (file.exists or name["name"] == "*"):
            found[file.host, name["folder"]][name["name"]] = file
    return found


def _listed_whole(line: Line, picture: Picture) -> bool:
    """Whether the listing was not cut down by a pipe; only then does absence say anything."""
    around = picture.artifact(line)
    return around is not None and not _NARROWED.search(around.command or "")


def _file(file: File, name: str, picture: Picture) -> Sighting:
    return Sighting(line=file.at, node=picture.names.node(file.host) or file.host, values={"file": name})


SIGNS = {
    "other-cni-file-first": other_file_first,
    "other-cni-file-present": other_file_present,
    "no-cali-interfaces": no_cali_interfaces,
    "cni-programs-absent": programs_absent,
    "cni-config-of-other-plugin": config_of_other_plugin,
    "no-network-though-calico-ready": no_network_though_ready,
}
