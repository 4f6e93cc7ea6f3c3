"""What an object from YAML or JSON states: itself, flattened, and the narrower facts that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from sys import intern

from msgspec import Struct, structs

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.calico import NodeAddress
from calivet.facts.fact import Fact, Scalar, Variable
from calivet.facts.kubernetes import Condition, Object
from calivet.facts.times import parse_time
from calivet.readers.kubectl.images import image_version
from calivet.readers.kubectl.kubectl_command import Request
from calivet.readers.kubectl.object_kinds import KINDS
from calivet.readers.kubectl.object_pod import pod_facts
from calivet.readers.kubectl.object_probe import probe_fact
from calivet.readers.kubectl.tree import Branch, Path

_PROBES = {"livenessProbe": "liveness", "readinessProbe": "readiness", "startupProbe": "startup"}
_ADDRESS = expression(r"^projectcalico\.org/IPv[46]Address$")
_VARIABLE = expression(r"^[A-Z][A-Z0-9_]*$")
# Who last wrote which field, and an old copy of the whole object: bulk that states nothing about the cluster now.
_BULK = frozenset(("metadata.managedFields", "metadata.annotations.kubectl.kubernetes.io/last-applied-configuration"))
# What is, and who wrote it: no probe, image or environment that the object asks for stands there.
_NOT_ASKED: frozenset[Path] = frozenset((("status",), ("metadata", "managedFields")))


class _About(Struct, frozen=True):
    kind: str
    name: str | None
    node: str | None
    pod: str | None


def object_facts(artifact: Artifact, root: Branch, asked: Request) -> Iterator[Fact]:
    """The object, then what is known about its kind, then what any kind may hold.

    A fragment that no longer names its object gets the one that the command asked for.
    """
    kind = root.text("kind")
    name = root.text("metadata", "name") or asked.name
    is_node = (kind or asked.resource) in ("Node", "node")
    node = root.text("spec", "nodeName") or (name if is_node else None)
    about = _About((kind or asked.resource or "").lower(), name, node, name if kind == "Pod" else None)
    yield _object(artifact, root, kind, asked)
    if kind in KINDS:
        yield from KINDS[kind](artifact, root)
    elif kind is None and (status := _pod_status(root)):
        yield from (structs.replace(fact, pod=name) for fact in pod_facts(artifact, status))
    yield from _held(artifact, root, about)
    if kind not in ("Pod", "Event") and not _pod_status(root):
        yield from _conditions(artifact, root, about)


def _pod_status(root: Branch) -> Branch | None:
    """The status of a pod that was cut off from its head, where it belongs in a pod."""
    for status in (root, root.at("status")):
        if status and (status.at("containerStatuses") or status.at("initContainerStatuses")):
            return Branch(status.index, None, {"status": status})
    return None


def _object(artifact: Artifact, root: Branch, kind: str | None, asked: Request) -> Object:
    values: dict[str, Scalar] = {}
    lines: dict[str, int] = {}
    _flatten(root, "", values, lines, artifact.number)
    if kind == "Secret":
        values |= {path: None for path in values if path.startswith(("data.", "stringData."))}
    heading = root.at("metadata", "name") or root.at("kind") or root
    return Object(
        at=artifact.at(heading.index),
        kind=kind,
        name=root.text("metadata", "name") or asked.name,
        namespace=root.text("metadata", "namespace") or asked.namespace,
        api=root.text("apiVersion"),
        values=values,
        lines=lines,
    )


def _flatten(
    branch: Branch, path: str, values: dict[str, Scalar], lines: dict[str, int], number: Callable[[int], int]
) -> None:
    """Every value by its path as people write it, spec.containers[0].image, and the number of its line.

    Thousands of objects have the same paths, so each is kept once.
    """
    for key, child in branch.children.items():
        below = intern(f"{path}[{key}]" if isinstance(key, int) else f"{path}.{key}" if path else key)
        if below in _BULK:
            continue
        if child.children:
            _flatten(child, below, values, lines, number)
        else:
            values[below] = child.value
            lines[below] = number(child.index)


def _held(artifact: Artifact, root: Branch, about: _About) -> Iterator[Fact]:
    """Probes, environment, images and Calico's addresses, wherever in the object or fragment they stand."""
    for path, branch in root.walk(without=_NOT_ASKED):
        key = path[-1] if path else ""
        if isinstance(key, int):
            if _VARIABLE.match(branch.text("name") or ""):
                container = root.text(*path[:-2], "name") if len(path) > 2 else None
                yield from _variable(artifact, branch, about, container)
        elif key in _PROBES and branch.children:
            at, container = artifact.at(branch.index), root.text(*path[:-1], "name")
            probe = probe_fact(_PROBES[key], branch, at, container=container, pod=about.pod, host=about.node)
            yield from [probe] if probe else []
        elif key == "image" and isinstance(branch.value, str):
            version = image_version(branch.value, artifact.at(branch.index), about.name, about.node)
            yield from [version] if version else []
        elif branch.value and _ADDRESS.match(key):
            at, address = artifact.at(branch.index), str(branch.value)
            yield NodeAddress(at=at, host=about.node, node=about.node, address=address, source="annotation")


def _variable(artifact: Artifact, branch: Branch, about: _About, container: str | None) -> Iterator[Variable]:
    line = branch.at("value") or branch
    value = _variable_value(branch)
    if value is not None:
        name = branch.text("name") or ""
        at = artifact.at(line.index)
        yield Variable(at=at, host=about.node, name=name, value=value, owner=about.name, container=container)


def _variable_value(branch: Branch) -> str | None:
    """The value, or where it comes from, as kubectl describe says it."""
    if "value" in branch.children:
        return branch.text("value") or ""
    if field := branch.text("valueFrom", "fieldRef", "fieldPath"):
        return f"(v1:{field})"
    for source, words in (("configMapKeyRef", "config map"), ("secretKeyRef", "secret")):
        if reference := branch.at("valueFrom", source):
            return f"<set to the key '{reference.text('key')}' of {words} '{reference.text('name')}'>"
    return None


def _conditions(artifact: Artifact, root: Branch, about: _About) -> Iterator[Condition]:
    for condition in root.below("status", "conditions") or root.below("conditions"):
        line = condition.at("message") or condition.at("status")
        if line is None or condition.text("type") is None or condition.text("status") is None:
            continue
        yield Condition(
            at=artifact.at(line.index),
            host=about.node,
            kind=about.kind,
            object=about.name or "",
            type=condition.text("type") or "",
            status=str(condition.text("status")).capitalize(),
            reason=condition.text("reason"),
            message=condition.text("message"),
            since=parse_time(condition.text("lastTransitionTime") or ""),
        )
