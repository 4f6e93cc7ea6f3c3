"""The live cluster for the commands that ask it: connect, collect, and say clearly where that ends."""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from calivet.cli.exits import CalivetError
from calivet.cli.invocation import find_program_name
from calivet.cli.packages import BrokenPackageError
from calivet.cli.parsing.options import find_deadline
from calivet.cli.terminal.output import complain
from calivet.cli.terminal.progress import Progress, Silence
from calivet.cli.terminal.signals import stop_on_interrupt
from calivet.messages.message import Message, find_reason, message, say

if TYPE_CHECKING:
    from calivet.live.collecting import Collected
    from calivet.live.connection import Access, Connection

TELLING = ("nodes.txt", "pods.txt")
"""Without either there is nothing to diagnose."""
NEEDED_LATER = (
    "calivet.pipeline",
    "calivet.signs.sign_detector",
    "calivet.readers.kubectl.kubectl_table",
    "calivet.readers.objects.kubernetes_object",
    "calivet.readers.kubectl.kubectl_events",
    "calivet.readers.calico.calico_log",
    "calivet.reports.diagnosis.text",
)
"""Not cheap to import, and part of nearly every diagnosis of a cluster."""


def make_access(options: argparse.Namespace) -> Access:
    """What the user said about the cluster and himself."""
    from calivet.live.connection import Access

    return Access(
        kubeconfig=options.kubeconfig,
        context=options.context,
        timeout=options.request_timeout,
        until=find_deadline(options),
        impersonate=options.impersonate,
        groups=tuple(options.groups),
    )


def open_connection(options: argparse.Namespace) -> Connection:
    """A connection as kubectl would make it; nothing is asked yet."""
    from calivet.live.connection import connect
    from calivet.live.trouble import ConfigError

    try:
        return connect(make_access(options))
    except ConfigError as error:
        raise CalivetError(error.message) from None


def collect_cluster(
    options: argparse.Namespace, progress: Progress | Silence | None = None, *, needed: bool = True
) -> Collected:
    """What the cluster tells; fails only where it tells nothing at all, and nothing else will do."""
    from calivet.evidence.artifact import Unreadable
    from calivet.live.collecting import Collected, Collector, Scope

    shown = progress or Progress(options.lang)
    until = find_deadline(options)
    try:
        connection = open_connection(options)
    except CalivetError as failure:
        if needed or options.kubeconfig or options.context:
            raise
        return Collected(failed=[Unreadable("cluster", find_reason(failure))])
    shown.name_cluster(connection.context or "", connection.server)
    if connection.found:
        complain(say("cli.cluster.found", options.lang, path=connection.found))
    collector = Collector(connection, Scope(tuple(options.node), options.since, until), shown)
    _import_ahead()
    with stop_on_interrupt(collector.interrupt):
        collected = collector.collect()
    shown.finish()
    if needed and not any(document.name in TELLING for document in collected.documents):
        raise CalivetError(_explain_nothing(collected))
    if collected.interrupted:
        complain(say(name_ending(until), options.lang))
    return collected


def _explain_nothing(collected: Collected) -> Message:
    from urllib.parse import urlsplit

    first = next(
        (item for item in collected.failed if item.what.startswith("nodes.txt")), next(iter(collected.failed), None)
    )
    why = first.why if first else message("cli.cluster.empty")
    if first and first.why.key == "connection.forbidden":
        return message("cli.cluster.nothing_allowed", server=collected.server, program=find_program_name())
    server = collected.server
    named = message("cli.cluster.named", context=collected.context, server=server) if collected.context else server
    told = message("cli.cluster.nothing", server=named, why=why)
    host = urlsplit(server).hostname or server
    key = _choose_way_on(why, host)
    return message(key, told=told, known=_explain_silence(why), host=host, program=find_program_name())


_UNKNOWN_HOST = "connection.unknown_host"
_KNOWN = {
    "connection.refused": "cli.cluster.known.refused",
    _UNKNOWN_HOST: "cli.cluster.known.name",
    "connection.late": "cli.cluster.known.silent",
    "connection.late.finish": "cli.cluster.known.silent",
    "connection.unreachable": "cli.cluster.known.silent",
    "connection.server.expired": "cli.cluster.known.expired",
    "connection.credentials.expired": "cli.cluster.known.expired",
    "connection.server.name": "cli.cluster.known.stranger",
    "connection.server.ca": "cli.cluster.known.stranger",
    "connection.server.any_ca": "cli.cluster.known.stranger",
    "connection.credentials": "cli.cluster.known.credentials",
}
"""By what became of the connection, what that tells of the API server."""


def _explain_silence(why: Message) -> Message:
    return message(_KNOWN.get(why.key, "cli.cluster.known.other"))


def _choose_way_on(why: Message, host: str) -> str:
    """The key of what to do next: nobody can go to a machine whose name does not resolve, nor has to go to this one."""
    if why.key == _UNKNOWN_HOST:
        return "cli.cluster.nothing.name"
    is_here = host in ("localhost", "::1") or host.startswith("127.")
    return "cli.cluster.nothing.here" if is_here else "cli.cluster.nothing.next"


def name_ending(until: float) -> str:
    """The key of what is said where the reading ended early: by the clock, or by Ctrl-C."""
    return "cli.cluster.time_is_up" if time.monotonic() >= until else "cli.cluster.answer_so_far"


def _import_ahead() -> None:
    """While the API server works this process waits, and meanwhile imports what the answer will need.

    Whoever needs one of these before it is done waits for it, as for any import.
    """
    Thread(target=_import_all, daemon=True).start()


def _import_all() -> None:
    # Whoever needs what cannot be imported meets the same trouble, and says so.
    with suppress(Exception, BrokenPackageError):
        for name in NEEDED_LATER:
            import_module(name)
