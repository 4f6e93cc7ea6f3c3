"""Who lets what through: policies of namespaces, Calico's accounts and their rights, webhooks that admit pods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from calivet.evidence.archives.member_names import build_member_name
from calivet.live import needs, objects
from calivet.live.connection import Connection
from calivet.live.fetch_tasks import FetchTask
from calivet.live.objects import (
    FROM_MEMORY,
    NO_HEADS,
    Listed,
    decode_body,
    fetch_table,
    print_rows,
    to_thing,
    write_lines,
)
from calivet.live.trouble import Trouble
from calivet.messages.command_line import build_command
from calivet.messages.message import message
from calivet.search.expressions import expression

_POLICIES = f"/apis/{needs.NETWORKING}/v1/networkpolicies"
_ROLES = f"/apis/{needs.RBAC}/v1/clusterroles"
_BINDINGS = f"/apis/{needs.RBAC}/v1/clusterrolebindings"
MOST_POLICIES = 300
"""More of them nobody reads, and some of them prove nothing: a policy that is left out may be the one that allows."""
_ACCOUNTS = ("calico-node", "calico-cni-plugin", "canal")
"""Those of whom it is known what they need."""
_OWN_NAMES = ("calico", "canal", "tigera")
_EVERYBODY = ("system:serviceaccounts", "system:authenticated")
_ADMIN = "cluster-admin"
"""Every cluster that asks for rights at all has this one, so a list without it is not whole."""
# What Kubernetes itself gives everybody is no role of Calico's.
_ROLE_NAME = expression(r"(?!system:)[A-Za-z0-9][\w.:-]{0,252}")
_POD_RESOURCES = ("pods", "*", "*/*", "pods/*")


def list_guards(connection: Connection, roles: set[str]) -> list[FetchTask]:
    """All of them; `roles` gets the names of the roles that Calico's accounts have."""
    policies = build_command("objects-everywhere", resource=f"networkpolicies.{needs.NETWORKING}")
    bindings = build_command("list", resource="clusterrolebindings")
    return [
        FetchTask(
            "networkpolicies.yaml", policies, needs.OTHER_POLICIES, lambda: _fetch_policies(connection), optional=True
        ),
        FetchTask(
            "clusterrolebindings.txt", bindings, needs.RIGHTS, lambda: _fetch_bindings(connection, roles), optional=True
        ),
        *(_list_webhooks(connection, resource) for resource in needs.WEBHOOKS.resources),
        *(_list_leaving(connection, resource) for resource in needs.LEAVING.resources),
    ]


def _fetch_policies(connection: Connection) -> list[str]:
    page = decode_body(Listed, connection.get(_POLICIES, FROM_MEMORY), _POLICIES)
    if len(page.items) > MOST_POLICIES:
        raise Trouble("broken", message("connection.left_out", count=len(page.items) - MOST_POLICIES))
    things = [to_thing(page, item, _POLICIES) for item in page.items]
    # As kubectl says it: that there is none is evidence too.
    return write_lines(things) or ["No resources found"]


def _fetch_bindings(connection: Connection, roles: set[str]) -> list[str]:
    """Of all bindings those of Calico's accounts and of everybody."""
    columns: list[str] = []
    rows: list[list[Any]] = []
    for page in fetch_table(connection, _BINDINGS, NO_HEADS):
        columns = [column.name for column in page.columns]
        places = page.places
        for row in page.rows:
            role = str(row.cells[places["role"]]).removeprefix("ClusterRole/")
            subjects = [*_split(row.cells[places["serviceaccounts"]]), *_split(row.cells[places["groups"]])]
            if any(_is_calicos(subject) for subject in subjects):
                roles.add(role)
            if role == _ADMIN or any(_is_calicos(subject) for subject in subjects):
                rows.append(row.cells)
    return print_rows(columns, rows) if rows else []


def _split(cell: object) -> list[str]:
    return [one.strip() for one in str(cell or "").split(",")]


def _is_calicos(subject: str) -> bool:
    return subject.rpartition("/")[2] in _ACCOUNTS or subject.startswith(_EVERYBODY)


def fetch_roles(connection: Connection, roles: set[str]) -> list[FetchTask]:
    """What each of these roles allows."""
    return [_fetch_role(connection, name) for name in sorted(roles) if _ROLE_NAME.fullmatch(name)]


def _fetch_role(connection: Connection, name: str) -> FetchTask:
    command = build_command("cluster-role", name=name)
    member = build_member_name("clusterroles", f"{name}.yaml")
    return FetchTask(
        member, command, needs.RIGHTS, lambda: objects.fetch_one(connection, f"{_ROLES}/{name}"), optional=True
    )


class _Rule(Struct, frozen=True):
    resources: list[str] = []


class _Webhook(Struct, frozen=True):
    rules: list[_Rule] = []
    failure: str = msgspec.field(default="", name="failurePolicy")


class _Webhooks(Struct, frozen=True):
    webhooks: list[_Webhook] = []


def _list_webhooks(connection: Connection, resource: str) -> FetchTask:
    path = f"/apis/{needs.ADMISSION}/v1/{resource}"

    def fetch() -> Sequence[str]:
        page = decode_body(Listed, connection.get(path, FROM_MEMORY), path)
        telling = [item for item in page.items if _is_guarding_pods(decode_body(_Webhooks, bytes(item), path))]
        return write_lines([to_thing(page, item, path) for item in telling])

    command = build_command("objects", resource=resource)
    return FetchTask(f"{resource}.yaml", command, needs.WEBHOOKS, fetch, optional=True)


def _is_guarding_pods(thing: _Webhooks) -> bool:
    """Whether no pod is made without its answer."""
    return any(
        hook.failure == "Fail" and any(one in _POD_RESOURCES for rule in hook.rules for one in rule.resources)
        for hook in thing.webhooks
    )


class _Head(Struct, frozen=True):
    name: str = ""
    deleted: str = msgspec.field(default="", name="deletionTimestamp")


class _Headed(Struct, frozen=True):
    metadata: _Head


def _list_leaving(connection: Connection, resource: str) -> FetchTask:
    """Of Calico's own what is being deleted: the tokens of such an account are refused."""
    path = f"/api/v1/{resource}"

    def fetch() -> Sequence[str]:
        page = decode_body(Listed, connection.get(path, FROM_MEMORY), path)
        heads = [(decode_body(_Headed, bytes(item), path).metadata, item) for item in page.items]
        telling = [item for head, item in heads if head.deleted and head.name.startswith(_OWN_NAMES)]
        return write_lines([to_thing(page, item, path) for item in telling])

    command = build_command("objects-everywhere" if resource == "serviceaccounts" else "objects", resource=resource)
    return FetchTask(f"{resource}.yaml", command, needs.LEAVING, fetch, optional=True)
