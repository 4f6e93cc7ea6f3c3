"""The blocks of `kubectl describe` in an artifact, whole or cut, as trees."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from calivet.readers.objects.tree import DEEPEST, Branch
from calivet.search.expressions import expression

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


def restore_indentation(lines: list[str]) -> list[str]:
    """The same lines; indented anew where the names of containers stand as far left as the head above them."""
    for head, below in pairwise(lines):
        if _CONTAINERS.match(head) and below.strip() and len(below) - len(below.lstrip()) <= head.index(head.strip()):
            return _indent([line.strip() for line in lines])
    return lines


def _indent(lines: list[str]) -> list[str]:
    section = ""
    indented = []
    for line in lines:
        head = _SECTION.match(line)
        if head and (section != "Volumes" or line.startswith(_AFTER_VOLUMES)):
            section = head[0].rstrip(":")
            indented.append(line)
        else:
            indented.append(" " * _find_level(line, section) + line)
    return indented


def _find_level(line: str, section: str) -> int:
    if section in ("Containers", "Init Containers"):
        return next(level for pattern, level in _LEVELS if pattern.match(line))
    return 4 if section in ("Labels", "Annotations", "Conditions", "Volumes", "Addresses", "System Info") else 0


_OF_A_NODE = ("Roles", "Role", "Taints", "Unschedulable", "System Info", "Addresses", "PodCIDR", "Non-terminated Pods")
_OF_A_POD = ("Containers", "Init Containers", "QoS Class", "Start Time", "Node")


class Subject(Struct, frozen=True):
    """The object of a page, as far as what is left of the page tells."""

    kind: str | None = None
    """pod, node, or None for other things and for pages that do not tell."""
    name: str | None = None
    namespace: str | None = None
    node: str | None = None
    """The node that it runs on, or is."""


def find_subject(page: Branch) -> Subject:
    """Told by the sections that only pods or only nodes have."""
    name, namespace = page.text("Name"), page.text("Namespace")
    if any(page.at(key) for key in _OF_A_NODE):
        return Subject("node", name, None, name)
    if any(page.at(key) for key in _OF_A_POD) and page.at("Pod Template") is None:
        node = (page.text("Node") or "").partition("/")[0]
        return Subject("pod", name, namespace, None if node in ("", "<none>") else node)
    return Subject(None, name, namespace)


_ENTRY = expression(r"^\s*(?P<key>[A-Za-z0-9_][\w./()-]*(?: [A-Za-z0-9_(][\w./()-]*){0,5}):(?:\s+(?P<value>\S.*))?$")
_MARK = expression(rf"^(?P<indent>[ \t]*)(?P<key>{SECTIONS}):(?:[ \t]|$)")
_KEYED = expression(r"^([\w./-]+)(?:=|: ?)(.*)$")

# A container's last words or a variable's text may spill over the left margin; more than this is something else.
_MOST_NOISE = 120


class Block(Struct):
    """The lines of one described object, from start up to but without stop."""

    start: int
    stop: int
    tree: Branch


def find_blocks(lines: list[str], anchors: list[int]) -> list[Block]:
    """The described objects, and the fragments around anchors that stand outside of them."""
    lines = restore_indentation(lines)
    margin, pages = _find_pages(lines)
    found = [Block(start, stop, _build_tree(lines, start, stop, margin)) for start, stop in pages]
    covered = {index for bounds in pages for index in range(*bounds)}
    for anchor in anchors:
        if anchor not in covered:
            start, stop = _run(lines, anchor)
            found.append(Block(start, stop, _build_tree(lines, start, stop)))
            covered.update(range(start, stop))
    return sorted(found, key=lambda block: block.start)


def parse_mapping(branch: Branch | None) -> dict[str, str]:
    """Labels or annotations: the first beside its key, the others below it, as k=v or k: v."""
    if branch is None:
        return {}
    found = {str(key): str(child.value or "") for key, child in branch.children.items() if isinstance(key, str)}
    texts = [branch.value, *(child.value for key, child in branch.children.items() if isinstance(key, int))]
    pairs = (_KEYED.match(str(text)) for text in texts if text is not None)
    return {pair[1]: pair[2].strip() for pair in pairs if pair} | found


def split_entry(text: str) -> tuple[str, str] | None:
    """Key and value of a line, where it has a key."""
    found = _ENTRY.match(text.rstrip())
    return (found["key"], found["value"] or "") if found else None


def indent_of(line: str) -> int:
    """How far the text stands from the left margin."""
    plain = line.expandtabs(8)
    return len(plain) - len(plain.lstrip())


def _find_pages(lines: list[str]) -> tuple[int, list[tuple[int, int]]]:
    """The margin at which the heads of sections stand, and the pages, each with a name or one section of a kind."""
    marks = [(index, found) for index, line in enumerate(lines) if (found := _MARK.match(line))]
    base = min((indent_of(found[0]) for _, found in marks), default=0)
    groups: list[list[int]] = []
    seen: set[str] = set()
    for index, found in marks:
        if indent_of(found[0]) != base:
            continue
        key = found["key"]
        if not groups or key == "Name" or key in seen or _count_noise(lines, groups[-1][-1], index, base) > _MOST_NOISE:
            groups.append([])
            seen = set()
        groups[-1].append(index)
        seen.add(key)
    return base, [_widen(lines, group[0], _end(lines, group[-1], base)) for group in groups]


def _count_noise(lines: list[str], start: int, stop: int, base: int) -> int:
    return sum(bool(line.strip()) and indent_of(line) <= base for line in lines[start + 1 : stop])


def _end(lines: list[str], last: int, base: int) -> int:
    """The last section goes on while its lines are indented."""
    stop = last + 1
    while stop < len(lines) and lines[stop].strip() and indent_of(lines[stop]) > base:
        stop += 1
    return stop


def _widen(lines: list[str], start: int, stop: int) -> tuple[int, int]:
    """What is left of a section whose head was cut off stands right above the first head."""
    base = indent_of(lines[start])
    while start and lines[start - 1].strip() and indent_of(lines[start - 1]) > base:
        start -= 1
    return start, stop


def _run(lines: list[str], anchor: int) -> tuple[int, int]:
    start, stop = anchor, anchor + 1
    while start and _ENTRY.match(lines[start - 1].rstrip()):
        start -= 1
    while stop < len(lines) and lines[stop].strip() and (_ENTRY.match(lines[stop].rstrip()) or lines[stop][0] in " \t"):
        stop += 1
    return start, stop


def _build_tree(lines: list[str], start: int, stop: int, margin: int = -1) -> Branch:
    """The lines as a tree; text at the margin that is no head belongs to nothing and interrupts nothing."""
    root = Branch(start)
    open_branches: list[tuple[int, Branch]] = [(-1, root)]
    for index in range(start, stop):
        line = lines[index].rstrip()
        if not line:
            continue
        indent = indent_of(line)
        found = _ENTRY.match(line)
        if indent <= margin and not (found and found["key"][0].isupper()):
            continue
        while open_branches[-1][0] >= indent:
            open_branches.pop()
        parent = open_branches[-1][1]
        key: str | int = found["key"] if found and found["key"] not in parent.children else len(parent.children)
        branch = Branch(index, found["value"] if found and isinstance(key, str) else line.strip())
        parent.children[key] = branch
        if len(open_branches) < DEEPEST:
            open_branches.append((indent, branch))
    return root
