"""What the current user may read, asked of the API server; and the role that grants all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from calivet.live.connection import Connection
from calivet.live.fetch_tasks import FetchTask, RunLimits, run_tasks
from calivet.live.needs import CALICO_API, NEEDS, OPEN_PATHS, Need
from calivet.live.objects import decode_body
from calivet.live.trouble import Trouble
from calivet.messages.command_line import NO_COMMAND
from calivet.messages.message import message

ROLE_NAME = "calivet-reader"
_REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"


class Permission(Struct, frozen=True):
    """One verb on one resource."""

    verb: str
    group: str
    resource: str
    name: str = ""

    def format_for_kubectl(self) -> str:
        """As `kubectl auth can-i` takes it."""
        bare, slash, part = self.resource.partition("/")
        group = f".{self.group}" if self.group else ""
        return f"{self.verb} {bare}{group}{slash}{part}{f'/{self.name}' if self.name else ''}"


class _Status(Struct, frozen=True):
    allowed: bool = False


class _Review(Struct, frozen=True):
    status: _Status


def find_missing(connection: Connection) -> list[tuple[Need, list[Permission]]]:
    """Every need with the permissions that the user lacks for it. A review is answered, never stored."""
    asked = [(need, permission) for need in NEEDS for permission in _list_permissions(need)]
    refused: set[Permission] = set()
    tasks = [
        FetchTask(permission.format_for_kubectl(), NO_COMMAND, None, _build_question(connection, permission, refused))
        for _, permission in asked
    ]
    outcomes = run_tasks(tasks, RunLimits(), lambda _name: None)
    if failed := next((outcome.failure for outcome in outcomes if outcome.failure), None):
        raise Trouble("broken", message("connection.permissions", why=failed.why))
    return [(need, [one for owner, one in asked if owner is need and one in refused]) for need in NEEDS]


def _list_permissions(need: Need) -> Iterator[Permission]:
    """A cluster serves Calico's resources in one group or the other; the one in which they are stored is asked for."""
    group = next(group for group in need.groups if group != CALICO_API)
    for resource in need.resources:
        for verb in need.verbs:
            for name in need.names or ("",):
                yield Permission(verb, group, resource, name)


def _build_question(
    connection: Connection, permission: Permission, refused: set[Permission]
) -> Callable[[], list[str]]:
    def ask() -> list[str]:
        answer = connection.post(_REVIEW, msgspec.json.encode(_build_review(permission)))
        if not decode_body(_Review, answer, _REVIEW).status.allowed:
            refused.add(permission)
        return []

    return ask


def _build_review(permission: Permission) -> dict[str, Any]:
    resource, _, part = permission.resource.partition("/")
    wanted = {
        "verb": permission.verb,
        "group": permission.group,
        "resource": resource,
        "subresource": part,
        "name": permission.name,
    }
    return {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": {key: value for key, value in wanted.items() if value}},
    }


def write_role() -> str:
    """The smallest ClusterRole for a full diagnosis, as YAML; made from what the collectors declare."""
    lines = [
        "# Read-only. Everything `calivet` and `calivet collect` ask a cluster for, and nothing else: no Secrets.",
        "apiVersion: rbac.authorization.k8s.io/v1",
        "kind: ClusterRole",
        "metadata:",
        f"  name: {ROLE_NAME}",
        "rules:",
    ]
    for need in NEEDS:
        lines.append(f"  # Without it: {need.loses.en}.")
        lines.append(f"  - apiGroups: {_write_list(need.groups)}")
        lines.append(f"    resources: {_write_list(need.resources)}")
        lines += [f"    resourceNames: {_write_list(need.names)}"] if need.names else []
        lines.append(f"    verbs: {_write_list(need.verbs)}")
    lines += ["  # Open to every user of most clusters already.", f"  - nonResourceURLs: {_write_list(OPEN_PATHS)}"]
    return "\n".join([*lines, "    verbs: [get]"]) + "\n"


def _write_list(words: tuple[str, ...]) -> str:
    """YAML's short form of a list; only plain words go without quotes."""
    return "[" + ", ".join(word if word.isalpha() else f'"{word}"' for word in words) + "]"
