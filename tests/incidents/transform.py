"""Changes to evidence that must not change the answer. Each takes and gives {file name: text}."""

from __future__ import annotations

import re

from calivet.evidence.artifact import Artifact, Document
from calivet.evidence.gather import gather_documents
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact
from calivet.readers.read import read

Files = dict[str, str]

_IPV4 = re.compile(r"(?<![\d.])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\d])")
_SUFFIX = re.compile(
    r"\b(calico-node|canal|kube-proxy|coredns-[a-z0-9]+|calico-kube-controllers-[a-z0-9]+)-([a-z0-9]{5})\b"
)
_SAFE_LETTERS = "bcdfghjklmnpqrstvwxz2456789"

HEALTHY_NOISE = """\
$ kubectl -n monitoring get pods
NAME                      READY   STATUS    RESTARTS   AGE
grafana-6f5c8d7b9-q8zkm   1/1     Running   0          12d
$ kubectl -n monitoring logs grafana-6f5c8d7b9-q8zkm --tail 2
logger=settings t=2025-02-03T04:05:06.789Z level=info msg="Starting Grafana" version=11.2.0
logger=sqlstore t=2025-02-03T04:05:07.001Z level=info msg="Connecting to DB" dbtype=sqlite3
"""


def artifacts(files: Files) -> list[Artifact]:
    return gather_documents(Document(name, text.split("\n")) for name, text in files.items()).artifacts


def files_renamed(files: Files) -> Files:
    return {f"upload-{number:02d}.txt": text for number, text in enumerate(files.values())}


def windows_line_ends(files: Files) -> Files:
    return {name: text.replace("\n", "\r\n") for name, text in files.items()}


def coloured(files: Files) -> Files:
    def paint(line: str) -> str:
        return f"\x1b[0;32m{line}\x1b[0m" if line.strip() and not line.lstrip().startswith(("`", "~")) else line

    return {name: "\n".join(paint(line) for line in text.split("\n")) for name, text in files.items()}


def shipped(files: Files) -> Files:
    head = "2025-02-03T04:05:06.789Z collector-7 filebeat[812]: "
    return {name: "\n".join(head + line for line in text.rstrip("\n").split("\n")) for name, text in files.items()}


def joined(files: Files) -> Files:
    return {"paste.txt": "\n\n".join(files.values())}


def split(files: Files) -> Files:
    pieces: Files = {}
    for number, artifact in enumerate(artifacts(files)):
        pieces[f"part-{number:03d}.{'md' if artifact.prose else 'txt'}"] = "\n".join(artifact.lines)
    return pieces


def prose_removed(files: Files) -> Files:
    kept: dict[str, list[str]] = {name: text.split("\n") for name, text in files.items()}
    for artifact in artifacts(files):
        if artifact.prose:
            for number in range(artifact.first - 1, artifact.first - 1 + len(artifact.lines)):
                kept[artifact.name][number] = ""
    return {name: "\n".join(lines) for name, lines in kept.items()}


_FILLER = {
    "en": "We looked at this again in the morning and saved what the tools showed.",
    "zh": "第二天早上又看了一遍，把各个工具的输出保存了下来。",
}


def prose_in_the_other_language(files: Files) -> Files:
    """Every line of prose says something neutral in the language that the author does not use."""
    written = {name: text.split("\n") for name, text in files.items()}
    for artifact in artifacts(files):
        if artifact.prose:
            other = "en" if re.search(r"[\u4e00-\u9fff]", "".join(artifact.lines)) else "zh"
            for number in range(artifact.first - 1, artifact.first - 1 + len(artifact.lines)):
                if written[artifact.name][number].strip():
                    written[artifact.name][number] = _FILLER[other]
    return {name: "\n".join(lines) for name, lines in written.items()}


def noise_added(files: Files) -> Files:
    return files | {"zz-monitoring.txt": HEALTHY_NOISE}


def renamed(files: Files) -> Files:
    """Hosts, addresses and pod suffixes, each consistently."""
    hosts = _hosts(files)
    return {name: _renamed(text, hosts) for name, text in files.items()}


def _hosts(files: Files) -> list[str]:
    found: list[Fact] = []
    pieces = artifacts(files)
    for artifact in pieces:
        found += read(artifact)[0]
    names = [*ClusterFacts(pieces, found).names.nodes, *(artifact.host for artifact in pieces if artifact.host)]
    return sorted({name.lower() for name in names if not _IPV4.fullmatch(name)}, key=len, reverse=True)


def _renamed(text: str, hosts: list[str]) -> str:
    for number, host in enumerate(hosts):
        text = re.sub(rf"(?<![\w.-]){re.escape(host)}(?![\w-])", f"mill{number}race", text, flags=re.IGNORECASE)
    text = _SUFFIX.sub(lambda m: f"{m[1]}-{''.join(_turned(c) for c in m[2])}", text)
    return _IPV4.sub(_moved, text)


def _turned(letter: str) -> str:
    place = _SAFE_LETTERS.find(letter)
    return letter if place < 0 else _SAFE_LETTERS[(place + 7) % len(_SAFE_LETTERS)]


def _moved(address: re.Match[str]) -> str:
    """Flipping a bit keeps who shares a network with whom."""
    a, b, c, d = (int(part) for part in address.groups())
    if a == 10:
        b ^= 0x20
    elif a == 172 and 16 <= b < 32:
        b ^= 0x01
    elif (a, b) == (192, 168):
        c ^= 0x40
    return f"{a}.{b}.{c}.{d}"


ALL = {
    "files renamed": files_renamed,
    "hosts, addresses and pods renamed": renamed,
    "windows line ends": windows_line_ends,
    "coloured": coloured,
    "shipped with a head on every line": shipped,
    "joined into one paste": joined,
    "split into files": split,
    "prose removed": prose_removed,
    "prose in the other language": prose_in_the_other_language,
    "healthy noise added": noise_added,
}
