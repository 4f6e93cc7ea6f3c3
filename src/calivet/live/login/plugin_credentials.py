"""Credentials from an exec plugin: one run serves all threads until they run out or are refused."""

from __future__ import annotations

import threading
import time

from calivet.live.login import exec_plugin
from calivet.live.login.identity import Identity, bearer
from calivet.live.login.kubeconfig_shape import Exec
from calivet.live.login.material import Material, key_pair
from calivet.live.login.target import Target
from calivet.live.trouble import ConfigError

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
        self._failure: tuple[float, str] | None = None

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
            self._failure = (time.monotonic(), str(error))
            raise

    def _run(self) -> Identity:
        owner = f"exec plugin {self._plugin.command}"
        issued = exec_plugin.run(self._plugin, self._target)
        end = issued.expiration_timestamp
        self._end = end.timestamp() if end else None
        certificate = Material(issued.client_certificate_data.encode(), f"clientCertificateData of {owner}")
        key = Material(issued.client_key_data.encode(), f"clientKeyData of {owner}")
        return Identity(
            bearer(issued.token, owner) if issued.token else "",
            key_pair(certificate if certificate.content else None, key if key.content else None, owner),
        )
