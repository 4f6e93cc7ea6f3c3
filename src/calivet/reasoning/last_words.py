"""What BIRD's log says last of its sessions, where nobody has asked for their state."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.facts.picture import Picture

_SAID = expression(r"\bbird6?: (?P<session>(?:Mesh|Node|Global)_[\da-fA-F_]+): (?P<words>.*)")
_UP = "State changed to up"
_FAILED = expression(
    r"(?:Socket error: .*|Connection (?:timed out|refused|reset by peer)|No route to host)$|(?:Error|Received): "
)


def session_failed_last(picture: Picture) -> bool:
    """Whether some session failed in a log and did not come up later in it."""
    for artifact in picture.artifacts:
        failed: set[str] = set()
        for text in artifact.lines:
            found = _SAID.search(text) if "bird" in text else None
            if found and found["words"].startswith(_UP):
                failed.discard(found["session"])
            elif found and _FAILED.match(found["words"]):
                failed.add(found["session"])
        if failed:
            return True
    return False
