"""While the API server works this process waits, and meanwhile imports what the answer will need."""

from __future__ import annotations

from importlib import import_module
from threading import Thread

_NEEDED = (
    "calivet.pipeline",
    "calivet.signs.ready",
    "calivet.readers.kubectl.kubectl_table",
    "calivet.readers.kubectl.kubernetes_object",
    "calivet.readers.kubectl.kubectl_events",
    "calivet.readers.calico.calico_log",
    "calivet.reports.text",
)
"""Not cheap to import, and part of nearly every diagnosis of a cluster."""


def import_ahead() -> None:
    """Begin; whoever needs one of them before it is done waits for it, as for any import."""
    Thread(target=lambda: [import_module(name) for name in _NEEDED], daemon=True).start()
