"""Settings of the container runtime: containerd's and Docker's files, `docker info`, and files it could not read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact, Scalar, Setting, Version
from calivet.facts.runtime import FormatError
from calivet.readers.command import find_file, find_output_start, list_output_lines, look_inside, search_command
from calivet.readers.reader import Reader, Reading, read_statements
from calivet.readers.subject import find_subjects
from calivet.search.expressions import expression

_ANCHOR = expression(r"exec(?:ing)?\b.{0,80}: exec format error")


def _read(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    machines, pod = find_subjects(artifact), look_inside(artifact).pod
    for index in anchors:
        yield FormatError(at=artifact.at(index), host=machines.at(index), pod=pod)


FORMAT_ERROR_READER = read_statements(_read, anchor=_ANCHOR)


_SETTINGS: tuple[tuple[str, re.Pattern[str], Callable[[str], Scalar]], ...] = (
    ("cgroup-driver", expression(r"^\s*Cgroup Driver: (\w+)\s*$"), str),
    ("cgroup-version", expression(r"^\s*Cgroup Version: (\d)\s*$"), str),
    ("storage-driver", expression(r"^\s*Storage Driver: (\w+)\s*$"), str),
    ("live-restore", expression(r"^\s*Live Restore Enabled: (true|false)\s*$"), lambda text: text == "true"),
    ("live-restore", expression(r"\"live-restore\"\s*:\s*(true|false)"), lambda text: text == "true"),
    ("live-restore", expression(r"\bdockerd\b.*(--live-restore)\b"), bool),
    ("cgroup-driver", expression(r"\bnative\.cgroupdriver=(systemd|cgroupfs)\b"), str),
    ("exec-opts", expression(r"\b(native\.cgroupdriver=(?:systemd|cgroupfs))\b"), str),
)
_SERVER_VERSION = expression(r"^\s*Server Version: (\d[\w.+~-]*)\s*$")
_MIRRORS = expression(r"^\s*Registry Mirrors:\s*$|\"registry-mirrors\"\s*:\s*\[(?P<inline>[^\]]*)")
_ADDRESS = expression(r"https?://[^\s\"',]+")
_PART = expression(r"^ ?(?P<part>Client|Server|Engine|containerd|runc|docker-init)(?::| [\w -]+:?$)")
_PART_VERSION = expression(r"^\s+Version:\s+v?(?P<version>\d[\w.+~-]*)\s*$")
_ASKED_VERSION = expression(r"\bdocker\s+(?:version|info)\s.*\.ServerVersion|\bdocker\s+version\s.*\.Server\.Version")
_BARE_VERSION = expression(r"^'?(\d+\.\d+[\w.+~-]*)'?$")
_VERSION_REACH = 2
_PROGRAMS = {"Engine": "docker", "Server": "docker", "containerd": "containerd", "runc": "runc"}


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Settings line by line; versions also from the parts of `docker version`."""
    reading = Reading()
    machines, file = find_subjects(artifact), find_file(artifact, "docker")
    for index in anchors:
        line = artifact.lines[index]
        if index < find_output_start(artifact) or line.lstrip().startswith("#"):
            continue
        for key, value in _find_settings(artifact, index):
            at, host = artifact.at(index), machines.at(index)
            reading.facts.append(Setting(at=at, host=host, program="docker", key=key, value=value, file=file))
            reading.claim(index, index + 1)
    for index, program, version in (*_find_versions(artifact, anchors), *_find_bare_version(artifact)):
        at, host = artifact.at(index), machines.at(index)
        reading.facts.append(Version(at=at, host=host, program=program, version=version))
        reading.claim(index, index + 1)
    return reading


def _find_settings(artifact: Artifact, index: int) -> Iterator[tuple[str, Scalar]]:
    line = artifact.lines[index]
    for key, pattern, value in _SETTINGS:
        if found := pattern.search(line):
            yield key, value(found[1])
    mirrors = _MIRRORS.search(line)
    if mirrors and (addresses := _find_addresses(artifact, index, mirrors["inline"])):
        yield "registry-mirrors", ",".join(addresses)


def _find_addresses(artifact: Artifact, index: int, inline: str | None) -> list[str]:
    """On the line itself, or on the lines below as long as they hold addresses."""
    found = _ADDRESS.findall(inline or "")
    for line in artifact.lines[index + 1 :]:
        below = _ADDRESS.findall(line)
        if (found and inline) or not below:
            break
        found += below
    return found


def _find_versions(artifact: Artifact, anchors: list[int]) -> Iterator[tuple[int, str, str]]:
    part, since = "", 0
    for index in anchors:
        line = artifact.lines[index]
        if found := _SERVER_VERSION.match(line):
            yield index, "docker", found[1]
        elif found := _PART.match(line):
            part, since = found["part"], index
        elif (found := _PART_VERSION.match(line)) and part in _PROGRAMS and index - since <= _VERSION_REACH:
            yield index, _PROGRAMS[part], found["version"]
            part = ""


def _find_bare_version(artifact: Artifact) -> Iterator[tuple[int, str, str]]:
    if search_command(artifact, _ASKED_VERSION):
        for index, text in list_output_lines(artifact):
            if found := _BARE_VERSION.match(text):
                yield index, "docker", found[1]


DOCKER_INFO_READER = Reader(
    kind="docker-info",
    anchor=expression(
        r"^(?:\s*(?:Cgroup Driver|Cgroup Version|Storage Driver|Live Restore Enabled|Server Version|Registry Mirrors):"
        r"|\s+Version:\s+v?\d| ?(?:Client|Server|Engine|containerd|runc|docker-init)(?::| [\w -]+:?$)"
        r"|'?\d+\.\d+[\w.+~-]*'?\s*$"
        r"|.*native\.cgroupdriver=|.*\"live-restore\"|.*\"registry-mirrors\"|.*dockerd\b.*--live-restore)"
    ),
    read=read,
)


# TOML read line by line, so that every value keeps its line, and cut or filtered files still give what they have.
#
# `grep -n` puts the line's number before it.
NUMBERED = r"^\s*(?:\d+[:-]\s*)?"
_SECTION = expression(rf"{NUMBERED}\[{{1,2}}(?P<section>[^\[\]=]+)\]{{1,2}}\s*(?:#.*)?$")
_ENTRY = expression(rf"{NUMBERED}(?P<key>[A-Za-z_][\w-]*)\s*=\s*(?P<value>\S.*)$")
_LONGEST_LIST = 40


class Entry(Struct):
    """A key with its value; lists are joined by commas."""

    index: int
    section: str
    """Empty where no header stands above."""
    key: str
    value: Scalar


def find_entries(artifact: Artifact, keys: frozenset[str], start: int = 0) -> Iterator[Entry]:
    """The entries with these keys; comments are not settings."""
    section = ""
    for index in range(start, len(artifact.lines)):
        line = artifact.lines[index]
        if head := _SECTION.match(line):
            section = head["section"].strip()
        elif (entry := _ENTRY.match(line)) and entry["key"] in keys:
            yield Entry(index, section, entry["key"], _parse_value(artifact, index, entry["value"]))


def _parse_value(artifact: Artifact, index: int, text: str) -> Scalar:
    """The value by TOML's own rules, over as many lines as a list takes; as it is written where they do not fit."""
    import tomllib

    following = artifact.lines[index + 1 : index + 1 + _LONGEST_LIST] if text.startswith("[") else []
    for line in ("", *following):
        text = f"{text}\n{line}" if line else text
        if text.startswith("[") and "]" not in text:
            continue
        try:
            return _to_scalar(tomllib.loads(f"value = {text}")["value"])
        except tomllib.TOMLDecodeError:
            continue
    return text.split("\n", 1)[0].strip()


def _to_scalar(value: object) -> Scalar:
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    return value if isinstance(value, str | int | float | bool) else str(value)


# containerd's settings: config.toml of versions 1 to 3, whole, cut or grepped, `config dump`, `crictl info`.
#
# The key in the file, and the name a setting goes by whatever the version of the file.
_CONTAINERD_KEYS = {
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


def read_containerd_config(artifact: Artifact, anchors: list[int]) -> Reading:
    """Entries of TOML or of crictl's JSON; of several runtimes' options the default runtime's are containerd's own."""
    reading = Reading()
    if search_command(artifact, _DEFAULTS):
        return reading
    host, file = find_subjects(artifact), find_file(artifact, "containerd")

    def note(index: int, key: str, value: Scalar) -> None:
        at = artifact.at(index)
        reading.facts.append(Setting(at=at, host=host.at(index), program="containerd", key=key, value=value, file=file))
        reading.claim(index, index + 1)

    found = [
        entry
        for entry in find_entries(artifact, frozenset(_CONTAINERD_KEYS), find_output_start(artifact))
        if _does_belong(entry)
    ]
    usual = next((str(entry.value) for entry in found if entry.key == "default_runtime_name"), "") or _USUAL_RUNTIME
    for entry in found:
        runtime = _RUNTIME.search(entry.section)
        other = entry.key == "SystemdCgroup" and runtime and runtime["name"] != usual
        note(
            entry.index,
            f"{_CONTAINERD_KEYS[entry.key]}.{runtime['name']}" if other and runtime else _CONTAINERD_KEYS[entry.key],
            entry.value,
        )
    if _is_whole_without_driver(artifact, found):
        note(0, "SystemdCgroup", False)
    for index in anchors:
        if line := _JSON_LINE.match(artifact.lines[index]):
            note(index, _JSON_KEYS[line["key"]], line["text"] if line["word"] is None else line["word"] == "true")
    return reading


def _is_whole_without_driver(artifact: Artifact, found: list[Entry]) -> bool:
    """A whole file of containerd 1.x that does not name the cgroup driver: then it is cgroupfs.

    Where docker owns containerd the CRI is off, and other files may be drawn in; such a file tells nothing.
    """
    text = "\n".join(artifact.lines)
    if not (_SHOWN.search(artifact.command or "") and _CRI.search(text)) or _OPEN.search(text):
        return False
    return bool(found) and not any(entry.key in ("SystemdCgroup", "systemd_cgroup") for entry in found)


def _does_belong(entry: Entry) -> bool:
    """A key of a section with another meaning is none of ours; without a section, the key alone must do."""
    wanted = _SECTION_OF.get(entry.key)
    if entry.key == "sandbox" and not entry.section:
        return "pause" in str(entry.value)
    return wanted is None or not entry.section or wanted in entry.section


CONTAINERD_READER = Reader(
    kind="containerd-config",
    anchor=expression(rf"{NUMBERED}(?:{'|'.join(_CONTAINERD_KEYS)})\s*=\s*\S|^\s*\"(?:{'|'.join(_JSON_KEYS)})\":"),
    read=read_containerd_config,
)


# CRI-O's settings: crio.conf and its drop-ins, `crio config`, `crio status config`.
_CRIO_KEYS = frozenset(
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
_OF_CONTAINERD = expression(r"\bcontainerd\b")


def read_crio_config(artifact: Artifact, anchors: list[int]) -> Reading:
    """The entries that decide how pods get their cgroup and their network."""
    del anchors
    reading = Reading()
    if search_command(artifact, _OF_CONTAINERD):
        return reading
    machines, file = find_subjects(artifact), find_file(artifact, "crio")
    for entry in find_entries(artifact, _CRIO_KEYS, find_output_start(artifact)):
        # podman has keys of the same names in files of its own.
        if entry.section and not entry.section.startswith("crio"):
            continue
        at, host = artifact.at(entry.index), machines.at(entry.index)
        reading.facts.append(Setting(at=at, host=host, program="crio", key=entry.key, value=entry.value, file=file))
        reading.claim(entry.index, entry.index + 1)
    return reading


CRIO_READER = Reader(
    kind="crio-config",
    anchor=expression(rf"{NUMBERED}(?:{'|'.join(sorted(_CRIO_KEYS))})\s*=\s*\S"),
    read=read_crio_config,
)
