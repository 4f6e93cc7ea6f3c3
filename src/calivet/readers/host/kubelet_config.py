"""kubelet's settings: KubeletConfiguration (whole, grepped or JSON), flags in any file or process line, its own log."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Scalar, Setting
from calivet.readers.command import find_file, find_output_start
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import Subjects, find_journal_host, find_subjects
from calivet.search.expressions import expression

_FLAGS = {
    "cgroup-driver": "cgroupDriver",
    "fail-swap-on": "failSwapOn",
    "cluster-dns": "clusterDNS",
    "resolv-conf": "resolvConf",
    "container-runtime": "containerRuntime",
    "container-runtime-endpoint": "containerRuntimeEndpoint",
    "network-plugin": "networkPlugin",
    "cni-conf-dir": "cniConfDir",
    "cni-bin-dir": "cniBinDir",
    "hostname-override": "hostnameOverride",
    "node-ip": "nodeIp",
}
_FIELDS = ("cgroupDriver", "failSwapOn", "clusterDNS", "resolvConf", "containerRuntimeEndpoint")

_FLAG_NAMES = "|".join(sorted(_FLAGS, key=len, reverse=True))
_FLAG = expression(rf"--(?P<flag>{_FLAG_NAMES})=[\"']?(?P<value>[^\s\"'\\]+)")
# A value after a blank is sure only on kubelet's own command line; in a message the next word is just a word.
_SPACED_FLAG = expression(rf"--(?P<flag>{_FLAG_NAMES}) (?P<value>[^\s\"'\\-][^\s\"'\\]*)")
_COMMAND_LINE = expression(r"\bkubelet(?:\s+\\)?\s+--|^\s*--[\w-]+ \S+ \\$")
_FIELD = expression(rf"^\s*(?P<key>{'|'.join(_FIELDS)}):\s*(?P<value>[^#]*?)\s*(?:#.*)?$")
_EXTRA_ARGUMENT = expression(
    r"^\s*(?P<flag>cgroup-driver|fail-swap-on|node-ip|hostname-override):\s*(?P<value>\S+)\s*$"
)
_JSON_FIELD = expression(rf"\"(?P<key>{'|'.join(_FIELDS)})\"\s*:\s*(?:\[\s*)?\"?(?P<value>[^\",}}\]\s]+)")
_LIST_ITEM = expression(r"^\s*-\s+['\"]?(?P<value>[^\s'\"]+)")
_LOGGED = expression(
    r"\bCgroupDriver\"?:\"?(?P<driver>cgroupfs|systemd)\b"
    r"|kubelet cgroup driver: \\?\"(?P<kubelet>[^\"\\]+)\\?\""
    r" is different from docker cgroup driver: \\?\"(?P<docker>\w+)"
)
# A value at the end of a line may have been cut; of these it is known what they can be.
_CHOICES = {"cgroupDriver": ("systemd", "cgroupfs"), "failSwapOn": ("true", "false")}
_CUT_SIGNS = ("…", ">", "...")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Flags and fields of each line; the same value of the same host is stated once."""
    reading = Reading()
    machines, file = find_subjects(artifact), find_file(artifact, "kubelet")
    seen: set[tuple[str | None, str, str, Scalar]] = set()
    for index in anchors:
        line = artifact.lines[index]
        if index < find_output_start(artifact) or line.lstrip().startswith("#"):
            continue
        for program, key, value in _find_settings(artifact, index, line):
            host = _find_host(line, index, machines)
            if (host, program, key, value) not in seen:
                seen.add((host, program, key, value))
                at = artifact.at(index)
                reading.facts.append(Setting(at=at, host=host, program=program, key=key, value=value, file=file))
            reading.claim(index, index + 1)
    return reading


def parse_flags(line: str) -> Iterator[tuple[str, Scalar]]:
    """The settings that kubelet's flags in this line make."""
    patterns = (_FLAG, _SPACED_FLAG) if _COMMAND_LINE.search(line) else (_FLAG,)
    for pattern in patterns:
        for found in pattern.finditer(line):
            yield from _parse_valid(_FLAGS[found["flag"]], found["value"])


def _find_settings(artifact: Artifact, index: int, line: str) -> Iterator[tuple[str, str, Scalar]]:
    if logged := _LOGGED.search(line):
        yield "kubelet", "cgroupDriver", logged["driver"] or logged["kubelet"]
        if logged["docker"]:
            yield "docker", "cgroup-driver", logged["docker"]
        return
    yield from (("kubelet", key, value) for key, value in parse_flags(line))
    if argument := _EXTRA_ARGUMENT.match(line):
        yield from (("kubelet", *setting) for setting in _parse_valid(_FLAGS[argument["flag"]], argument["value"]))
    if field := _FIELD.match(line):
        value = field["value"] or _list_below(artifact, index)
        yield from (("kubelet", *setting) for setting in _parse_valid(field["key"], value.strip("[]")))
    else:
        for found in _JSON_FIELD.finditer(line):
            yield from (("kubelet", *setting) for setting in _parse_valid(found["key"], found["value"]))


def _parse_valid(key: str, text: str) -> Iterator[tuple[str, Scalar]]:
    value = text.strip("\"' ,")
    choices = _CHOICES.get(key)
    if not value or value.endswith(_CUT_SIGNS) or value.startswith("$") or (choices and value not in choices):
        return
    yield key, value == "true" if value in ("true", "false") else value


def _list_below(artifact: Artifact, index: int) -> str:
    items: list[str] = []
    for line in artifact.lines[index + 1 :]:
        item = _LIST_ITEM.match(line)
        if not item:
            break
        items.append(item["value"])
    return ",".join(items)


def _find_host(line: str, index: int, machines: Subjects) -> str | None:
    return find_journal_host(line) or machines.at(index)


READER = Reader(
    kind="kubelet-config",
    anchor=expression(
        rf"^(?:\s*(?:{'|'.join(_FIELDS)}|cgroup-driver|fail-swap-on|node-ip|hostname-override):"
        rf"|.*--(?:{_FLAG_NAMES})[= ]\S|.*\"(?:{'|'.join(_FIELDS)})\"\s*:|.*CgroupDriver\"?:|.*kubelet cgroup driver: )"
    ),
    read=read,
)
