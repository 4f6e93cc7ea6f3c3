"""What the method of autodetection would find on the nodes where calico-node does not start."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Object, Pod
from calivet.facts.picture import Picture, is_sick
from calivet.signs.sighting import Sighting

_SHOWN = 4
_METHOD = "IP_AUTODETECTION_METHOD"
_OPERATORS_METHOD = "nodeAddressAutodetectionV4"


def method_finds_nothing(picture: Picture) -> Iterator[Sighting]:
    """No card of the node is one that the method takes."""
    sick = [pod for pod in picture.latest_pods("calico-node") if pod.node and is_sick(pod)]
    return _without_card(picture, sick) if sick and _is_set(picture) else iter(())


def _is_set(picture: Picture) -> bool:
    """Whether a method was seen at all."""
    return any(variable.name == _METHOD for variable in picture.all(Variable)) or any(
        _OPERATORS_METHOD in path for thing in picture.all(Object) for path in thing.values
    )


def _without_card(picture: Picture, pods: list[Pod]) -> Iterator[Sighting]:
    # Most runs have no use for a forecast.
    from calivet.forecast.autodetection import autodetect
    from calivet.forecast.methods import FIRST_FOUND
    from calivet.forecast.nodes import host
    from calivet.forecast.releases import running
    from calivet.forecast.settings import AUTODETECT, settings

    choice = settings(picture).choices[4]
    if choice.ip != AUTODETECT or choice.method == FIRST_FOUND:
        return
    for pod in pods:
        found = autodetect(host(picture, str(pod.node), 4), choice.method, 4, running(picture))
        cards = [card.name for card in found.considered if card.address]
        if found.known and found.address is None and cards:
            values = {"node": str(pod.node), "method": choice.method, "cards": ", ".join(cards[:_SHOWN])}
            yield Sighting(line=pod.at, node=pod.node, values=values)


SIGNS = {"autodetection-finds-nothing": method_finds_nothing}
