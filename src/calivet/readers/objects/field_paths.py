"""Values that were printed alone or grepped, put back to where in the object they stood."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import Object, Pod
from calivet.readers.command import find_output_start
from calivet.readers.kubectl.kubectl_command import Request
from calivet.readers.kubectl.kubectl_resources import find_kind, find_singular
from calivet.readers.objects.flow import parse_flow, parse_scalar
from calivet.readers.objects.object_facts import read_object
from calivet.readers.objects.tree import DEEPEST, Branch
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

_COMMAND = expression(
    r"\b(?:kubectl|oc|k|calicoctl)\b[^|;]{0,200}?\sget\s+(?:-\S+\s+){0,3}(?P<kind>[A-Za-z][\w.]{1,60})"
    r"(?:[\s/]+(?P<name>[a-z0-9][\w.-]{0,60}))?"
    r"(?:\s+-[^|;\s]+(?:\s+[^-|;\s]\S*)?){0,6}\s*\|\s*[ef]?grep\b"
)
_FIELD = expression(r"^\s{0,8}(?P<key>[a-z][A-Za-z0-9]{2,60}):\s+(?P<value>\S.{0,400})$")
# Kinds that hold nothing deeper than the fields of their spec, so that a name alone tells the place.
_FLAT = ("BGPConfiguration", "FelixConfiguration")
_OF_METADATA = ("name", "namespace", "uid", "generation", "resourceVersion", "creationTimestamp", "deletionTimestamp")


def _read(artifact: Artifact, _: list[int]) -> list[Fact]:
    asked = _COMMAND.search(artifact.command or "")
    resource = find_singular(asked["kind"]) if asked else ""
    if asked is None or find_kind(resource) not in _FLAT:
        return []
    start = find_output_start(artifact)
    spec = Branch(start)
    for index in range(start, len(artifact.lines)):
        found = _FIELD.match(artifact.lines[index])
        if artifact.lines[index].strip() in ("spec:", "metadata:") or (found and found["key"] in spec.children):
            return []
        if found and found["key"] not in _OF_METADATA:
            spec.children[found["key"]] = Branch(index, parse_scalar(found["value"]))
    root = Branch(start, None, {"spec": spec})
    return list(read_printed(artifact, root, Request("get", (resource,), asked["name"]))) if spec.children else []


READER = read_statements(_read, command=_COMMAND)


def read_printed(artifact: Artifact, root: Branch, asked: Request) -> Iterator[Fact]:
    """What the values state, once the object has the kind and the name that the command gave it."""
    if kind := find_kind(asked.resource):
        root.children["kind"] = Branch(root.index, kind)
    if asked.name:
        metadata = root.children.setdefault("metadata", Branch(root.index))
        metadata.children.setdefault("name", Branch(root.index, asked.name))
    for fact in read_object(artifact, root, asked):
        # A pod without a state would hide what was seen of it before.
        if isinstance(fact, Object):
            yield structs.replace(fact, partial=True)
        elif not isinstance(fact, Pod) or fact.status or fact.node:
            yield fact


ABSENT = ("", "<none>", "<nil>", "<unknown>")

_STEP = expression(r"\[(?P<choice>[^\]]*)\]|(?P<key>(?:\\.|[^.\[\]\\])+)")
_FILTER = expression(r"^\?\(@\.(?P<key>[\w.]+)==?(?P<value>[^)]*)\)$")
_FROM_END = expression(r"^-1:?$")
# kubectl prints lists and maps of custom columns in Go's own way: [map[effect:NoSchedule key:gpu]].
_GO_MAP = expression(r"map\[([^\[\]]*)\]")
_GO_PAIR = expression(r"([\w./-]+):(\S*)")
# Lists whose order is known: kubelet puts its own address first and Ready last.
_KNOWN_PLACES = {("addresses", "first"): ("type", "InternalIP"), ("conditions", "last"): ("type", "Ready")}


class Choice(Struct, frozen=True):
    """Which items of a list a path takes."""

    number: int | None = None
    """None takes all."""
    key: str | None = None
    value: str | None = None


Steps = tuple[str | Choice, ...]


def parse_field_path(written: str) -> Steps:
    """The steps of `.status.addresses[?(@.type=="InternalIP")].address`; quotes are gone or do not matter."""
    steps: list[str | Choice] = []
    for found in list(_STEP.finditer(written.replace("\\\\", "\\")))[:DEEPEST]:
        if found["key"] is not None:
            steps.append(found["key"].replace("\\", "").strip("{} "))
        else:
            steps.append(_parse_choice(found["choice"].replace("\\", "").strip("'\""), str(steps[-1]) if steps else ""))
    return tuple(step for step in steps if step != "")


def add_value(root: Branch, steps: Steps, text: str, index: int) -> None:
    """Put a value that was printed in line `index` at the path's end."""
    if text in ABSENT or not steps:
        return
    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        _add_below(root, step, rest, text, index)
    elif step.number is None and step.key is None:
        for number, part in enumerate(text.split(",")):
            _add_below(root, number, rest, part, index)
    else:
        _add_below(root, _find_item(root, step, index), rest, text, index)


def _add_below(root: Branch, key: str | int, rest: Steps, text: str, index: int) -> None:
    if not rest:
        root.children[key] = _build_value(text, index)
        return
    add_value(root.children.setdefault(key, Branch(index)), rest, text, index)


def _find_item(root: Branch, choice: Choice, index: int) -> int:
    """The number of the item that is meant; one that is told by a key of its own gets that key."""
    if choice.key is None:
        return choice.number or 0
    told = (number for number, child in root.children.items() if child.text(choice.key) == choice.value)
    number = next((one for one in told if isinstance(one, int)), len(root.children))
    root.children.setdefault(number, Branch(index)).children[choice.key] = Branch(index, choice.value)
    return number


def _parse_choice(text: str, parent: str) -> Choice:
    if found := _FILTER.match(text):
        return Choice(key=found["key"], value=found["value"].strip("'\" "))
    if text == "*":
        return Choice()
    end = "last" if _FROM_END.match(text) else "first" if text == "0" else ""
    key, value = _KNOWN_PLACES.get((parent, end), (None, None))
    return Choice(int(text) if text.isdecimal() else 0, key, value)


def _build_value(text: str, index: int) -> Branch:
    if text[:1] in "{[" and text[1:2] in '{["':
        return parse_flow(text, index)[0]
    if maps := _GO_MAP.findall(text):
        items = [
            Branch(index, None, {key: Branch(index, value) for key, value in _GO_PAIR.findall(one)}) for one in maps
        ]
        return Branch(index, None, dict(enumerate(items))) if text.startswith("[") else items[0]
    value = parse_scalar(text)
    return Branch(index, text if isinstance(value, float) else value)
