"""Values that were printed alone, put back to where in the object kubectl took them from."""

from __future__ import annotations

from msgspec import Struct

from calivet.evidence.expressions import expression
from calivet.readers.kubectl.flow import parse_flow
from calivet.readers.kubectl.scalars import scalar
from calivet.readers.kubectl.tree import DEEPEST, Branch

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


def field_path(written: str) -> Steps:
    """The steps of `.status.addresses[?(@.type=="InternalIP")].address`; quotes are gone or do not matter."""
    steps: list[str | Choice] = []
    for found in list(_STEP.finditer(written.replace("\\\\", "\\")))[:DEEPEST]:
        if found["key"] is not None:
            steps.append(found["key"].replace("\\", "").strip("{} "))
        else:
            steps.append(_choice(found["choice"].replace("\\", "").strip("'\""), str(steps[-1]) if steps else ""))
    return tuple(step for step in steps if step != "")


def grow(root: Branch, steps: Steps, text: str, index: int) -> None:
    """Put a value that was printed in line `index` at the path's end."""
    if text in ABSENT or not steps:
        return
    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        _go_on(root, step, rest, text, index)
    elif step.number is None and step.key is None:
        for number, part in enumerate(text.split(",")):
            _go_on(root, number, rest, part, index)
    else:
        _go_on(root, _item(root, step, index), rest, text, index)


def _go_on(root: Branch, key: str | int, rest: Steps, text: str, index: int) -> None:
    if not rest:
        root.children[key] = _value(text, index)
        return
    grow(root.children.setdefault(key, Branch(index)), rest, text, index)


def _item(root: Branch, choice: Choice, index: int) -> int:
    """The number of the item that is meant; one that is told by a key of its own gets that key."""
    if choice.key is None:
        return choice.number or 0
    told = (number for number, child in root.children.items() if child.text(choice.key) == choice.value)
    number = next((one for one in told if isinstance(one, int)), len(root.children))
    root.children.setdefault(number, Branch(index)).children[choice.key] = Branch(index, choice.value)
    return number


def _choice(text: str, parent: str) -> Choice:
    if found := _FILTER.match(text):
        return Choice(key=found["key"], value=found["value"].strip("'\" "))
    if text == "*":
        return Choice()
    end = "last" if _FROM_END.match(text) else "first" if text == "0" else ""
    key, value = _KNOWN_PLACES.get((parent, end), (None, None))
    return Choice(int(text) if text.isdecimal() else 0, key, value)


def _value(text: str, index: int) -> Branch:
    if text[:1] in "{[" and text[1:2] in '{["':
        return parse_flow(text, index)[0]
    if maps := _GO_MAP.findall(text):
        items = [
            Branch(index, None, {key: Branch(index, value) for key, value in _GO_PAIR.findall(one)}) for one in maps
        ]
        return Branch(index, None, dict(enumerate(items))) if text.startswith("[") else items[0]
    value = scalar(text)
    return Branch(index, text if isinstance(value, float) else value)
