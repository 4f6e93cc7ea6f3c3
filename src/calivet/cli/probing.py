"""The nodes themselves, over ssh: who is asked, and how what they say joins what the cluster says."""

from __future__ import annotations

import argparse
import time
from threading import Event
from typing import TYPE_CHECKING

from calivet.catalogue.words import Words
from calivet.cli import cluster
from calivet.cli.complaining import complain
from calivet.cli.exits import CalivetError
from calivet.cli.interrupting import ending_early
from calivet.cli.progress import Progress
from calivet.evidence.artifact import Unreadable
from calivet.evidence.bundle import Request
from calivet.node.script import script
from calivet.node.targets import Target, file_name, host_in, is_login, named, with_user

if TYPE_CHECKING:
    from calivet.live.collecting import Collected
    from calivet.node.visiting import Visit


WHOSE_NODES = Words(
    "--ssh-all asks the cluster for its nodes; beside files, name them: --ssh NODE",
    "--ssh-all 会向集群查询有哪些节点；与文件一起使用时请用 --ssh NODE 指明节点",
)


def collect(options: argparse.Namespace, *, ask_cluster: bool = True) -> Collected:
    """The cluster and, where it is asked for, its nodes."""
    from calivet.live.collecting import Collected

    if options.ssh_all and not ask_cluster:
        raise CalivetError(WHOSE_NODES.read(options.lang))
    shown = Progress(options.lang)
    # A cluster that does not answer is one more reason to look at the machines that the operator has named.
    collected = cluster.collect(options, shown, needed=not options.ssh) if ask_cluster else Collected()
    return _with_nodes(collected, options, shown) if options.ssh or options.ssh_all else collected


def _with_nodes(collected: Collected, options: argparse.Namespace, shown: Progress) -> Collected:
    """The same with what the nodes say; each that cannot be asked is listed."""
    from calivet.live.collecting import merged
    from calivet.node.ssh import probe_over_ssh, transcript
    from calivet.node.visiting import SshOptions

    start, interrupted = time.monotonic(), Event()
    if collected.interrupted:
        interrupted.set()
    wanted = SshOptions(script(), options.ssh_timeout, options.ssh_parallel, options.ssh_sudo != "never")
    with ending_early(interrupted.set):
        visits = probe_over_ssh(_targets(collected, options), wanted, shown, interrupted)
    shown.finish()
    unreached = transcript(visits)
    collected.documents += [*(one.document for one in visits if one.document), *([unreached] if unreached else [])]
    collected.failed += merged([one.failure for one in visits if one.failure])
    collected.requests += map(_request, visits)
    collected.probed = [name for visit in visits for name in (visit.host, visit.called) if name]
    collected.seconds += time.monotonic() - start
    if interrupted.is_set() and not collected.interrupted:
        complain(cluster.ANSWER_SO_FAR.read(options.lang))
        collected.interrupted = True
    return collected


def _request(visit: Visit) -> Request:
    lines = len(visit.document.lines) if visit.document else 0
    return Request(f"probes/{visit.host}.txt", f"ssh {visit.login}", round(visit.seconds, 3), lines)


def _targets(collected: Collected, options: argparse.Namespace) -> list[Target]:
    """Those that the operator names, then those of the cluster."""
    from calivet.live.machines import chosen_machines, machines

    everyone = machines(collected.survey)
    nodes = {known.lower(): machine.node for machine in everyone for known in (machine.address, machine.node)}
    found: dict[str, Target] = {}
    for target in named(options.ssh, options.ssh_user):
        node = nodes.get(host_in(target.logins[0]).lower(), "")
        found.setdefault(node or target.name, _target(collected, node or target.name, target.logins, bool(node)))
    chosen, left = chosen_machines(collected.survey, options.node) if options.ssh_all else ([], 0)
    for machine in chosen:
        known = filter(is_login, (machine.node, machine.address))
        logins = tuple(with_user(name, options.ssh_user) for name in known)
        found.setdefault(machine.node, _target(collected, machine.node, logins, is_node=True))
    if left:
        why = f"{left:,} of {len(everyone):,} nodes were not asked: of so many only the sick ones are, and a few others"
        collected.failed.append(Unreadable("probes", why, "calivet --ssh NODE"))
    return [target for target in found.values() if target.logins]


def _target(collected: Collected, name: str, logins: tuple[str, ...], is_node: bool) -> Target:
    """With what is worth trying to reach from there."""
    from calivet.live.machines import peers, server_seen_from_afar

    server = server_seen_from_afar(collected.server)
    told = [("--api", server)] if server else []
    told += [("--peer", peer) for peer in peers(collected.survey, name)]
    return Target(file_name(name), logins, is_node, tuple(word for pair in told for word in pair))
