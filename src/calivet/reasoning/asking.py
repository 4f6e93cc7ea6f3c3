"""Next evidence: the cheapest command that tells the open hypotheses apart best."""

from __future__ import annotations

import re

from calivet.catalogue.model import Catalogue, Question
from calivet.catalogue.words import fill_command
from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture
from calivet.reasoning.diagnosis import Next
from calivet.reasoning.filling import values_for
from calivet.reasoning.weigh import Judged

MOST = 6
# Where nothing points anywhere yet: how calico-node is, and what it says.
FIRST_LOOK = ("pods-wide", "calico-node-describe", "calico-node-log", "describe-node", "bird-status")
# What a shell or an API server says instead of an answer.
_REFUSED = expression(
    r"command not found|No such file|\(Forbidden\)|forbidden: User"
    r"|Error from server|Unable to connect to the server|permission denied",
    re.IGNORECASE,
)
# A command on the node costs a login; one through the API server does not.
COST = {"cluster": 1.0, "node": 0.7}


def next_evidence(open_causes: list[Judged], catalogue: Catalogue, picture: Picture) -> list[Next]:
    """Unanswered questions of the open causes, best first."""
    worth: dict[str, float] = {}
    asked_by: dict[str, list[Judged]] = {}
    for found in open_causes:
        for rank, name in enumerate(found.cause.ask):
            worth[name] = worth.get(name, 0.0) + found.confidence * COST[catalogue.questions[name].where] / (1 + rank)
            asked_by.setdefault(name, []).append(found)
    ranked = sorted(worth, key=lambda name: (-worth[name], name))
    ranked += [name for name in FIRST_LOOK if name not in worth and name in catalogue.questions and not open_causes]
    unanswered = [name for name in ranked if not answered(catalogue.questions[name], picture)]
    return [_next(catalogue.questions[name], asked_by.get(name, []), picture) for name in unanswered[:MOST]]


def answered(question: Question, picture: Picture) -> bool:
    """Whether the evidence holds the answer already: the command with output, or the format it prints."""
    if question.command:
        asked = expression(question.command)
        for artifact in picture.artifacts:
            if asked.search(artifact.command or "") and any(map(_tells, artifact.lines[1:])):
                return True
    return any(kind in artifact.kinds for artifact in picture.artifacts for kind in question.kinds)


def _tells(line: str) -> bool:
    return bool(line.strip()) and not _REFUSED.search(line)


def _next(question: Question, asking: list[Judged], picture: Picture) -> Next:
    nodes = [node for found in asking for node in found.nodes] or sorted(picture.sick_nodes)
    values = values_for(picture, nodes[:1], [seen for found in asking for seen in found.speaking_for])
    return Next(fill_command(question.run, values), question.why.fill(values), [found.cause.id for found in asking])
