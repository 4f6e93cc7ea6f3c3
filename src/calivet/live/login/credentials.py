"""Who asks: a kubeconfig's user, or the exec plugin that it names (EKS, GKE, AKS, OIDC), as headers and certificate."""

from __future__ import annotations

import os
import sys
import threading
import time
from base64 import b64encode
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Struct

from calivet.live.login.identity import Identity, KeyPair, Material, build_bearer, read_key_pair, read_material
from calivet.live.login.kubeconfig import AuthProvider, Cluster, Discreet, Exec, Target, User
from calivet.live.trouble import ConfigError, join_to_one_line
from calivet.live.wire import pools
from calivet.messages.message import Message, message

if TYPE_CHECKING:
    from subprocess import Popen

EXTENSION = "client.authentication.k8s.io/exec"


def build_exec_info(plugin: Exec, target: Target, interactive: bool) -> str:
    """An ExecCredential with the question; the plugin prints one with the answer."""
    spec: dict[str, Any] = {"interactive": interactive}
    if plugin.provide_cluster_info:
        spec["cluster"] = _describe_cluster(target)
    return msgspec.json.encode({"apiVersion": plugin.api_version, "kind": "ExecCredential", "spec": spec}).decode()


def _describe_cluster(target: Target) -> dict[str, Any]:
    """The cluster as plugins expect it: the CA always as data, and the extension that is meant for them."""
    cluster = target.cluster
    trusted = pools.find_authority(target)
    told = Cluster(
        server=cluster.server,
        certificate_authority_data=b64encode(trusted.content).decode() if trusted else "",
        insecure_skip_tls_verify=cluster.insecure_skip_tls_verify,
        tls_server_name=cluster.tls_server_name,
        proxy_url=cluster.proxy_url,
        disable_compression=cluster.disable_compression,
    )
    info = {name: value for name, value in msgspec.to_builtins(told).items() if value}
    extensions = {one.name: one.extension for one in cluster.extensions}
    return info | ({"config": extensions[EXTENSION]} if EXTENSION in extensions else {})


VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
SECONDS = 60
SECONDS_WITH_PERSON = 300
"""A person may have to sign in with a browser first."""
SECRET_NAMES = ("secret", "token", "password", "key")


class Issued(Discreet, Struct, rename="camel"):
    """What a plugin gives."""

    token: str = ""
    client_certificate_data: str = ""
    client_key_data: str = ""
    expiration_timestamp: datetime | None = None


class _Printed(Discreet, Struct, rename="camel"):
    api_version: str = ""
    status: Issued | None = None


def check(plugin: Exec, owner: str) -> None:
    """Says what can be said before anything runs: a plugin that is missing, or made for another client."""
    from shutil import which

    if not plugin.command:
        raise ConfigError(message("kubeconfig.exec.no_command", owner=owner))
    if plugin.api_version not in VERSIONS:
        raise ConfigError(
            message("kubeconfig.exec.version", owner=owner, version=plugin.api_version, known=" and ".join(VERSIONS))
        )
    if which(plugin.command) is None:
        if hint := join_to_one_line(plugin.install_hint):
            raise ConfigError(message("kubeconfig.exec.missing.hint", owner=owner, plugin=plugin.command, hint=hint))
        raise ConfigError(message("kubeconfig.exec.missing", owner=owner, plugin=plugin.command))
    if plugin.interactive_mode == "Always" and not _is_person_present():
        raise ConfigError(message("kubeconfig.exec.person", owner=owner, plugin=plugin.command))


def run(plugin: Exec, target: Target) -> Issued:
    """Runs the plugin once; ConfigError where it gives nothing useful."""
    interactive = plugin.interactive_mode != "Never" and _is_person_present()
    output = _run_plugin(plugin, build_exec_info(plugin, target, interactive), interactive)
    try:
        printed = msgspec.json.decode(output, type=_Printed)
    except ValueError:  # no JSON, no UTF-8, another shape
        raise ConfigError(message("kubeconfig.exec.output", plugin=plugin.command)) from None
    if printed.api_version != plugin.api_version:
        told = join_to_one_line(printed.api_version) or message("kubeconfig.no_version")
        wanted = plugin.api_version
        raise ConfigError(message("kubeconfig.exec.output.version", plugin=plugin.command, printed=told, wanted=wanted))
    if printed.status is None or not (printed.status.token or printed.status.client_certificate_data):
        raise ConfigError(message("kubeconfig.exec.output.empty", plugin=plugin.command))
    return printed.status


def _is_person_present() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def _run_plugin(plugin: Exec, info: str, interactive: bool) -> bytes:
    """What the plugin prints. With a person at the terminal its questions and complaints go there directly."""
    import subprocess

    seconds = SECONDS_WITH_PERSON if interactive else SECONDS
    try:
        process = subprocess.Popen(
            [plugin.command, *plugin.args],
            env={**os.environ, **{one.name: one.value for one in plugin.env}, "KUBERNETES_EXEC_INFO": info},
            stdin=None if interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if interactive else subprocess.PIPE,
            start_new_session=not interactive,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", error)
        raise ConfigError(message("kubeconfig.exec.failed.start", plugin=plugin.command, why=str(why))) from None
    with process:
        try:
            output, complaint = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise ConfigError(
                message("kubeconfig.exec.failed.late", plugin=plugin.command, seconds=str(seconds))
            ) from None
        finally:
            _end(process, with_children=not interactive)
    if process.returncode:
        code = str(process.returncode)
        if said := _mask_complaint((complaint or b"").decode("utf-8", "replace"), plugin):
            raise ConfigError(message("kubeconfig.exec.failed.saying", plugin=plugin.command, code=code, said=said))
        raise ConfigError(message("kubeconfig.exec.failed", plugin=plugin.command, code=code))
    return output


def _end(process: Popen[bytes], with_children: bool) -> None:
    """Nothing stays behind after a deadline or Ctrl-C."""
    import signal

    if process.poll() is not None:
        return
    if with_children and hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _mask_complaint(complaint: str, plugin: Exec) -> str:
    """The plugin's own words, but for secrets that it was given and may repeat."""
    given = [(one.name, one.value) for one in plugin.env] + [_split_option(one) for one in plugin.args]
    for name, value in given:
        if value and any(part in name.lower() for part in SECRET_NAMES):
            complaint = complaint.replace(value, "***")
    return join_to_one_line(complaint)


def _split_option(argument: str) -> tuple[str, str]:
    name, _, value = argument.partition("=")
    return name, value


EARLY = 10.0
"""Seconds before its end at which a credential is renewed."""
GRACE = 30.0
"""Seconds for which a plugin that failed is not run again: dozens of requests ask at once."""


class PluginCredentials:
    """Remembers what the plugin gave."""

    def __init__(self, plugin: Exec, target: Target) -> None:
        self._plugin = plugin
        self._target = target
        self._lock = threading.Lock()
        self._identity: Identity | None = None
        self._end: float | None = None
        self._refused: Identity | None = None
        self._failure: tuple[float, Message] | None = None

    def current(self) -> Identity:
        """What the plugin gave last, or gives now."""
        with self._lock:
            if self._identity is None or (self._end is not None and time.time() > self._end - EARLY):
                self._identity = self._issued()
            return self._identity

    def renewed(self, stale: Identity) -> bool:
        """Runs the plugin again, unless another thread was faster or it has been tried for this identity."""
        with self._lock:
            if self._identity == stale and self._refused != stale:
                self._refused = stale
                self._identity = self._issued()
            return self._identity != stale

    def _issued(self) -> Identity:
        if self._failure and time.monotonic() < self._failure[0] + GRACE:
            raise ConfigError(self._failure[1])
        try:
            return self._run()
        except ConfigError as error:
            self._failure = (time.monotonic(), error.message)
            raise

    def _run(self) -> Identity:
        owner = f"exec plugin {self._plugin.command}"
        issued = run(self._plugin, self._target)
        end = issued.expiration_timestamp
        self._end = end.timestamp() if end else None
        certificate = Material(issued.client_certificate_data.encode(), f"clientCertificateData of {owner}")
        key = Material(issued.client_key_data.encode(), f"clientKeyData of {owner}")
        return Identity(
            build_bearer(issued.token, owner) if issued.token else "",
            read_key_pair(certificate if certificate.content else None, key if key.content else None, owner),
        )


SUCCESSORS = {
    "gcp": "gke-gcloud-auth-plugin",
    "azure": "kubelogin (https://github.com/Azure/kubelogin)",
    "oidc": "kubelogin (https://github.com/int128/kubelogin)",
}


class Credentials(Protocol):
    """Where identities come from. Both ways raise ConfigError where there is none to be had."""

    def current(self) -> Identity:
        """The identity for the next request."""

    def renewed(self, stale: Identity) -> bool:
        """After the server did not accept this one: whether there is another to try."""


def find_credentials(target: Target) -> Credentials:
    """The way this user proves who it is, in the order of kubectl."""
    user, owner = target.user, target.user_place
    if not (user.token or user.token_file or user.username):
        if user.exec:
            check(user.exec, owner)
            return PluginCredentials(user.exec, target)
        if user.auth_provider:
            user.token = _read_provider_token(user.auth_provider, owner)
    written = WrittenCredentials(user, owner)
    written.current()
    return written


def _read_provider_token(provider: AuthProvider, owner: str) -> str:
    """Of the old providers only OIDC keeps a token that the server understands as it is."""
    if provider.name == "oidc" and (token := provider.config.get("id-token")):
        return token
    successor = SUCCESSORS.get(provider.name, "an exec plugin")
    raise ConfigError(message("kubeconfig.provider", owner=owner, provider=provider.name, successor=successor))


class WrittenCredentials:
    """Credentials that stand in the kubeconfig or in files that it names."""

    def __init__(self, user: User, owner: str) -> None:
        self._user = user
        self._owner = owner
        self._pair = self._read_pair()

    def current(self) -> Identity:
        """A token file is read each time: that is cheap, and no rotation is missed."""
        return Identity(self._authorization(), self._pair)

    def renewed(self, stale: Identity) -> bool:
        """The files of the client certificate may have been replaced meanwhile."""
        self._pair = self._read_pair()
        return self.current() != stale

    def _read_pair(self) -> KeyPair | None:
        user, owner = self._user, self._owner
        certificate = read_material("client-certificate", user.client_certificate_data, user.client_certificate, owner)
        return read_key_pair(
            certificate, read_material("client-key", user.client_key_data, user.client_key, owner), owner
        )

    def _authorization(self) -> str:
        user = self._user
        if token := self._token():
            return build_bearer(token, self._owner)
        if user.username:
            return f"Basic {b64encode(f'{user.username}:{user.password}'.encode()).decode()}"
        return ""

    def _token(self) -> str:
        """What the file holds goes before what the kubeconfig holds, as long as the file can be read."""
        path, written = self._user.token_file, self._user.token
        if not path:
            return written
        try:
            token = Path(path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError as error:
            if written:
                return written
            why = error.strerror
            raise ConfigError(
                message("kubeconfig.token_file.unreadable", owner=self._owner, path=str(path), why=why)
            ) from None
        if not token:
            raise ConfigError(message("kubeconfig.token_file.empty", owner=self._owner, path=str(path)))
        return token
