"""Is Calico here at all, and is what somebody writes about it? Where not, whatever is wrong is not ours to name."""

from __future__ import annotations

import re
from collections import Counter

from calivet.evidence.artifact import Artifact
from calivet.evidence.instructions import instructs_most, is_lecture, teaches
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Note, Remark, Setting, Version
from calivet.facts.host import Unit
from calivet.facts.kubernetes import Container, Node, Pod
from calivet.facts.platform import find_platform
from calivet.facts.vocabulary.other_networks import (
    TITLES,
    find_network_called,
    find_network_named,
    is_other_network_named,
)
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.complaints import LONGEST, SENTENCE
from calivet.reasoning.open_remarks import TROUBLE, TROUBLE_ZH
from calivet.reasoning.weigh import WeighedCause
from calivet.search.expressions import expression

# Kinds of objects that nobody else has.
_KINDS = r"blockaffinit|ipamblock|ipamhandle|globalnetworkpolic|workloadendpoint"
_CHAINS = r"\bcali-[A-Za-z]|\bcali:[\w-]{16}"
_CALICO = expression(
    rf"(?i:calico|felix|tigera|typha|{_KINDS})|\bcali(?:[0-9a-f]{{11}}\b|\*)|\btunl0\b|\bcanal\b|{_CHAINS}"
    r"|\bVXLAN\b.{0,60}\bvni 4096\b"
)
# Its parts and tools: whoever speaks of these is at work on it.
_PARTS = expression(
    r"(?i:calico[-/_.](?:node|cni|kube|typha|ipam|config|api|felix|system)|calicoctl|felix|\bbird6?\b|typha|tigera"
    rf"|projectcalico|{_KINDS})|\bcali(?:[0-9a-f]{{11}}\b|\*)|\btunl0\b|\b(?:vxlan|wireguard)\.cali|{_CHAINS}"
)
# What a node runs, by its programs and files; that a text names Kubernetes makes nobody's log a node's.
_NODE_PROGRAMS = expression(
    r"[Kk]ubelet|kubeadm|kube-(?:apiserver|proxy|controller-manager|scheduler)|containerd|\bcri-?o\b|dockerd|crictl"
    r"|\b(?:k3s|rke2|k0s|microk8s)\b|/etc/(?:kubernetes|cni)\b|\bkubernetes\.io/|/registry/"
    # What kubectl says of the API server.
    r"|\b[Tt]he connection to the server \S{1,100} was refused|\bUnable to connect to the server|\bError from server \("
)
# A heading, but not one that only announces a value.
_HEADING = expression(r"\s*(?:#{1,6}\s|\*\*|【)(?![^:：]{1,16}[:：]\s*\S)")


# A value that is given: "CNI: calico v3.26".
_VALUE = expression(r"[\s*-]{0,6}[\w /-]{1,24}[:：]\s{0,4}.{0,12}(?i:calico)[\w .-]{0,16}$")


def is_about_calico(picture: ClusterFacts) -> bool:
    """Whether something printed shows it, or the author's words are about it more than about another network."""
    if any(not artifact.prose and _shows_calico(artifact.lines) for artifact in picture.artifacts):
        return True
    sentences = _list_sentences(picture)
    own = sum(map(_speaks_of_calico, sentences))
    return own > 0 and own >= sum(map(is_other_network_named, sentences))


def is_network_calico(picture: ClusterFacts) -> bool:
    """Whether the author at least names it, and other networks less often."""
    sentences = _list_sentences(picture)
    return sum(_CALICO.search(text) is not None for text in sentences) > sum(map(is_other_network_named, sentences))


def shows_other_network(picture: ClusterFacts) -> bool:
    """Whether Calico is at most named in passing, and what is shown is another network's."""
    if is_about_calico(picture) or is_network_calico(picture):
        return False
    shown = (line for artifact in picture.artifacts if not artifact.prose for line in artifact.lines)
    return find_platform(picture).answer("network") in TITLES or any(map(is_other_network_named, shown))


def _list_sentences(picture: ClusterFacts) -> list[str]:
    texts = [one.text[:LONGEST] for one in picture.all(Note)] + [one.text[:LONGEST] for one in picture.all(Remark)]
    return [sentence[0] for text in texts for sentence in SENTENCE.finditer(text)]


MANY_SENTENCES = 5
FEW = 5
"""Lines that somebody may have picked out."""


def is_said_elsewhere(found: WeighedCause, picture: ClusterFacts) -> bool:
    """Whether what speaks loudest for it stands inside somebody's own text, which is long and not about Calico.

    A line behind a lead-in, or a short note, may well be all that somebody has to show of a node.
    """
    words = picture.all(Note)
    if sum(len(SENTENCE.findall(one.text[:LONGEST])) for one in words) < MANY_SENTENCES:
        return False
    spoken = {(one.at.artifact, one.at.number) for one in words}
    loudest = max((seen.weight for seen in found.speaking_for), default=0.0)
    lines = {line for seen in found.speaking_for if seen.weight == loudest for line in seen.lines}
    return lines <= spoken and not is_about_calico(picture)


# Faults of the network itself: whose cluster has Calico and whose pods have trouble means Calico's network.
OF_NETWORK = frozenset({"install", "identity", "bgp", "felix", "ipam", "underlay"})


def has_no_owner(found: WeighedCause, picture: ClusterFacts) -> bool:
    """Whether nothing of Calico is in the evidence, and no program of a node says what was printed.

    The same words stand in the logs of every gateway, database and build; whose network a fault of the network is in
    nobody knows there. What somebody ran a command for is what he asks about.
    """
    if _is_said(picture, _CALICO) or _is_mere_quotation(picture):
        return False
    names = {name for name, _ in found.lines}
    own = [artifact for artifact in picture.artifacts if artifact.name in names]
    if any(instructs_most(lines) for name, lines in _collect_prose(picture).items() if name in names):
        return True
    if any(artifact.command for artifact in own):
        return False
    return found.cause.layer in OF_NETWORK or not any(map(_shows_node, own))


def _is_mere_quotation(picture: ClusterFacts) -> bool:
    """Whether there is nothing but a few lines: whoever asks us about so few means Calico."""
    return sum(bool(line.strip()) for artifact in picture.artifacts for line in artifact.lines) <= FEW


def _shows_node(artifact: Artifact) -> bool:
    return not artifact.prose and any(map(_NODE_PROGRAMS.search, (artifact.name, *artifact.lines)))


def find_lessons(picture: ClusterFacts) -> set[str]:
    """The names of the documents that teach: a page on how something is done, with examples."""
    return {name for name, lines in _collect_prose(picture).items() if teaches(lines)}


def find_lectures(picture: ClusterFacts) -> set[str]:
    """The names of the documents in which nobody speaks of himself: what they say holds in general, if it does."""
    return {name for name, lines in _collect_prose(picture).items() if is_lecture(lines)}


def _collect_prose(picture: ClusterFacts) -> dict[str, list[str]]:
    written: dict[str, list[str]] = {}
    for artifact in picture.artifacts:
        if artifact.prose:
            written.setdefault(artifact.name, []).extend(line for line in artifact.lines if line.strip())
    return written


def _shows_calico(lines: list[str]) -> bool:
    return any(_CALICO.search(line) and not (_VALUE.match(line) and not _PARTS.search(line)) for line in lines)


def _speaks_of_calico(text: str) -> bool:
    if not _CALICO.search(text):
        return False
    if _PARTS.search(text) or _HEADING.match(text):
        return True
    named = (sentence[0] for sentence in SENTENCE.finditer(text) if _CALICO.search(sentence[0]))
    return any(TROUBLE.search(sentence) or TROUBLE_ZH.search(sentence) for sentence in named)


_KUBERNETES = expression(r"(?i:kube|k3s|rke2|k0s|openshift|\bpods?\b)|\bCNI\b|\bcni\b")
_KUBELETS = ("kubelet", "k3s", "rke2-server", "rke2-agent", "kubernetes", "k0s")
_ENOUGH = 2_000
"""Lines without a trace of a kubelet that show another kind of machine; a few lines may be a mere quotation."""
_SEVERAL = 3
_TAG = expression(r":v?(?P<version>\d+\.\d+(?:\.\d+)?)")


def explain_absence(picture: ClusterFacts) -> Words | None:
    """Why this evidence is not about Calico; None where it is, or may be."""
    if _is_said(picture, _CALICO):
        return None
    network = find_platform(picture).answer("network") or _find_other_plugin(picture) or _find_named_network(picture)
    if network in TITLES:
        title, version = TITLES[network], _find_version(picture, network)
        name = Words(*(f"{called} {version}" if version else called for called in (title.en, title.zh)))
        return find_words("doubt.no_calico", network=name)
    lines = sum(len(artifact.lines) for artifact in picture.artifacts)
    if lines >= _ENOUGH and not _is_cluster(picture):
        return find_words("doubt.no_cluster")
    return None


def _find_other_plugin(picture: ClusterFacts) -> str | None:
    """Where nobody speaks of Calico, a plugin that is called or configured is no leftover but the network there is."""
    found = (find_network_called(line) for artifact in picture.artifacts for line in artifact.lines)
    return next(filter(None, found), None)


def _find_named_network(picture: ClusterFacts) -> str | None:
    """The one that a document is called after, or that several lines name: it is what the evidence is about."""
    lines = (line for artifact in picture.artifacts for line in artifact.lines)
    named = Counter(filter(None, map(find_network_named, lines)))
    called = (find_network_named(artifact.name) for artifact in picture.artifacts)
    return next(filter(None, called), None) or next((name for name, count in named.items() if count >= _SEVERAL), None)


def _is_cluster(picture: ClusterFacts) -> bool:
    """Whether something was seen that only a cluster has; that a text names Kubernetes is not enough."""
    programs = {unit.name for unit in picture.all(Unit)} | {setting.program for setting in picture.all(Setting)}
    programs |= {version.program for version in picture.all(Version)}
    return bool(picture.all(Pod)) or bool(picture.all(Node)) or not programs.isdisjoint(_KUBELETS)


def may_be_about_cluster(picture: ClusterFacts) -> bool:
    """Whether a word of Calico or Kubernetes is in it; without one, nobody knows whether it is about a node at all.

    Only where somebody shows several commands or files of a machine: a log alone may well be a node's.
    """
    commands = Counter(artifact.host for artifact in picture.artifacts if artifact.host and artifact.command)
    nameless = {artifact.name for artifact in picture.artifacts if not artifact.host}
    are_several = max(commands.values(), default=0) >= _SEVERAL or len(nameless) > 1
    if not are_several or picture.all(Pod):
        return True
    return names_cluster(picture)


def names_cluster(picture: ClusterFacts) -> bool:
    """Whether a word of Calico or Kubernetes is in it."""
    return _is_said(picture, _CALICO) or _is_said(picture, _KUBERNETES)


def _is_said(picture: ClusterFacts, words: re.Pattern[str]) -> bool:
    search = words.search
    return any(
        search(artifact.name) or search(artifact.command or "") or any(map(search, artifact.lines))
        for artifact in picture.artifacts
    )


def _find_version(picture: ClusterFacts, network: str) -> str:
    images = (container.image or "" for container in picture.all(Container))
    tags = (_TAG.search(image) for image in images if network.split("-", maxsplit=1)[0] in image)
    return next((tag["version"] for tag in tags if tag), "")
