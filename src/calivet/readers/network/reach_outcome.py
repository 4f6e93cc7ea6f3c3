"""How a try to reach something ended, from the words that all tools borrow from the system."""

from __future__ import annotations

import re

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Reach
from calivet.readers.inside import Machines, inside

_REASONS = (
    ("refused", expression(r"refused|拒绝", re.IGNORECASE)),
    (
        "no-route",
        expression(r"no route to host|(?:network|host) (?:is )?unreachable|没有到主机的路由|不可达", re.IGNORECASE),
    ),
    ("reset", expression(r"reset by peer|connection closed|empty reply|重置", re.IGNORECASE)),
    (
        "unresolved",
        expression(
            r"could ?n[o']t resolve|could not resolve|name or service|name resolution|bad address|unknown host"
            r"|no such host|未知的名称",
            re.IGNORECASE,
        ),
    ),
    ("timeout", expression(r"time[d-]?[ -]?out|超时", re.IGNORECASE)),
    ("ok", expression(r"^(?:open|succeeded|connected)\b", re.IGNORECASE)),
)


class Try(Struct):
    """One try, as its tool reports it."""

    index: int
    protocol: str
    outcome: str
    target: str | None = None
    port: int | None = None
    detail: str | None = None
    size: int | None = None


def outcome_of(words: str) -> str:
    """The outcome that a tool's words mean."""
    return next((outcome for outcome, said in _REASONS if said.search(words)), "error")


def reaches(artifact: Artifact, tries: list[Try]) -> list[Reach]:
    """The tries as facts; a tool that says the same in two lines has said it once."""
    pod = inside(artifact).pod
    machines = Machines(artifact)
    found: dict[tuple[str | int | None, ...], Reach] = {}
    for one in sorted(tries, key=lambda one: one.index):
        if not one.target:
            continue
        reach = Reach(
            at=artifact.at(one.index),
            host=machines.at(one.index),
            target=one.target.strip("[]"),
            port=one.port,
            protocol=one.protocol,
            outcome=one.outcome,
            detail=one.detail,
            size=one.size,
            pod=pod,
        )
        found.setdefault((reach.target, one.port, one.protocol, one.outcome, one.size), reach)
    return list(found.values())
