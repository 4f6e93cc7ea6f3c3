"""The names that complete a value: contexts, nodes, causes, incidents. A source asks little, and fails in silence."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

NODES_DEADLINE = 2.0  # seconds; whoever presses Tab is waiting


class Candidate(NamedTuple):
    """A word that fits, and what it is."""

    value: str
    says: str = ""


def contexts(options: argparse.Namespace) -> Iterator[Candidate]:
    """The contexts of the kubeconfig files; no cluster is asked."""
    from calivet.live.login.kubeconfig import default_paths, merged

    paths = [Path(options.kubeconfig)] if options.kubeconfig else default_paths()
    for name, (_, context) in merged(paths).contexts.items():
        yield Candidate(name, context.cluster and f"cluster {context.cluster}")


def nodes(options: argparse.Namespace) -> Iterator[Candidate]:
    """The cluster's nodes, where it answers in time."""
    from threading import Thread

    from calivet.cli.cluster import access
    from calivet.live.names import node_names

    names: list[str] = []

    def ask() -> None:
        with suppress(Exception):  # a thread's failure would be printed into the line being typed
            names.extend(node_names(access(options)))

    # It ends with the process: a cluster that does not answer must not hold up the shell.
    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(NODES_DEADLINE)
    yield from (Candidate(name) for name in tuple(names))


def causes(options: argparse.Namespace) -> Iterator[Candidate]:
    """The causes of the catalogue, the user's own among them."""
    from calivet.cli.knowledge import known_causes

    for cause in known_causes(options.causes).causes.values():
        yield Candidate(cause.id, cause.title.read(options.lang))


def incidents(options: argparse.Namespace) -> Iterator[Candidate]:
    """The embedded incidents."""
    from calivet.cli.answering import demo_titles

    for name, title in demo_titles().items():
        yield Candidate(name, title[options.lang])


SOURCES: dict[str, Callable[[argparse.Namespace], Iterator[Candidate]]] = {
    "cause": causes,
    "context": contexts,
    "incident": incidents,
    "node": nodes,
    "ssh": nodes,
}
"""By the name an option or argument has in the parsed options."""
