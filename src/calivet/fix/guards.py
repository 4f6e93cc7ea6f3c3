"""What must hold before a step is taken; each guard says in words why it does not let it pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from calivet.fix.broker import HostCommand, Tools
from calivet.fix.changes import Change
from calivet.fix.commands import list_machines
from calivet.fix.hosts import may_become_root
from calivet.fix.plan import NodeStep, Plan
from calivet.messages.message import MessageError, message
from calivet.reasoning.diagnosis import LIKELY

_REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_VERBS = {"patch": ("patch", ""), "create": ("create", ""), "delete": ("delete", ""), "evict": ("create", "eviction")}


class GuardError(MessageError):
    """Something that must hold does not."""


class _Judged(Struct):
    allowed: bool = False


class _Review(Struct):
    status: _Judged


def check_certainty(plan: Plan, *, likely: bool) -> None:
    """A finding that is only likely, or seems to be over, is not acted on unless the operator says so."""
    if plan.certainty == LIKELY and not likely:
        raise GuardError(message("fix.guard.likely", cause=plan.cause))
    if plan.is_over and not likely:
        raise GuardError(message("fix.guard.over", cause=plan.cause))


def check_permissions(tools: Tools, changes: Iterable[Change]) -> None:
    """The server is asked for each change whether it would allow it, before the first one is made."""
    for change in changes:
        verb, part = _VERBS[change.verb]
        ref = change.ref
        wanted = {"verb": verb, "group": ref.group, "resource": ref.resource, "subresource": part}
        wanted |= {"namespace": ref.namespace, "name": "" if verb == "create" and not part else ref.name}
        review = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": {name: value for name, value in wanted.items() if value}},
        }
        answer = msgspec.json.decode(tools.connection.post(_REVIEW, msgspec.json.encode(review)), type=_Review)
        if not answer.status.allowed:
            raise GuardError(message("fix.guard.forbidden", verb=verb, what=str(ref)))


def check_root(tools: Tools, commands: Iterable[HostCommand]) -> None:
    """sudo must not ask for a password: nobody would see the question."""
    for node in dict.fromkeys(command.node for command in commands):
        if not may_become_root(tools.hosts, node, tools.seconds):
            raise GuardError(message("fix.guard.sudo", node=node))


def check_quorum(tools: Tools, plan: Plan, part: NodeStep) -> None:
    """What interrupts a member of the control plane waits until all others are well."""
    touched = {part.node, *list_machines(part.step.run)} & set(plan.control_plane)
    if part.step.risk == "safe" or not touched:
        return
    node = min(touched)
    path = "/api/v1/nodes"
    nodes: Any = msgspec.json.decode(tools.connection.get(path))
    for other in nodes["items"]:
        labels = other["metadata"].get("labels", {})
        is_plane = any(f"node-role.kubernetes.io/{role}" in labels for role in ("control-plane", "master", "etcd"))
        if is_plane and other["metadata"]["name"] != node and not _is_ready(other):
            raise GuardError(message("fix.guard.quorum", node=node, other=other["metadata"]["name"]))


def _is_ready(node: dict[str, Any]) -> bool:
    conditions = node.get("status", {}).get("conditions", ())
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
