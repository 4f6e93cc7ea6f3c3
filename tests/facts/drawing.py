"""Draws a picture from text as the operator hands it over, along the way every input takes."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from calivet.evidence.artifact import Artifact, Document
from calivet.evidence.gather import gather_documents
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.node_of_line import NodeOfLine
from calivet.readers.read import read
from calivet.signs.computed import collect_computed_signs
from calivet.signs.sighting import Sighting

Text = str | dict[str, str]
"""One text, or several files by name, in this order."""

NAME = "session.txt"


def artifacts_of(text: Text) -> list[Artifact]:
    """What the evidence room makes of it."""
    files = {NAME: text} if isinstance(text, str) else text
    documents = [Document(name, dedent(content).strip("\n").split("\n")) for name, content in files.items()]
    return gather_documents(documents).artifacts


def picture_of(text: Text) -> ClusterFacts:
    """All that the readers understand of it."""
    artifacts = artifacts_of(text)
    return ClusterFacts(artifacts, [fact for artifact in artifacts for fact in read(artifact)[0]])


def sightings(sign: str, text: Text) -> list[Sighting]:
    """Where a computed sign is seen in the text."""
    return list(collect_computed_signs()[sign](picture_of(text)))


def node_of_line(text: Text, words: str) -> str | None:
    """The node that the only line with these words is about."""
    picture = picture_of(text)
    ((artifact, index),) = _places(picture, words)
    return NodeOfLine(picture).node(artifact, index)


def _places(picture: ClusterFacts, words: str) -> Iterator[tuple[Artifact, int]]:
    for artifact in picture.artifacts:
        yield from ((artifact, index) for index, line in enumerate(artifact.lines) if words in line)


def table(header: str, *rows: str) -> str:
    """Aligned as kubectl prints it; ~ stands for a blank inside a cell."""
    cells = [line.split() for line in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in cells)
    return "\n".join(line.rstrip().replace("~", " ") for line in lines) + "\n"


def nodes(*rows: str, prompt: str = "[root@bastion ~]# ") -> str:
    """`kubectl get nodes -o wide` with rows of name, status and InternalIP."""
    header = "NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME"
    rest = "<none> Rocky~Linux~8.6 4.18.0-372.9.1.el8.x86_64 containerd://1.6.8"
    full = [f"{name} {status} <none> 90d v1.24.6 {address} {rest}" for name, status, address in map(str.split, rows)]
    return f"{prompt}kubectl get nodes -o wide\n{table(header, *full)}"


def pods(*rows: str, namespace: str = "kube-system", prompt: str = "[root@bastion ~]# ") -> str:
    """`kubectl get pods -o wide` with rows of name, ready, status, restarts, age, IP and node."""
    header = "NAME READY STATUS RESTARTS AGE IP NODE NOMINATED~NODE READINESS~GATES"
    full = [f"{row} <none> <none>" for row in rows]
    return f"{prompt}kubectl -n {namespace} get pods -o wide\n{table(header, *full)}"
