"""The kernel: its release, and the modules that it has loaded or lacks."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Version
from calivet.facts.host import KernelModule
from calivet.readers.command import find_output_start, list_output_lines, search_command
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SHARED, SPEAKER, Subjects, find_journal_host, find_subjects
from calivet.search.expressions import expression

_HEADER = expression(r"^\s*Module\s+Size\s+Used by")
_ROW = expression(rf"^\s*{SPEAKER}(?P<name>[a-z]\w*)\s+\d{{3,9}}\s+-?\d+(?:\s+[\w,\[\]-]+)?\s*$")
_PROC_ROW = expression(r"^\s*(?P<name>[a-z]\w*) \d+ -?\d+ \S+ (?:Live|Loading|Unloading) 0x")
_ABSENT = expression(
    rf"^\s*{SPEAKER}(?:sudo: )?(?:modprobe|modinfo|insmod): "
    r"(?:(?:FATAL|ERROR|WARNING): )?(?:[Mm]odule|could not insert)? ?'?(?P<name>\w+)'?"
    r"(?: not found|: (?:Unknown symbol|Operation not permitted|Exec format))"
)
_CHECKED = expression(r"^\s+(?P<name>[a-z]\w+)\s+(?P<verdict>OK|FAIL)\s*$")
_CHECKING = "Checking kernel modules"
_LISTING = expression(r"\blsmod\b|/proc/modules\b")
_FILTER = expression(
    r"(?:\blsmod\s*\||/proc/modules\s*\|)?\s*\be?grep\s+(?P<flags>(?:-\w+\s+)*)"
    r"['\"]?(?P<words>[\w|\\^$ -]+?)['\"]?(?:\s+/proc/modules)?\s*$"
)
_PLAIN_WORD = expression(r"^[a-z]\w+$")


def read_modules(artifact: Artifact, anchors: list[int]) -> Reading:
    """Rows under a header or a listing command, and the tools' own words about one module."""
    reading = Reading()
    machines = find_subjects(artifact)
    for index in anchors:
        line = artifact.lines[index]
        if _HEADER.match(line):
            _read_rows(artifact, index + 1, machines, reading)
        elif _CHECKING in line:
            _read_checks(artifact, index + 1, machines, reading)
        elif found := _ABSENT.match(line):
            _note(artifact, index, machines.at(index, found["speaker"]), found["name"], False, reading)
        elif found := _PROC_ROW.match(line):
            _note(artifact, index, machines.at(index), found["name"], True, reading)
    if search_command(artifact, _LISTING):
        _read_listing(artifact, machines, reading)
    return reading


def _read_rows(artifact: Artifact, start: int, machines: Subjects, reading: Reading) -> None:
    for index in range(start, len(artifact.lines)):
        row = _ROW.match(artifact.lines[index])
        if not row:
            return
        _note(artifact, index, machines.at(index, row["speaker"]), row["name"], True, reading)


def _read_checks(artifact: Artifact, start: int, machines: Subjects, reading: Reading) -> None:
    for index in range(start, len(artifact.lines)):
        line = artifact.lines[index]
        if found := _CHECKED.match(line):
            _note(artifact, index, machines.at(index), found["name"], found["verdict"] == "OK", reading)
        elif not line.startswith("WARNING"):
            return


def _read_listing(artifact: Artifact, machines: Subjects, reading: Reading) -> None:
    """Rows without their header; and where a filter for plain names let nothing through, none of them is loaded."""
    printed = [(index, text) for index, text in list_output_lines(artifact) if index not in reading.claimed]
    for index, text in printed:
        if row := _ROW.match(text):
            _note(artifact, index, machines.at(index, row["speaker"]), row["name"], True, reading)
    asked_for = search_command(artifact, _FILTER)
    if not asked_for or "v" in asked_for["flags"] or reading.facts:
        return
    counted = "c" in asked_for["flags"] and len(printed) == 1 and printed[0][1].isdigit()
    if printed and not counted:
        return
    index = printed[0][0] if printed else 0
    loaded = counted and printed[0][1] != "0"
    names = [word.strip("^$ \\") for word in asked_for["words"].split("|")]
    if loaded and len(names) > 1:
        return
    for name in names:
        if _PLAIN_WORD.match(name):
            _note(artifact, index, machines.at(index), name, loaded, reading)


def _note(artifact: Artifact, index: int, host: str | None, name: str, loaded: bool, reading: Reading) -> None:
    reading.facts.append(KernelModule(at=artifact.at(index), host=host, name=name, loaded=loaded))
    reading.claim(index, index + 1)


MODULES_READER = Reader(
    kind="modules",
    anchor=expression(
        rf"^(?:{FRONT}(?:(?:sudo: )?(?:modprobe|modinfo|insmod): |Module\s+Size\s+Used by"
        rf"|\w+ \d+ -?\d+ \S+ \w+ 0x|[a-z]\w*\s+\d{{3,9}}\s+\d|{_CHECKING})|{SHARED}|.*lsmod|.*/proc/modules)"
    ),
    read=read_modules,
)


_NUMBER = r"v?\d+\.\d++[\w.+~:-]*"
_GO_INFO = r"(?:&?version\.Info\{.*?GitVersion:\"|\")?"
_DISTRIBUTIONS = "Ubuntu|Debian|CentOS|Red Hat|Rocky|AlmaLinux|Fedora|openEuler|Kylin|Anolis|Oracle"

# Each line that states a version says of which program; the version is the last group.
_STATEMENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("kernel", expression(rf"^\s*{SPEAKER}Linux \S+ ({_NUMBER}) .*(?:SMP|GNU/Linux|PREEMPT)")),
    ("kernel", expression(rf"^\s*Kernel: Linux ({_NUMBER})\s*$")),
    ("os", expression(rf"^\s*{SPEAKER}PRETTY_NAME=['\"]?([^'\"]+)['\"]?\s*$")),
    ("os", expression(r"^\s*Operating System: ([A-Z][^:]+?)\s*$")),
    ("os", expression(rf"^\s*Description:\s+((?:{_DISTRIBUTIONS})\b.*?)\s*$")),
    ("os", expression(rf"^\s*{SPEAKER}((?:{_DISTRIBUTIONS})\b.* release \d.*?)\s*$")),
    ("kubernetes", expression(rf"^\s*Server Version: {_GO_INFO}(v1\.\d+[\w.+-]*)")),
    ("kubectl", expression(rf"^\s*Client Version: {_GO_INFO}(v1\.\d+[\w.+-]*)")),
    ("calicoctl", expression(r"^\s*Client Version:\s+(v[2-9]\.\d+[\w.+-]*)\s*$")),
    ("calico", expression(r"^\s*Cluster Version:\s+(v?[2-9]\.\d+[\w.+-]*)\s*$")),
    ("kubeadm", expression(rf"^\s*kubeadm version: {_GO_INFO}(v1\.\d+[\w.+-]*)")),
    ("kubelet", expression(rf"^\s*{SPEAKER}Kubernetes (v1\.\d+[\w.+-]*)\s*$")),
    ("kubelet", expression(r"\bserver\.go:\d+\] (?:Version: |\"Kubelet version\" kubeletVersion=\")(v1\.\d+[\w.+-]*)")),
    ("docker", expression(rf"^\s*{SPEAKER}Docker version ({_NUMBER}),")),
    ("containerd", expression(rf"^\s*{SPEAKER}containerd (?:\S*containerd\S*) ({_NUMBER})(?:\s|$)")),
    ("containerd", expression(rf"^\s*RuntimeVersion:\s+({_NUMBER})\s*$")),
    ("runc", expression(rf"^\s*{SPEAKER}runc version ({_NUMBER})\s*$")),
    ("crio", expression(rf"^\s*{SPEAKER}crio version ({_NUMBER})\s*$")),
    ("ipset", expression(rf"^\s*{SPEAKER}ipset ({_NUMBER}), protocol version")),
    ("iptables", expression(rf"^\s*{SPEAKER}ip6?tables ({_NUMBER}(?: \((?:nf_tables|legacy)\))?)\s*$")),
    ("nft", expression(rf"^\s*{SPEAKER}nftables ({_NUMBER}) \(")),
    ("k3s", expression(rf"^\s*{SPEAKER}k3s version ({_NUMBER})")),
    ("rke2", expression(rf"^\s*{SPEAKER}rke2 version ({_NUMBER})")),
    ("rke", expression(rf"^\s*rke version ({_NUMBER})")),
    (
        "containerd",
        expression(rf"^\s*{SPEAKER}(?:ii\s+containerd(?:\.io)?(?::\w+)?\s+|containerd(?:\.io)?-)({_NUMBER})"),
    ),
    (
        "docker",
        expression(rf"^\s*{SPEAKER}(?:ii\s+(?:docker-ce|docker\.io)(?::\w+)?\s+|docker-ce-)(?:\d:)?({_NUMBER})"),
    ),
    ("kubelet", expression(rf"^\s*{SPEAKER}(?:[ih]i\s+kubelet(?::\w+)?\s+|kubelet-)({_NUMBER})")),
)
_RUNTIME_NAME = expression(r"^\s*RuntimeName:\s+(\S+)\s*$")
_RUNTIME_PROGRAMS = {"cri-o": "crio"}
_ASKED_RELEASE = expression(r"\buname\s+-\w*r")
_BARE_RELEASE = expression(rf"^{SPEAKER}(\d+\.\d+\.\d+[\w.+~-]*)$")


def read_uname(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each host, program and version, at the first line that says so."""
    reading = Reading()
    machines = find_subjects(artifact)
    seen: set[tuple[str | None, str, str]] = set()

    def note(index: int, host: str | None, program: str, version: str) -> None:
        reading.claim(index, index + 1)
        if (host, program, version) not in seen:
            seen.add((host, program, version))
            reading.facts.append(Version(at=artifact.at(index), host=host, program=program, version=version))

    for index in anchors:
        if index < find_output_start(artifact):
            continue
        line = artifact.lines[index]
        if stated := _parse_statement(line):
            program, speaker, version = stated
            if line.lstrip().startswith("RuntimeVersion"):
                program = _find_runtime_above(artifact, index)
            note(index, find_journal_host(line) or machines.at(index, speaker), program, version)
    for host, (index, version) in _find_bare_releases(artifact, machines).items():
        note(index, host, "kernel", version)
    return reading


def _parse_statement(line: str) -> tuple[str, str | None, str] | None:
    for program, pattern in _STATEMENTS:
        if found := pattern.search(line):
            return program, found.groupdict().get("speaker"), found[pattern.groups].strip()
    return None


def _find_runtime_above(artifact: Artifact, index: int) -> str:
    """crictl version names the runtime one line above its version."""
    name = _RUNTIME_NAME.match(artifact.lines[index - 1]) if index else None
    return _RUNTIME_PROGRAMS.get(name[1], name[1]) if name else "containerd"


def _find_bare_releases(artifact: Artifact, machines: Subjects) -> dict[str | None, tuple[int, str]]:
    """`uname -r` prints nothing but the release; only the first such line of each machine is its."""
    releases: dict[str | None, tuple[int, str]] = {}
    for index, text in list_output_lines(artifact) if search_command(artifact, _ASKED_RELEASE) else ():
        if row := _BARE_RELEASE.match(text):
            releases.setdefault(machines.at(index, row["speaker"]), (index, row[2]))
    return releases


UNAME_READER = Reader(
    kind="uname",
    anchor=expression(
        rf"^{FRONT}(?:Linux \S+ \d|Kernel: Linux |PRETTY_NAME=|Operating System: [A-Z]|Description:\s"
        rf"|(?:{_DISTRIBUTIONS})\b"
        r"|(?:Server|Client|Cluster) Version: |kubeadm version: |Kubernetes v1\.|Docker version |RuntimeVersion:"
        r"|containerd \S*containerd|(?:runc|crio|k3s|rke2|rke) version |(?:ipset|iptables|ip6tables|nftables) v\d"
        r"|[ih]i\s+(?:containerd|docker|kubelet)|(?:containerd|containerd\.io|docker-ce|kubelet)-\d)"
        rf"|^.*server\.go:\d+\] |^{FRONT}\d+\.\d+\.\d\S*\s*$"
    ),
    read=read_uname,
)
