"""What is evidently broken and is not Calico's: listed with its line so that nobody misses it, and never a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from calivet.facts.cluster_facts import ClusterFacts, is_healthy
from calivet.facts.kubernetes import Container, Pod
from calivet.facts.roles import find_role, find_role_of_name
from calivet.messages.message import find_words
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Finding, Outside
from calivet.search.expressions import expression, find_lines_with

MOST = 12
"""More than these nobody reads."""
TAIL = 500
"""Lines at the end of each artifact that are looked at: what is still broken is said there."""
_NOT_OURS = ("other", "dns")
_OUT_OF_MEMORY = "OOMKilled"
# States of a pod that are its own doing, whatever the network does.
_OWN_DOING = {
    _OUT_OF_MEMORY: "outside.OOMKilled",
    "ImagePullBackOff": "outside.no_image",
    "ErrImagePull": "outside.no_image",
    "InvalidImageName": "outside.no_image",
    "CreateContainerConfigError": "outside.CreateContainerConfigError",
    "Evicted": "outside.Evicted",
}
# These may also follow from a broken network, so they are told only where nothing of Calico's is blamed.
_MAYBE_OWN_DOING = {
    "CrashLoopBackOff": "outside.CrashLoopBackOff",
    "Error": "outside.Error",
}
# Lines that tell of a fault elsewhere; what is said of them may use the named groups.
_SHAPES = {
    "outside.dns_loop": expression(r"plugin/loop: Loop .{0,80} detected for zone"),
    "outside.webhook": expression(r"failed calling webhook \\?\"(?P<name>[\w.-]+)\\?\""),
    "outside.quota": expression(r"exceeded quota: (?P<name>[\w.-]+)"),
    "outside.volume.not_mounted": expression(
        r"Multi-Attach error for volume|FailedAttachVolume|FailedMount\b|MountVolume\.\w+ failed for volume"
    ),
    "outside.volume.not_made": expression(r"ProvisioningFailed\b"),
    "outside.image": expression(r"Failed to pull image \\?\"(?P<name>[^\"\\]+)"),
    "outside.nodes_lack": expression(r"Failed\w{0,20}Scheduling\b.{0,80}Insufficient (?P<name>[\w./-]{0,80}\w)"),
    "outside.certificate": expression(
        r"certificate has expired(?! or is not yet valid: current time .{0,60} is before)"
    ),
    "outside.powered_off": expression(r"\b(?P<name>[\w.-]{1,80}) (?:has been|was|is) (?:powered|switched) off"),
    "outside.architecture": expression(r"exec (?:user process caused: |\S+: )exec format error"),
    "outside.panic": expression(r"^panic: (?P<name>.{0,160})"),
}
_HINTS = (
    *(
        "plugin/loop",
        "calling webhook",
        "exceeded quota",
        "ttach",
        "Mount",
        "ProvisioningFailed",
        "Failed to pull image",
    ),
    *("Insufficient", "certificate has expired", "powered off", "switched off", "exec format error", "panic: "),
)
"""One of these is in every such line."""
# The cluster's own machinery: what it says of itself is weighed as a sign.
_MACHINERY = expression(
    r"calico|tigera|typha|\bcni\b|felix|kubelet\[|apiserver|etcd|:6443\b|/api/v1|/apis/", re.IGNORECASE
)


def list_outside(picture: ClusterFacts, findings: Sequence[Finding]) -> list[Outside]:
    """One for each thing, pods first; lines that a finding rests on are Calico's."""
    used = {(item.line.artifact, item.line.number) for found in findings for item in found.evidence}
    used |= {(item.line.artifact, item.line.number) for found in findings for item in found.explains}
    told: dict[str, Outside] = {}
    for one in (*_find_pods(picture, blamed=bool(findings)), *_find_kills(picture), *_find_lines(picture)):
        if (one.line.artifact, one.line.number) not in used:
            told.setdefault(one.what.en, one)
    return list(told.values())[:MOST]


def _find_pods(picture: ClusterFacts, *, blamed: bool) -> Iterator[Outside]:
    latest = {(pod.namespace, pod.name): pod for pod in picture.all(Pod) if pod.status}
    for pod in latest.values():
        state = _OWN_DOING.get(pod.status or "") or (None if blamed else _MAYBE_OWN_DOING.get(pod.status or ""))
        if state and find_role(pod) in _NOT_OURS:
            yield Outside(_tell_of_pod(pod, state), pod.at)


def _tell_of_pod(pod: Pod, state: str) -> Words:
    name = f"{pod.namespace}/{pod.name}" if pod.namespace else pod.name
    key = "outside.pod" if not pod.restarts else "outside.pod.once" if pod.restarts == 1 else "outside.pod.often"
    return find_words(key, pod=name, state=find_words(state), restarts=pod.restarts or 0)


def _find_kills(picture: ClusterFacts) -> Iterator[Outside]:
    """Containers that a description shows as killed for memory, unless their pod is ready again."""
    ready = {pod.name for pod in picture.all(Pod) if is_healthy(pod)}
    named = {pod.name for pod in picture.all(Pod) if pod.status == _OUT_OF_MEMORY}
    for container in picture.all(Container):
        pod = container.pod or ""
        if _OUT_OF_MEMORY not in (container.reason, container.last_reason) or pod in ready | named:
            continue
        if find_role_of_name(pod) in _NOT_OURS:
            name = " ".join(filter(None, (pod, container.name and f"({container.name})")))
            state = find_words(_OWN_DOING[_OUT_OF_MEMORY])
            yield Outside(find_words("outside.pod", pod=name, state=state), container.at)


def _find_lines(picture: ClusterFacts) -> Iterator[Outside]:
    for artifact in picture.artifacts:
        if _MACHINERY.search(" ".join((*artifact.kinds, artifact.command or ""))):
            continue
        start = max(0, len(artifact.lines) - TAIL)
        for index, text in find_lines_with(_HINTS, artifact.lines[start:]):
            if found := _read_line(text):
                yield Outside(found, artifact.at(start + index))


def _read_line(text: str) -> Words | None:
    if _MACHINERY.search(text):
        return None
    for key, shape in _SHAPES.items():
        if found := shape.search(text):
            return find_words(key, **found.groupdict(""))
    return None
