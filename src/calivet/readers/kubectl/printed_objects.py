"""Objects of which kubectl was told to print some values only."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Pod
from calivet.readers.kubectl.kubectl_command import Request
from calivet.readers.kubectl.kubectl_resources import kind_of
from calivet.readers.kubectl.object_facts import object_facts
from calivet.readers.kubectl.tree import Branch


def printed_facts(artifact: Artifact, root: Branch, asked: Request) -> Iterator[Fact]:
    """What the values state, once the object has the kind and the name that the command gave it."""
    if kind := kind_of(asked.resource):
        root.children["kind"] = Branch(root.index, kind)
    if asked.name:
        metadata = root.children.setdefault("metadata", Branch(root.index))
        metadata.children.setdefault("name", Branch(root.index, asked.name))
    for fact in object_facts(artifact, root, asked):
        # A pod without a state would hide what was seen of it before.
        if not isinstance(fact, Pod) or fact.status or fact.node:
            yield fact
