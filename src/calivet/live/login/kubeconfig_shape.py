"""The shape of a kubeconfig file, as far as a connection needs it. Keys that are not here are left alone."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field


class Discreet:
    """Base of records that may hold secrets: they show nothing of their content."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Extension(Discreet, Struct):
    """Data for others; one kind of it is handed to exec plugins."""

    name: str = ""
    extension: Any = None


class Cluster(Discreet, Struct, rename="kebab"):
    """Where the API server is and how it proves that it is the one."""

    server: str = ""
    certificate_authority: str = ""
    certificate_authority_data: str = ""
    insecure_skip_tls_verify: bool = False
    tls_server_name: str = ""
    proxy_url: str = ""
    disable_compression: bool = False
    extensions: list[Extension] = []


class Variable(Discreet, Struct):
    """An environment variable for an exec plugin."""

    name: str = ""
    value: str = ""


class Exec(Discreet, Struct, rename="camel"):
    """A program that prints credentials."""

    command: str = ""
    api_version: str = ""
    args: list[str] = []
    env: list[Variable] = []
    install_hint: str = ""
    provide_cluster_info: bool = False
    interactive_mode: str = "IfAvailable"


class AuthProvider(Discreet, Struct):
    """Credentials by code inside the client, which has gone from Kubernetes but for OIDC."""

    name: str = ""
    config: dict[str, str] = {}


class User(Discreet, Struct, rename="kebab"):
    """How the user proves who it is."""

    client_certificate: str = ""
    client_certificate_data: str = ""
    client_key: str = ""
    client_key_data: str = ""
    token: str = ""
    token_file: str = field(default="", name="tokenFile")
    username: str = ""
    password: str = ""
    exec: Exec | None = None
    auth_provider: AuthProvider | None = None
    impersonate: str = field(default="", name="as")
    impersonate_uid: str = field(default="", name="as-uid")
    impersonate_groups: list[str] = field(default_factory=list, name="as-groups")
    impersonate_extra: dict[str, list[str]] = field(default_factory=dict, name="as-user-extra")


class Context(Struct):
    """Which user goes to which cluster."""

    cluster: str = ""
    user: str = ""


class NamedCluster(Struct):
    """An entry of the list of clusters."""

    name: str
    cluster: Cluster = field(default_factory=Cluster)


class NamedUser(Struct):
    """An entry of the list of users."""

    name: str
    user: User = field(default_factory=User)


class NamedContext(Struct):
    """An entry of the list of contexts."""

    name: str
    context: Context = field(default_factory=Context)


class File(Struct, rename="kebab"):
    """One kubeconfig file."""

    current_context: str = ""
    clusters: list[NamedCluster] = []
    users: list[NamedUser] = []
    contexts: list[NamedContext] = []
