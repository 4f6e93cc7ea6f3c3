"""Events of Kubernetes as happenings: again and again is one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from calivet.evidence.expressions import expression
from calivet.facts.kubernetes import Event
from calivet.facts.picture import Picture
from calivet.reasoning.weigh import place
from calivet.scene.draft import Draft, Moment, Told, ago, same_words
from calivet.scene.scene import EVENT

# A probe's output holds times and process numbers: messages that differ in nothing else are one event.
_NUMBERS = expression(r"\d+")
_ALIKE = 120


def events(picture: Picture, causes: Mapping[tuple[str, int], str]) -> Iterator[Draft]:
    """Repeats are one happening; `causes` are the findings that rest on a line."""
    groups: dict[tuple[str, str, str | None, str], dict[str, Event]] = defaultdict(dict)
    for event in picture.all(Event):
        if event.age is not None or event.last is not None:
            alike = _NUMBERS.sub("0", event.message[:_ALIKE])
            # The same words once more are a later look at the same event.
            groups[_lane(event, picture), event.reason, event.object, alike][event.message] = event
    for (lane, *_), group in groups.items():
        found = list(group.values())
        last = min(found, key=lambda event: event.age or 0.0)
        yield Draft(
            lane=lane,
            kind=EVENT,
            title=same_words(f"{last.reason}: {last.message}"),
            times=[Moment(told, event.at) for event in found for told in _times(event)],
            count=sum(event.count for event in found),
            bad=last.type != "Normal",
            cause=next((cause for event in found if (cause := causes.get(place(event.at)))), ""),
            line=last.at,
        )


def _lane(event: Event, picture: Picture) -> str:
    about = event.object if event.kind == "node" else picture.node_of_pod(event.object)
    node = about or event.node or ""
    return picture.names.node(node) or node


def _times(event: Event) -> tuple[Told, Told]:
    """When it was seen first and last."""
    if event.last is not None:
        return event.last - ago(event.over or 0.0), event.last
    age = event.age or 0.0
    return ago(event.over or age), ago(age)
