"""What is evidently broken and is not Calico's: listed with its line so that nobody misses it, and never a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from calivet.facts.cluster_facts import ClusterFacts, is_healthy
from calivet.facts.kubernetes import Container, Pod
from calivet.facts.roles import find_role, find_role_of_name
from calivet.messages.words import Words
from calivet.reasoning.diagnosis import Finding, Outside
from calivet.search.expressions import expression

MOST = 12
"""More than these nobody reads."""
TAIL = 500
"""Lines at the end of each artifact that are looked at: what is still broken is said there."""
_NOT_OURS = ("other", "dns")
_OUT_OF_MEMORY = "OOMKilled"
# States of a pod that are its own doing, whatever the network does.
_OWN_DOING = {
    _OUT_OF_MEMORY: Words("was killed for lack of memory (OOMKilled)", "因内存不足被杀（OOMKilled）"),
    "ImagePullBackOff": Words("cannot get its image", "拉取镜像失败"),
    "ErrImagePull": Words("cannot get its image", "拉取镜像失败"),
    "InvalidImageName": Words("cannot get its image", "拉取镜像失败"),
    "CreateContainerConfigError": Words("lacks a Secret or ConfigMap it asks for", "缺少其引用的 Secret 或 ConfigMap"),
    "Evicted": Words("was evicted", "已被驱逐"),
}
# These may also follow from a broken network, so they are told only where nothing of Calico's is blamed.
_MAYBE_OWN_DOING = {
    "CrashLoopBackOff": Words("keeps crashing", "反复崩溃"),
    "Error": Words("exited with an error", "以错误退出"),
}


class _Shape(Struct, frozen=True):
    """A line that tells of a fault elsewhere; its words may use the named groups of the pattern."""

    pattern: re.Pattern[str]
    what: Words


_SHAPES = tuple(
    _Shape(expression(pattern), Words(en, zh))
    for pattern, en, zh in (
        (
            r"plugin/loop: Loop .{0,80} detected for zone",
            "CoreDNS forwards to itself (its loop plugin stops it)",
            "CoreDNS 转发成环（loop 插件使其退出）",
        ),
        (
            r"failed calling webhook \\?\"(?P<name>[\w.-]+)\\?\"",
            "the webhook {name} does not answer",
            "Webhook {name} 没有应答",
        ),
        (r"exceeded quota: (?P<name>[\w.-]+)", "the quota {name} is used up", "配额 {name} 已用完"),
        (
            r"Multi-Attach error for volume|FailedAttachVolume|FailedMount\b|MountVolume\.\w+ failed for volume",
            "a volume cannot be attached or mounted",
            "存储卷无法挂载",
        ),
        (r"ProvisioningFailed\b", "a volume cannot be provisioned", "存储卷无法创建"),
        (
            r"Failed to pull image \\?\"(?P<name>[^\"\\]+)",
            "the image {name} cannot be pulled",
            "镜像 {name} 拉取失败",
        ),
        (
            r"Failed\w{0,20}Scheduling\b.{0,80}Insufficient (?P<name>[\w./-]{0,80}\w)",
            "nodes lack {name}",
            "节点缺少 {name}",
        ),
        (
            r"certificate has expired(?! or is not yet valid: current time .{0,60} is before)",
            "a certificate has expired",
            "证书已过期",
        ),
        (
            r"\b(?P<name>[\w.-]{1,80}) (?:has been|was|is) (?:powered|switched) off",
            "{name} is powered off",
            "{name} 已关机",
        ),
        (
            r"exec (?:user process caused: |\S+: )exec format error",
            "an image is built for another processor",
            "镜像与处理器架构不符",
        ),
        (r"^panic: (?P<name>.{0,160})", "an application panics: {name}", "某应用 panic：{name}"),
    )
)
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


def _tell_of_pod(pod: Pod, state: Words) -> Words:
    name = f"{pod.namespace}/{pod.name}" if pod.namespace else pod.name
    restarts = "1 restart" if pod.restarts == 1 else f"{pod.restarts} restarts"
    often_en, often_zh = (f", {restarts}", f"，重启 {pod.restarts} 次") if pod.restarts else ("", "")
    return Words(f"pod {name} {state.en}{often_en}", f"Pod {name} {state.zh}{often_zh}")


def _find_kills(picture: ClusterFacts) -> Iterator[Outside]:
    """Containers that a description shows as killed for memory, unless their pod is ready again."""
    ready = {pod.name for pod in picture.all(Pod) if is_healthy(pod)}
    named = {pod.name for pod in picture.all(Pod) if pod.status == _OUT_OF_MEMORY}
    for container in picture.all(Container):
        pod = container.pod or ""
        if _OUT_OF_MEMORY not in (container.reason, container.last_reason) or pod in ready | named:
            continue
        if find_role_of_name(pod) in _NOT_OURS:
            state = _OWN_DOING[_OUT_OF_MEMORY]
            name = " ".join(filter(None, (pod, container.name and f"({container.name})")))
            yield Outside(Words(f"pod {name} {state.en}", f"Pod {name} {state.zh}"), container.at)


def _find_lines(picture: ClusterFacts) -> Iterator[Outside]:
    for artifact in picture.artifacts:
        if _MACHINERY.search(" ".join((*artifact.kinds, artifact.command or ""))):
            continue
        start = max(0, len(artifact.lines) - TAIL)
        for index in range(start, len(artifact.lines)):
            if found := _read_line(artifact.lines[index]):
                yield Outside(found, artifact.at(index))


def _read_line(text: str) -> Words | None:
    if _MACHINERY.search(text):
        return None
    for shape in _SHAPES:
        if found := shape.pattern.search(text):
            values = {name: value or "" for name, value in found.groupdict().items()}
            return Words(shape.what.en.format_map(values), shape.what.zh.format_map(values))
    return None
