"""The nodes themselves, over ssh: who is asked, and how what they say joins what the cluster says."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Event, Timer
from typing import TYPE_CHECKING

from calivet.cli.exits import CalivetError
from calivet.cli.inputs.cluster import collect_cluster, name_ending
from calivet.cli.parsing.options import find_deadline
from calivet.cli.terminal.output import complain
from calivet.cli.terminal.progress import Progress
from calivet.cli.terminal.signals import stop_on_interrupt
from calivet.evidence.artifact import Unreadable
from calivet.evidence.layouts.own_bundle import Request
from calivet.messages.command_line import build_command
from calivet.messages.message import message, say
from calivet.node.running import read_script
from calivet.node.ssh import Target, add_user, is_login, list_targets, make_file_name, read_host

if TYPE_CHECKING:
    from calivet.live.collecting import Collected
    from calivet.node.ssh import Visit


def collect_with_nodes(options: argparse.Namespace, *, ask_cluster: bool = True) -> Collected:
    """The cluster and, where it is asked for, its nodes."""
    from calivet.live.collecting import Collected

    if options.ssh_all and not ask_cluster:
        raise CalivetError(message("cli.ssh.whose_nodes"))
    shown = Progress(options.lang)
    # A cluster that does not answer is one more reason to look at the machines that the operator has named.
    collected = collect_cluster(options, shown, needed=not options.ssh) if ask_cluster else Collected()
    return _add_nodes(collected, options, shown) if options.ssh or options.ssh_all else collected


def _add_nodes(collected: Collected, options: argparse.Namespace, shown: Progress) -> Collected:
    """The same with what the nodes say; each that cannot be asked is listed."""
    from calivet.live.collecting import merge_failures
    from calivet.node.ssh import SshOptions, probe_over_ssh, write_transcript

    start, interrupted = time.monotonic(), Event()
    if collected.interrupted:
        interrupted.set()
    wanted = SshOptions(read_script(), options.ssh_timeout, options.ssh_parallel, options.ssh_sudo != "never")
    with stop_on_interrupt(interrupted.set), _interrupt_at(find_deadline(options), interrupted):
        visits = probe_over_ssh(_list_targets(collected, options), wanted, shown, interrupted)
    shown.finish()
    unreached = write_transcript(visits)
    collected.documents += [*(one.document for one in visits if one.document), *([unreached] if unreached else [])]
    collected.failed += merge_failures([one.failure for one in visits if one.failure])
    collected.requests += map(_describe_request, visits)
    collected.probed = [name for visit in visits for name in (visit.host, visit.called) if name]
    collected.seconds += time.monotonic() - start
    if interrupted.is_set() and not collected.interrupted:
        complain(say(name_ending(find_deadline(options)), options.lang))
        collected.interrupted = True
    return collected


@contextmanager
def _interrupt_at(until: float, interrupted: Event) -> Iterator[None]:
    """Within this block the end of the time has the effect of Ctrl-C."""
    timer = Timer(max(0.0, min(until - time.monotonic(), TIMEOUT_MAX)), interrupted.set)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _describe_request(visit: Visit) -> Request:
    lines = len(visit.document.lines) if visit.document else 0
    return Request(
        f"probes/{visit.host}.txt", build_command("login", login=visit.login), round(visit.seconds, 3), lines
    )


def _list_targets(collected: Collected, options: argparse.Namespace) -> list[Target]:
    """Those that the operator names, then those of the cluster."""
    from calivet.live.overview import choose_machines, list_machines

    everyone = list_machines(collected.overview)
    nodes = {known.lower(): machine.node for machine in everyone for known in (machine.address, machine.node)}
    found: dict[str, Target] = {}
    for target in list_targets(options.ssh, options.ssh_user):
        node = nodes.get(read_host(target.logins[0]).lower(), "")
        found.setdefault(node or target.name, _make_target(collected, node or target.name, target.logins, bool(node)))
    chosen, left = choose_machines(collected.overview, options.node) if options.ssh_all else ([], 0)
    for machine in chosen:
        known = filter(is_login, (machine.node, machine.address))
        logins = tuple(add_user(name, options.ssh_user) for name in known)
        found.setdefault(machine.node, _make_target(collected, machine.node, logins, is_node=True))
    if left:
        why = message("node.not_asked", left=left, count=len(everyone))
        collected.failed.append(Unreadable("probes", why, build_command("more-machines")))
    return [target for target in found.values() if target.logins]


def _make_target(collected: Collected, name: str, logins: tuple[str, ...], is_node: bool) -> Target:
    """With what is worth trying to reach from there."""
    from calivet.live.overview import find_server_seen_from_afar, list_peers

    server = find_server_seen_from_afar(collected.server)
    told = [("--api", server)] if server else []
    told += [("--peer", peer) for peer in list_peers(collected.overview, name)]
    return Target(make_file_name(name), logins, is_node, tuple(word for pair in told for word in pair))
