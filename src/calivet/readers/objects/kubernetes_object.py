"""Kubernetes objects in YAML or JSON: single ones, lists, several documents, and fragments of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.readers.kubectl.describe_blocks import indent_of
from calivet.readers.kubectl.kubectl_command import Request, parse_request
from calivet.readers.kubectl.kubectl_resources import find_kind
from calivet.readers.objects.flow import parse_flow, parse_laid_out
from calivet.readers.objects.object_facts import read_object
from calivet.readers.objects.tree import Branch
from calivet.readers.objects.yaml_lines import parse_yaml
from calivet.readers.reader import Reader, Reading
from calivet.search.expressions import expression

# Objects that a ConfigMap holds as text: the configurations of kubeadm, kubelet and kube-proxy.
_AN_OBJECT = expression(r"^kind: ", re.MULTILINE)
_TEXT_BLOCK = expression(r"[|>][-+\d]*\s*$")


def find_embedded(lines: list[str], root: Branch) -> Iterator[Branch]:
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


_KNOWN_KEYS = (
    "apiVersion|kind|metadata|spec|status|items|template|containers|initContainers|env|image|livenessProbe"
    "|readinessProbe|startupProbe|tolerations|updateStrategy|conditions|calicoNetwork|ipPools|cidr|networking|podSubnet"
    "|volumeMounts|hostNetwork|nodeName|containerStatuses|initContainerStatuses|annotations|datastoreReady"
)
_YAML = expression(
    rf"^[ \t]*(?:\d+[:-][ \t]*)?(?:- )?"
    rf"(?:(?:{_KNOWN_KEYS}|projectcalico\.org/[\w./]+):(?:[ \t]|$)|name: [A-Z][A-Z0-9_]+$)"
)
_JSON = expression(
    rf"^[ \t]*(?:[\[{{][ \t]*)*\"(?:{_KNOWN_KEYS}|bgp|blockSize|projectcalico\.org/\w+)\"[ \t]*:"
    r"|^[ \t]*\{?\"[^\n]*\"projectcalico\.org/IPv[46]Address\":"
)
_ANCHOR = expression(f"{_YAML.pattern}|{_JSON.pattern}", re.MULTILINE)
_YAML_LINE = expression(r"^[ \t]*(?:- )*[\w./\"'-]+:(?:[ \t]|$)|^[ \t]*- \S|^[ \t]*#")
_JSON_LINE = expression(r"^[ \t]*(?:[{}\[\],\"]|-?\d|true|false|null|\.\.\.)")
_JSON_STRING = expression(r'"(?:[^"\\]|\\.)*"')
_DESCRIBED = expression(r"^[ \t]*Annotations:")
_MOST_ANNOTATIONS = 100
# A log of who asked for what holds objects too, none of which need be there any more.
_OF_THE_PAST = "audit.k8s.io/"
_GREP_NUMBER = expression(r"^\d+[:-](?=[ \t]|$|- |\w+:)")
_JSON_PATH = expression(r"jsonpath=['\"]?\{\.(?P<path>[\w.]+)\}")


def read(artifact: Artifact, anchors: list[int]) -> Reading:
    """Reads the objects and fragments that the anchors stand in."""
    reading = Reading()
    asked = parse_request(artifact)
    if asked.verb in ("logs", "log", "exec"):
        asked = Request()
    lines = artifact.lines
    if any(_GREP_NUMBER.match(lines[anchor]) for anchor in anchors):
        lines = [_GREP_NUMBER.sub("", line) for line in lines]
    for anchor in anchors:
        if anchor in reading.claimed or _is_described(lines, anchor):
            continue
        roots = _parse_json_roots if _JSON.match(lines[anchor]) else _parse_yaml_roots
        for root in roots(lines, anchor, reading):
            for each in _list_objects(_place_below_path(root, artifact.command or ""), find_kind(asked.resource)):
                if not (each.text("apiVersion") or "").startswith(_OF_THE_PAST):
                    reading.facts += _read_facts(artifact, lines, each, asked)
    return reading


def _read_facts(artifact: Artifact, lines: list[str], root: Branch, asked: Request) -> Iterator[Fact]:
    for one in (root, *find_embedded(lines, root)):
        yield from read_object(artifact, one, asked)


def _is_described(lines: list[str], anchor: int) -> bool:
    """Annotations look alike on a describe page, which has a reader of its own."""
    indent = indent_of(lines[anchor])
    above = (line for line in reversed(lines[max(0, anchor - _MOST_ANNOTATIONS) : anchor]) if line.strip())
    parent = next((line for line in above if indent_of(line) < indent), "")
    return _DESCRIBED.match(parent) is not None


def _parse_yaml_roots(lines: list[str], anchor: int, reading: Reading) -> list[Branch]:
    start = anchor
    while start and start - 1 not in reading.claimed and _YAML_LINE.match(lines[start - 1]):
        start -= 1
    found = parse_yaml(lines, start)
    if found.stop <= anchor:
        start = anchor
        found = parse_yaml(lines, anchor)
    reading.claim(start, max(found.stop, anchor + 1))
    reading.unread |= found.unread
    return found.roots


def _parse_json_roots(lines: list[str], anchor: int, reading: Reading) -> list[Branch]:
    start = anchor
    while start and start - 1 not in reading.claimed and _leads_to(lines[start - 1], lines[start]):
        start -= 1
    if whole := parse_laid_out(lines, start):
        root, stop = whole
        reading.claim(start, max(stop, anchor + 1))
        return [root] if root.children else []
    stop = start
    depth = 0 if lines[start].lstrip()[:1] in ("{", "[") else 1
    while stop < len(lines) and _JSON_LINE.match(lines[stop]):
        bare = _JSON_STRING.sub("", lines[stop])
        depth += bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")
        stop += 1
        if depth <= 0 and stop > anchor:
            break
    root, _ = parse_flow("\n".join(lines[start:stop]), start)
    reading.claim(start, max(stop, anchor + 1))
    return [root] if root.children else []


def _leads_to(before: str, line: str) -> bool:
    """Whether a line of JSON goes on in the next one: prompts and logs above begin with brackets and digits too."""
    goes_on = before.rstrip().endswith((",", "{", "[", ":", "...")) or line.lstrip().startswith(("}", "]"))
    return goes_on and _JSON_LINE.match(before) is not None


def _place_below_path(root: Branch, command: str) -> Branch:
    """The branch below the path from which jsonpath took it."""
    found = _JSON_PATH.search(command)
    for key in reversed(found["path"].split(".")) if found else ():
        root = Branch(root.index, None, {key: root})
    return root


def _list_objects(root: Branch, asked: str | None) -> Iterator[Branch]:
    """The objects of a list, or the object itself; an item without a kind gets the list's or that of the command."""
    kind = root.text("kind") or ""
    items = root.at("items") if kind.endswith("List") or not kind else None
    if items is None and all(isinstance(key, int) and _is_object(child) for key, child in root.children.items()):
        items = root
    if items is None:
        yield root
        return
    own = kind.removesuffix("List") or asked
    for item in items.children.values():
        if own and "kind" not in item.children:
            item.children["kind"] = Branch(item.index, own)
        yield item


def _is_object(item: Branch) -> bool:
    return item.at("kind") is not None or item.at("metadata", "name") is not None


READER = Reader(kind="kubernetes-object", anchor=_ANCHOR, read=read)
