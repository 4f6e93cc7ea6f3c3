"""CRI-O's settings: crio.conf and its drop-ins, `crio config`, `crio status config`."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Setting
from calivet.readers.command import asked, file_named, output_start
from calivet.readers.host.toml_lines import NUMBERED, entries
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

_KEYS = frozenset(
    (
        "cgroup_manager",
        "conmon_cgroup",
        "network_dir",
        "plugin_dir",
        "plugin_dirs",
        "pause_image",
        "default_runtime",
        "cni_default_network",
    )
)
# containerd has keys of the same names.
_OTHER = expression(r"\bcontainerd\b")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """The entries that decide how pods get their cgroup and their network."""
    del anchors
    reading = Reading()
    if asked(artifact, _OTHER):
        return reading
    machines, file = subjects(artifact), file_named(artifact, "crio")
    for entry in entries(artifact, _KEYS, output_start(artifact)):
        # podman has keys of the same names in files of its own.
        if entry.section and not entry.section.startswith("crio"):
            continue
        at, host = artifact.at(entry.index), machines.at(entry.index)
        reading.facts.append(Setting(at=at, host=host, program="crio", key=entry.key, value=entry.value, file=file))
        reading.claim(entry.index, entry.index + 1)
    return reading


READER = Reader(kind="crio-config", anchor=expression(rf"{NUMBERED}(?:{'|'.join(sorted(_KEYS))})\s*=\s*\S"), read=read)
