"""What `calivet fix` works with: the cluster, its machines, and who is at work."""

from __future__ import annotations

import argparse
import copy
import getpass
import socket
from threading import Event
from typing import TYPE_CHECKING

from calivet.cli.commands.diagnose import diagnose_evidence
from calivet.cli.inputs.cluster import make_access, open_connection
from calivet.cli.inputs.evidence import gather_evidence
from calivet.cli.inputs.ssh_nodes import collect_with_nodes
from calivet.node.ssh import add_user, is_login, read_host

if TYPE_CHECKING:
    from calivet.fix.broker import Tools
    from calivet.fix.run import Choices
    from calivet.live.collecting import Collected
    from calivet.reasoning.diagnosis import Diagnosis


def collect(options: argparse.Namespace) -> tuple[Collected, Diagnosis]:
    """The cluster as it is now, and what is wrong with it."""
    collected = collect_with_nodes(options)
    evidence = gather_evidence([], options, more=collected.documents)
    evidence.unreadable += collected.failed
    evidence.taken = evidence.taken or collected.started
    return collected, diagnose_evidence(evidence, options)


def look_again(options: argparse.Namespace, since: int | None) -> Diagnosis:
    """What is wrong with it after a change; of the logs only what was written since then."""
    again = copy.copy(options)
    again.since, again.until = since or options.since, None
    return collect(again)[1]


def read_choices(options: argparse.Namespace) -> Choices:
    """What the operator has decided beforehand."""
    from calivet.fix.run import Choices

    return Choices(
        options.yes,
        options.likely,
        options.dry_run,
        options.wait,
        options.steps,
        values=dict(options.values),
        save_in_cluster=options.save_in_cluster,
    )


def make_tools(options: argparse.Namespace, collected: Collected | None) -> Tools:
    """Connections to the API server and to machines; nobody is asked yet."""
    from msgspec.structs import replace

    from calivet.fix.broker import Tools
    from calivet.fix.hosts import SshHosts

    interrupted = Event()
    hosts = SshHosts(_list_logins(options, collected), interrupted)
    options.until = float("inf")
    access = replace(make_access(options), until=float("inf"))
    return Tools(open_connection(options), access, hosts, interrupted, options.step_timeout)


def _list_logins(options: argparse.Namespace, collected: Collected | None) -> dict[str, tuple[str, ...]]:
    """By node what ssh is told: what the operator named, else its name and its address."""
    from calivet.live.overview import list_machines

    found: dict[str, tuple[str, ...]] = {}
    machines = list_machines(collected.overview) if collected else []
    for machine in machines:
        known = filter(is_login, (machine.node, machine.address))
        found[machine.node] = tuple(add_user(name, options.ssh_user) for name in known)
    nodes = {name.lower(): machine.node for machine in machines for name in (machine.address, machine.node)}
    for login in options.ssh:
        host = read_host(login)
        found[nodes.get(host.lower(), host)] = (add_user(login, options.ssh_user),)
    return found


def name_user() -> str:
    """Who is at work, for the journal and the lock."""
    return f"{getpass.getuser()}@{socket.gethostname()}"
