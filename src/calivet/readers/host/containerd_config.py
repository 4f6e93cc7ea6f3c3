"""containerd's settings: config.toml of versions 1 to 3, whole, cut or grepped, `config dump`, `crictl info`."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Scalar, Setting
from calivet.readers.command import asked, file_named, output_start
from calivet.readers.host.toml_lines import NUMBERED, Entry, entries
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import subjects

# The key in the file, and the name a setting goes by whatever the version of the file.
_KEYS = {
    "SystemdCgroup": "SystemdCgroup",
    "systemd_cgroup": "systemd_cgroup",
    "sandbox_image": "sandbox_image",
    "sandbox": "sandbox_image",
    "disabled_plugins": "disabled_plugins",
    "bin_dir": "bin_dir",
    "bin_dirs": "bin_dir",
    "conf_dir": "conf_dir",
    "default_runtime_name": "default_runtime_name",
    "config_path": "config_path",
}
# Keys that other sections use for other things.
_SECTION_OF = {
    "sandbox": "pinned_images",
    "config_path": "registry",
    "bin_dir": "cni",
    "bin_dirs": "cni",
    "conf_dir": "cni",
}
_RUNTIME = expression(r"\bruntimes\.['\"]?(?P<name>[\w-]+)")
_USUAL_RUNTIME = "runc"

_JSON_KEYS = {
    "SystemdCgroup": "SystemdCgroup",
    "systemdCgroup": "systemd_cgroup",
    "sandboxImage": "sandbox_image",
    "binDir": "bin_dir",
    "confDir": "conf_dir",
    "defaultRuntimeName": "default_runtime_name",
    "configPath": "config_path",
}
_JSON_LINE = expression(
    rf"^\s*\"(?P<key>{'|'.join(_JSON_KEYS)})\":\s*(?:\"(?P<text>[^\"]*)\"|(?P<word>true|false))\s*,?\s*$"
)
_SHOWN = expression(r"^\s*(?:sudo )?cat \S*containerd/config\.toml\s*$")
_CRI = expression(r"(?m)^\s*\[+plugins\.[\"']?(?:io\.containerd\.grpc\.v1\.)?cri\b")
_OPEN = expression(r"(?m)^\s*(?:version\s*=\s*3|imports\s*=\s*\[\s*[\"']|disabled_plugins\s*=.*cri\b)|^\s*\.\.\.")
# What containerd would use is not what this host uses.
_DEFAULTS = expression(r"\bconfig\s+default\b")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Entries of TOML or of crictl's JSON; of several runtimes' options the default runtime's are containerd's own."""
    reading = Reading()
    if asked(artifact, _DEFAULTS):
        return reading
    host, file = subjects(artifact), file_named(artifact, "containerd")

    def note(index: int, key: str, value: Scalar) -> None:
        at = artifact.at(index)
        reading.facts.append(Setting(at=at, host=host.at(index), program="containerd", key=key, value=value, file=file))
        reading.claim(index, index + 1)

    found = [entry for entry in entries(artifact, frozenset(_KEYS), output_start(artifact)) if _belongs(entry)]
    usual = next((str(entry.value) for entry in found if entry.key == "default_runtime_name"), "") or _USUAL_RUNTIME
    for entry in found:
        runtime = _RUNTIME.search(entry.section)
        other = entry.key == "SystemdCgroup" and runtime and runtime["name"] != usual
        note(
            entry.index, f"{_KEYS[entry.key]}.{runtime['name']}" if other and runtime else _KEYS[entry.key], entry.value
        )
    if _whole_without_driver(artifact, found):
        note(0, "SystemdCgroup", False)
    for index in anchors:
        if line := _JSON_LINE.match(artifact.lines[index]):
            note(index, _JSON_KEYS[line["key"]], line["text"] if line["word"] is None else line["word"] == "true")
    return reading


def _whole_without_driver(artifact: Artifact, found: list[Entry]) -> bool:
    """A whole file of containerd 1.x that does not name the cgroup driver: then it is cgroupfs.

    Where docker owns containerd the CRI is off, and other files may be drawn in; such a file tells nothing.
    """
    text = "\n".join(artifact.lines)
    if not (_SHOWN.search(artifact.command or "") and _CRI.search(text)) or _OPEN.search(text):
        return False
    return bool(found) and not any(entry.key in ("SystemdCgroup", "systemd_cgroup") for entry in found)


def _belongs(entry: Entry) -> bool:
    """A key of a section with another meaning is none of ours; without a section, the key alone must do."""
    wanted = _SECTION_OF.get(entry.key)
    if entry.key == "sandbox" and not entry.section:
        return "pause" in str(entry.value)
    return wanted is None or not entry.section or wanted in entry.section


READER = Reader(
    kind="containerd-config",
    anchor=expression(rf"{NUMBERED}(?:{'|'.join(_KEYS)})\s*=\s*\S|^\s*\"(?:{'|'.join(_JSON_KEYS)})\":"),
    read=read,
)
