"""The shape of kubeconfig files; finds them, merges them and takes out one context, in the same way as kubectl."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from calivet.evidence.safe_yaml import YamlError, load_yaml
from calivet.live.trouble import ConfigError, join_to_one_line
from calivet.messages.message import Message, message


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


class Target(Discreet, Struct):
    """The two halves of a context, each with words that say where it is written."""

    context: str | None
    cluster: Cluster
    cluster_place: str
    user: User
    user_place: str
    found: str = ""
    """The machine's own kubeconfig, where it was used because the user has none."""


FOLDER = Path("/var/run/secrets/kubernetes.io/serviceaccount")


def find_target_in_cluster() -> Target | None:
    """The cluster this pod runs in; None where this is not a pod."""
    host = os.environ.get("KUBERNETES_SERVICE_HOST")
    port = os.environ.get("KUBERNETES_SERVICE_PORT")
    token = FOLDER / "token"
    if not host or not port or not token.exists():
        return None
    authority = FOLDER / "ca.crt"
    cluster = Cluster(
        server=f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}",
        certificate_authority=str(authority) if authority.exists() else "",
    )
    return Target(None, cluster, f"the service account in {FOLDER}", User(token_file=str(token)), "the service account")


EMPTY = ("", "null", "~", None)


def read(path: Path) -> File | None:
    """The file's content; None where there is no such file."""
    try:
        # A name, a token or a password may look like a number or a date.
        content = load_yaml(path.read_bytes(), as_written=True)
        file = msgspec.convert({} if content in EMPTY else _drop_empty(content), File, strict=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(message("kubeconfig.unreadable", path=str(path), why=error.strerror)) from None
    except YamlError as error:
        line = f", line {error.line}" if error.line else ""
        raise ConfigError(
            message("kubeconfig.yaml", place=f"{path}{line}", why=join_to_one_line(error.problem))
        ) from None
    except msgspec.ValidationError as error:
        raise ConfigError(message("kubeconfig.shape", place=str(path), why=str(error))) from None
    _resolve_paths(file, path.absolute().parent)
    return file


def _drop_empty(value: Any) -> Any:
    """Without what is empty or null: to Kubernetes that is the same as left out."""
    if isinstance(value, dict):
        return {key: _drop_empty(inner) for key, inner in value.items() if inner not in EMPTY}
    if isinstance(value, list):
        return [_drop_empty(inner) for inner in value]
    return value


def _resolve_paths(file: File, folder: Path) -> None:
    """Relative paths are meant from the folder of the file they stand in."""

    def anchored(path: str) -> str:
        return str(folder / path) if path else ""

    for named in file.clusters:
        named.cluster.certificate_authority = anchored(named.cluster.certificate_authority)
    for one in file.users:
        user = one.user
        user.client_certificate = anchored(user.client_certificate)
        user.client_key = anchored(user.client_key)
        user.token_file = anchored(user.token_file)
        # A bare name is looked up on PATH instead.
        if user.exec and os.sep in user.exec.command:
            user.exec.command = anchored(user.exec.command)


MACHINE_FILES = (
    Path("/etc/kubernetes/admin.conf"),
    Path("/etc/rancher/rke2/rke2.yaml"),
    Path("/etc/rancher/k3s/k3s.yaml"),
    Path("/var/lib/k0s/pki/admin.conf"),
)
"""Where kubeadm, RKE2, k3s and k0s put the administrator's."""
LISTED = 3
"""Contexts that a message offers for choice."""


class Kubeconfig(Struct):
    """All files in one; each entry with the file it stands in."""

    files: list[Path] = []
    current: str = ""
    clusters: dict[str, tuple[Path, Cluster]] = {}
    users: dict[str, tuple[Path, User]] = {}
    contexts: dict[str, tuple[Path, Context]] = {}

    @property
    def place(self) -> str:
        """The files, for messages."""
        return os.pathsep.join(map(str, self.files))


def find_target(explicit: str | None, context: str | None) -> Target:
    """Where to go and as whom: by the kubeconfig, or by the pod's service account where there is none."""
    paths = [Path(explicit)] if explicit else list_default_paths()
    kubeconfig = merge_files(paths)
    if not kubeconfig.contexts and not explicit and not context and (inside := find_target_in_cluster()):
        return inside
    if not kubeconfig.files and explicit:
        raise ConfigError(message("kubeconfig.missing", path=explicit))
    if kubeconfig.files:
        return choose_context(kubeconfig, context)
    missing = message("kubeconfig.none", paths=os.pathsep.join(map(str, paths)))
    if os.environ.get("KUBECONFIG"):
        raise ConfigError(missing)  # who says where it is does not mean another
    return _find_on_machine(context, missing)


def _find_on_machine(context: str | None, missing: Message) -> Target:
    """A control-plane node has a kubeconfig for its administrator: on the worst night it is the one at hand."""
    there = [path for path in MACHINE_FILES if path.exists()]
    for path in there:
        if os.access(path, os.R_OK):
            target = choose_context(merge_files([path]), context)
            target.found = str(path)
            return target
    if there:
        raise ConfigError(message("kubeconfig.none.unreadable", missing=missing, path=str(there[0])))
    raise ConfigError(message("kubeconfig.none.next", missing=missing))


def list_default_paths() -> list[Path]:
    """Where kubectl looks where it is not told."""
    named = [Path(name) for name in os.environ.get("KUBECONFIG", "").split(os.pathsep) if name]
    return list(dict.fromkeys(named)) or [Path(os.environ.get("HOME", "")) / ".kube" / "config"]


def merge_files(paths: list[Path]) -> Kubeconfig:
    """The files in one: whichever names an entry or the current context first, wins."""
    kubeconfig = Kubeconfig()
    for path in paths:
        content = read(path)
        if content is None:
            continue
        kubeconfig.files.append(path)
        kubeconfig.current = kubeconfig.current or content.current_context
        for context in content.contexts:
            kubeconfig.contexts.setdefault(context.name, (path, context.context))
        for cluster in content.clusters:
            kubeconfig.clusters.setdefault(cluster.name, (path, cluster.cluster))
        for user in content.users:
            kubeconfig.users.setdefault(user.name, (path, user.user))
    return kubeconfig


def choose_context(kubeconfig: Kubeconfig, wanted: str | None) -> Target:
    """The context of this name, or the current one."""
    name = wanted or kubeconfig.current
    if not name:
        raise ConfigError(_list_choices("kubeconfig.context.unset", kubeconfig))
    if name not in kubeconfig.contexts:
        raise ConfigError(_list_choices("kubeconfig.context.unknown", kubeconfig, name))
    file, context = kubeconfig.contexts[name]
    if context.cluster not in kubeconfig.clusters:
        raise ConfigError(message("kubeconfig.context.cluster", place=str(file), name=name, cluster=context.cluster))
    if context.user and context.user not in kubeconfig.users:
        raise ConfigError(message("kubeconfig.context.user", place=str(file), name=name, user=context.user))
    cluster_file, cluster = kubeconfig.clusters[context.cluster]
    cluster_place = f'cluster "{context.cluster}" in {cluster_file}'
    if not context.user:
        return Target(name, cluster, cluster_place, User(), f'context "{name}" in {file}')
    user_file, user = kubeconfig.users[context.user]
    return Target(name, cluster, cluster_place, user, f'user "{context.user}" in {user_file}')


def _list_choices(key: str, kubeconfig: Kubeconfig, near: str = "") -> Message:
    """What could be chosen instead; few words where there are many contexts."""
    from difflib import get_close_matches

    names = get_close_matches(near, kubeconfig.contexts, LISTED) or sorted(kubeconfig.contexts)
    if not names:
        return message(f"{key}.none", place=kubeconfig.place, name=near)
    known = ", ".join(names[:LISTED])
    if len(names) > LISTED:
        more = message("kubeconfig.context.more", names=known, more=str(len(names) - LISTED))
        return message(key, place=kubeconfig.place, name=near, known=more)
    return message(key, place=kubeconfig.place, name=near, known=known)
