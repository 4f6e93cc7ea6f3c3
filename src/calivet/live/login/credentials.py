"""Who asks: a kubeconfig's user becomes headers and a client certificate, read anew as they rotate."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Protocol

from calivet.live.login import exec_plugin
from calivet.live.login.identity import Identity, bearer
from calivet.live.login.kubeconfig_shape import AuthProvider, User
from calivet.live.login.material import KeyPair, key_pair, material
from calivet.live.login.plugin_credentials import PluginCredentials
from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError

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


def credentials(target: Target) -> Credentials:
    """The way this user proves who it is, in the order of kubectl."""
    user, owner = target.user, target.user_place
    if not (user.token or user.token_file or user.username):
        if user.exec:
            exec_plugin.check(user.exec, owner)
            return PluginCredentials(user.exec, target)
        if user.auth_provider:
            user.token = _provided(user.auth_provider, owner)
    written = WrittenCredentials(user, owner)
    written.current()
    return written


def _provided(provider: AuthProvider, owner: str) -> str:
    """Of the old providers only OIDC keeps a token that the server understands as it is."""
    if provider.name == "oidc" and (token := provider.config.get("id-token")):
        return token
    successor = SUCCESSORS.get(provider.name, "an exec plugin")
    raise ConfigError(f"{owner}: auth-provider {provider.name} is no longer supported; use {successor} instead")


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
        certificate = material("client-certificate", user.client_certificate_data, user.client_certificate, owner)
        return key_pair(certificate, material("client-key", user.client_key_data, user.client_key, owner), owner)

    def _authorization(self) -> str:
        user = self._user
        if token := self._token():
            return bearer(token, self._owner)
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
            raise ConfigError(f"tokenFile of {self._owner}: {path} cannot be read: {error.strerror}") from None
        if not token:
            raise ConfigError(f"tokenFile of {self._owner}: {path} is empty")
        return token
