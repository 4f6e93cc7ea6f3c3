"""`kubectl describe` of custom resources (TigeraStatus, Installation, IPPool...): their fields as indented words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.readers.kubectl.describe_blocks import blocks, split_entry
from calivet.readers.kubectl.kubectl_command import request
from calivet.readers.kubectl.object_facts import object_facts
from calivet.readers.kubectl.scalars import scalar
from calivet.readers.kubectl.tree import Branch, Step
from calivet.readers.reader import Reader, Reading

_ANCHOR = expression(r"^[ \t]*(?:API Version:[ \t]+\S|Last Transition Time:[ \t]+\d)", re.MULTILINE)
# With a single item these look like a mapping; what repeats its keys is known as a list anyway.
_ALWAYS_LISTS = {"conditions", "ipPools"}
_OF_METADATA = ("name", "namespace", "labels", "annotations")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads every described resource as the object that it is."""
    reading = Reading()
    asked = request(artifact)
    anchored = set(anchors)
    for block in blocks(artifact.lines, anchors):
        if anchored.isdisjoint(range(block.start, block.stop)):
            continue
        page = _object("", block.tree)
        metadata = page.children.setdefault("metadata", Branch(page.index))
        metadata.children |= {key: page.children.pop(key) for key in _OF_METADATA if key in page.children}
        page.children.pop("events", None)
        reading.facts += object_facts(artifact, page, asked)
        reading.claim(block.start, block.stop)
    return reading


def _object(name: str, branch: Branch) -> Branch:
    """The branch with the field names that the object has; keys that come again begin the next item of a list."""
    items: list[dict[Step, Branch]] = [{}]
    for key, child in _members(branch):
        step: Step = len(items[-1]) if key is None else _field(key)
        if step in items[-1]:
            items.append({})
        items[-1][step] = _object(str(step), child)
    value = scalar(branch.value) if isinstance(branch.value, str) else branch.value
    if len(items) == 1 and (name not in _ALWAYS_LISTS or not items[0]):
        return Branch(branch.index, value, items[0])
    return Branch(branch.index, value, {number: _item(item) for number, item in enumerate(items)})


def _item(members: dict[Step, Branch]) -> Branch:
    first = next(iter(members.values()))
    return Branch(first.index, None, members)


def _members(branch: Branch) -> Iterator[tuple[str | None, Branch]]:
    for key, child in branch.children.items():
        if isinstance(key, str):
            yield key, child
        elif entry := split_entry(str(child.value)):
            yield entry[0], Branch(child.index, entry[1], child.children)
        else:
            yield None, child


def _field(key: str) -> str:
    """`Last Transition Time` as lastTransitionTime; what is no such name stays."""
    if key == "API Version":
        return "apiVersion"
    if not key.replace(" ", "").isalnum():
        return key
    first, *others = key.split(" ")
    return "".join([first[:1].lower() + first[1:], *others])


READER = Reader(kind="kubectl-describe", anchor=_ANCHOR, read=read)
