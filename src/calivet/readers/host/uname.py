"""Versions that tools print of themselves and of the host: uname, os-release, kubectl, kubelet, runtimes, packages."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Version
from calivet.readers.command import asked, output_lines, output_start
from calivet.readers.host.journal_head import host_of
from calivet.readers.reader import Reader, Reading
from calivet.readers.subject import FRONT, SPEAKER, Subjects, subjects

_NUMBER = r"v?\d+\.\d+[\w.+~:-]*"
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


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """One fact for each host, program and version, at the first line that says so."""
    reading = Reading()
    machines = subjects(artifact)
    seen: set[tuple[str | None, str, str]] = set()

    def note(index: int, host: str | None, program: str, version: str) -> None:
        reading.claim(index, index + 1)
        if (host, program, version) not in seen:
            seen.add((host, program, version))
            reading.facts.append(Version(at=artifact.at(index), host=host, program=program, version=version))

    for index in anchors:
        if index < output_start(artifact):
            continue
        line = artifact.lines[index]
        if stated := _statement(line):
            program, speaker, version = stated
            if line.lstrip().startswith("RuntimeVersion"):
                program = _runtime_above(artifact, index)
            note(index, host_of(line) or machines.at(index, speaker), program, version)
    for host, (index, version) in _bare_releases(artifact, machines).items():
        note(index, host, "kernel", version)
    return reading


def _statement(line: str) -> tuple[str, str | None, str] | None:
    for program, pattern in _STATEMENTS:
        if found := pattern.search(line):
            return program, found.groupdict().get("speaker"), found[pattern.groups].strip()
    return None


def _runtime_above(artifact: Artifact, index: int) -> str:
    """crictl version names the runtime one line above its version."""
    name = _RUNTIME_NAME.match(artifact.lines[index - 1]) if index else None
    return _RUNTIME_PROGRAMS.get(name[1], name[1]) if name else "containerd"


def _bare_releases(artifact: Artifact, machines: Subjects) -> dict[str | None, tuple[int, str]]:
    """`uname -r` prints nothing but the release; only the first such line of each machine is its."""
    releases: dict[str | None, tuple[int, str]] = {}
    for index, text in output_lines(artifact) if asked(artifact, _ASKED_RELEASE) else ():
        if row := _BARE_RELEASE.match(text):
            releases.setdefault(machines.at(index, row["speaker"]), (index, row[2]))
    return releases


READER = Reader(
    kind="uname",
    anchor=expression(
        rf"^{FRONT}(?:Linux \S+ \d|Kernel: Linux |PRETTY_NAME=|Operating System: [A-Z]|Description:\s"
        rf"|(?:{_DISTRIBUTIONS})\b"
        r"|(?:Server|Client|Cluster) Version: |kubeadm version: |Kubernetes v1\.|Docker version |RuntimeVersion:"
        r"|containerd \S*containerd|(?:runc|crio|k3s|rke2|rke) version |(?:ipset|iptables|ip6tables|nftables) v\d"
        r"|[ih]i\s+(?:containerd|docker|kubelet)|(?:containerd|containerd\.io|docker-ce|kubelet)-\d)"
        rf"|^.*server\.go:\d+\] |^{FRONT}\d+\.\d+\.\d\S*\s*$"
    ),
    read=read,
)
