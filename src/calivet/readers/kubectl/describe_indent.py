"""Gives a describe page its indentation back where a forum or a web page has stripped it off."""

from __future__ import annotations

from itertools import pairwise

from calivet.evidence.expressions import expression

_CONTAINERS = expression(r"^\s*(?:Init )?Containers:\s*$")
SECTIONS = (
    "Name|Namespace|Node|Start Time|Labels|Annotations|Status|Controlled By|Controllers|Init Containers|Containers"
    "|Conditions|Volumes|QoS Class|Node-Selectors?|Tolerations|Events|Selector|Pods Status|Pod Template|IPs"
    "|Roles?|Taints|Unschedulable|Lease|Addresses|Capacity|Allocatable|System Info|PodCIDRs?"
    "|Non-terminated Pods|Allocated resources|API Version|Metadata|Spec"
)
"""The heads that stand at the margin of a page, as alternatives of a pattern."""

_SECTION = expression(rf"^(?:{SECTIONS}):")
_AFTER_VOLUMES = ("QoS Class", "Node-Selector", "Tolerations", "Events")

# How far from the margin kubectl prints what looks like this, inside the section of the containers.
_LEVELS = (
    (expression(r"^[a-z0-9][a-z0-9-]*:$"), 2),
    (
        expression(
            r"^(?:Container ID|Image|Image ID|Ports?|Host Ports?|Command|Args|State|Last State|Ready|Restart Count"
            r"|Limits|Requests|Liveness|Readiness|Startup|Environment|Environment Variables from|Mounts):"
        ),
        4,
    ),
    (expression(r""), 6),
)


def with_indentation(lines: list[str]) -> list[str]:
    """The same lines; indented anew where the names of containers stand as far left as the head above them."""
    for head, below in pairwise(lines):
        if _CONTAINERS.match(head) and below.strip() and len(below) - len(below.lstrip()) <= head.index(head.strip()):
            return _indented([line.strip() for line in lines])
    return lines


def _indented(lines: list[str]) -> list[str]:
    section = ""
    indented = []
    for line in lines:
        head = _SECTION.match(line)
        if head and (section != "Volumes" or line.startswith(_AFTER_VOLUMES)):
            section = head[0].rstrip(":")
            indented.append(line)
        else:
            indented.append(" " * _level(line, section) + line)
    return indented


def _level(line: str, section: str) -> int:
    if section in ("Containers", "Init Containers"):
        return next(level for pattern, level in _LEVELS if pattern.match(line))
    return 4 if section in ("Labels", "Annotations", "Conditions", "Volumes", "Addresses", "System Info") else 0
