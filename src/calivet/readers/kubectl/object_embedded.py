"""Objects that a ConfigMap holds as text: the configurations of kubeadm, kubelet and kube-proxy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.expressions import expression
from calivet.readers.kubectl.tree import Branch
from calivet.readers.kubectl.yaml_lines import parse_yaml

_AN_OBJECT = expression(r"^kind: ", re.MULTILINE)
_TEXT_BLOCK = expression(r"[|>][-+\d]*\s*$")


def embedded(lines: list[str], root: Branch) -> Iterator[Branch]:
    """The objects in the data of this one."""
    if root.text("kind") not in ("ConfigMap", None):
        return
    for held in root.below("data"):
        if isinstance(held.value, str) and _AN_OBJECT.search(held.value):
            in_block = _TEXT_BLOCK.search(lines[held.index]) is not None
            for inner in parse_yaml(held.value.splitlines(), 0).roots:
                for _, branch in inner.walk():
                    branch.index = held.index + (branch.index + 1 if in_block else 0)
                yield inner
