"""Commands for nodes: one habit for all of them, and all nodes that are concerned.

What runs on a node is written as root's there. From where the operator sits it goes through ssh and sudo, in a loop
where several nodes are concerned; where no node is known, it stands as it is, to be run on the node itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from calivet.messages.command_line import COMMAND_PLACE, Command, fill_command, fill_names, is_machine, look_up
from calivet.search.expressions import expression

Values = Mapping[str, str]

MOST_NODES = 40
"""More would make a line that nobody reads."""
_REMOTE = expression(r"ssh \{(node|control_plane)\} (?:sudo )?(.+)", re.DOTALL)
_PLAIN = expression(r"[\w ./:=,@%+\ue000\ue001-]+")
_SINGLE = expression(r"'[^']*'")
_DOUBLE = expression(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPED = expression(r'\\([$`"\\])')
_EVALUATED_HERE = expression(r"(?<!\\)[$`]")
_SPECIAL = expression(r'([$`"\\])')
# What the plain shell of Debian and Alpine does not know.
_BASH = expression(r"(?:^|[;&|({] ?|\bdo )time \S|\[\[ |/dev/(?:tcp|udp)/|<\(")
_OPERATOR = expression(r"[|;&\n<>'\"]")
# Commands that change what {node} or {pod} names, or keep it in a file of its own; others only look, and then one of
# them is enough.
_CHANGES = expression(
    r"\b(?:kubectl|calicoctl) (?:-n \S+ )?(?:delete|drain|cordon|uncordon|annotate|label|patch|taint)\b"
    r"|> ?[\w./-]{0,80}\{node\}"
)
_OF_ONE = {"node", "pod"}
# What every node has, known or not.
_OF_EACH = {*_OF_ONE, "node_address", "kubelet_unit", "runtime_unit"}


def fill_for_nodes(template: str, values: Sequence[Values]) -> Command:
    """The command for each of these nodes, whose values these are; the first ones fill what is the same for all."""
    values = keep_complete(template, values[:MOST_NODES])
    if found := _REMOTE.fullmatch(template):
        script = _unquote(found[2])
        if script is not None:
            return _run_on_nodes(found[1], script, values if found[1] == "node" else values[:1])
    if len(values) > 1 and _list_places(template) & _OF_ONE and _CHANGES.search(template):
        return _join_lines([fill_command(template, each) for each in values])
    return fill_command(template, values[0])


def keep_complete(template: str, values: Sequence[Values]) -> Sequence[Values]:
    """Without nodes on which something was not seen that the command names; the first one has it all."""
    needed = _list_places(template) & values[0].keys() - _OF_EACH
    return [each for each in values if needed <= each.keys()]


def _unquote(words: str) -> str | None:
    """What the shell of the node gets to read; None for a command that goes on here after it."""
    if _SINGLE.fullmatch(words):
        return words[1:-1]
    if _DOUBLE.fullmatch(words) and not _EVALUATED_HERE.search(words):
        return _ESCAPED.sub(r"\1", words[1:-1])
    return None if _OPERATOR.search(words) else words


def _run_on_nodes(place: str, script: str, values: Sequence[Values]) -> Command:
    known = [each for each in values if is_machine(each.get(place, ""))]
    if not known:
        return fill_command(script, values[0])
    if len(known) == 1 or _list_places(script) & _OF_ONE:
        lines = [fill_command(f"ssh {{{place}}} ", each) + _wrap(script, each) for each in known]
        return _join_lines(lines)
    names = " ".join(fill_command("{node}", each) for each in known)
    return Command(f'for node in {names}; do ssh "$node" {_wrap(script, known[0])}; done')


def _join_lines(commands: Sequence[str]) -> Command:
    return Command("\n".join(dict.fromkeys(commands)))


def _list_places(template: str) -> set[str]:
    return set(COMMAND_PLACE.findall(template))


def _wrap(template: str, values: Values) -> str:
    """As the words of ssh after the node: one command as it is, more than that for a shell of root's."""
    script = fill_names(template, values).removeprefix("sudo ")
    if _PLAIN.fullmatch(script):
        return look_up(f"sudo {script}", values)
    inner = script.replace("'", r"'\''")
    escaped = _SPECIAL.sub(r"\\\1", inner)
    shell = "bash" if _BASH.search(script) else "sh"
    return look_up(f"\"sudo {shell} -c '{escaped}'\"", values)
