"""Who may ask the bed's API server: users with a token, and the roles of those who are not administrators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

RBAC = "rbac.authorization.k8s.io"
ADMINISTRATORS = "system:masters"


class User(Struct, frozen=True):
    """A name, a token, and what it may get and list: pairs of API group and resources."""

    name: str
    group: str = "calivet:users"
    may_read: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def token(self) -> str:
        """Readable in a failed test, and worth nothing outside it."""
        return f"token-of-{self.name}"


ADMIN = User("admin", ADMINISTRATORS)
VIEWER = User("viewer", may_read=(("", ("pods", "nodes")),))
"""Sees pods and nodes, and no more: no logs, no events, nothing of Calico."""
NOBODY = User("nobody")
"""Is known to the API server and may read nothing."""
READER = User("reader")
"""May read nothing either, until a test gives it a role."""
USERS = (ADMIN, VIEWER, NOBODY, READER)


def write_tokens(file: Path, users: Sequence[User] = USERS) -> Path:
    """The API server's file of tokens."""
    file.write_text("".join(f'{user.token},{user.name},{user.name},"{user.group}"\n' for user in users), "utf-8")
    return file


def roles(users: Sequence[User] = USERS) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kind of resource and object of every role and binding that the users need."""
    for user in users:
        if user.may_read:
            name = f"calivet-test-{user.name}"
            rules = [
                {"apiGroups": [group], "resources": list(resources), "verbs": ["get", "list"]}
                for group, resources in user.may_read
            ]
            yield "clusterroles", _object("ClusterRole", name) | {"rules": rules}
            yield (
                "clusterrolebindings",
                _object("ClusterRoleBinding", name)
                | {
                    "subjects": [{"kind": "User", "name": user.name, "apiGroup": RBAC}],
                    "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": name},
                },
            )


def _object(kind: str, name: str) -> dict[str, Any]:
    return {"apiVersion": f"{RBAC}/v1", "kind": kind, "metadata": {"name": name}}
