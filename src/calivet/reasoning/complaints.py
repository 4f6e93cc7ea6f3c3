"""What the author complains of: a state that looks good does not contradict somebody whose traffic is lost."""

from __future__ import annotations

import re

from calivet.evidence.expressions import expression
from calivet.facts.fact import Note, Reach
from calivet.facts.picture import Picture

_LOST = expression(
    r"\b(?:pods?|workloads?|containers?|services?|nodes?|workers?|dns|traffic)\b[^.;\n]{0,60}"
    r"\b(?:can(?:no|.?)t|(?:are|is) (?:not able|unable) to|fails? to|do(?:es)?(?: not|n.t)|no longer) "
    r"(?:reach|connect|ping|talk|communicate|resolve|get through|see each other)\b"
    r"|\bno (?:connectivity|traffic|network) (?:between|across|to|from) "
    r"|(?:pod|容器|节点|跨主机|跨节点|服务|service)[^。；;\n]{0,24}"
    r"(?:不通|无法(?:访问|通信|连接|互通)|访问不了|访问不到|连不上|解析不了)",
    re.IGNORECASE,
)


def traffic_missed(picture: Picture) -> bool:
    """Whether somebody writes that traffic does not get through, and no test shows that it does."""
    tested = any(reach.outcome == "ok" for reach in picture.all(Reach))
    return not tested and any(_LOST.search(note.text) for note in picture.all(Note))
