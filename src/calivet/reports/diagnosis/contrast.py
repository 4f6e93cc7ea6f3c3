"""What sets the unhealthy nodes apart from the healthy ones, in a sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from calivet.reasoning.diagnosis import Contrast
from calivet.reports.layout.wording import join_names, label, name_fact

MOST_VALUES = 3
"""That are named one by one, with their nodes; of more, the lowest and the highest."""


def describe_contrast(contrast: Contrast, language: str) -> str:
    """As one would say it: load average: 311 on n2, but 1.6 to 3.1 on the 3 healthy nodes."""
    return label(
        "contrast.sentence",
        language,
        fact=name_fact(contrast.fact, language),
        sick=_describe_sick(contrast.sick, language),
        well=_describe_side("contrast.well", contrast.healthy, language),
    )


def _describe_sick(values: Mapping[str, str], language: str) -> str:
    """Who has which value, where that is not too much to say."""
    groups = group_by_value(values)
    if len(groups) > MOST_VALUES or any(len(nodes) > MOST_VALUES for nodes in groups.values()):
        return _describe_side("contrast.sick", values, language)
    told = (
        label("contrast.on", language, value=value, nodes=join_names(nodes, language))
        for value, nodes in groups.items()
    )
    return join_names(told, language)


def _describe_side(key: str, values: Mapping[str, str], language: str) -> str:
    if len(values) == 1:
        ((node, value),) = values.items()
        return label(f"{key}.one", language, value=value, node=node)
    return label(key, language, value=_span_values(set(values.values()), language), count=f"{len(values):,}")


def _span_values(values: Collection[str], language: str) -> str:
    """Numbers from the lowest to the highest; words as they are."""
    in_order = _sort_numbers(values)
    if len(in_order) > 1:
        return label("contrast.span", language, low=in_order[0], high=in_order[-1])
    shown = sorted(values)[:MOST_VALUES]
    more = len(values) - len(shown)
    told = join_names(shown, language)
    return label("contrast.more", language, values=told, count=f"{more:,}") if more > 0 else told


def _sort_numbers(values: Collection[str]) -> Sequence[str]:
    try:
        return sorted(values, key=float)
    except ValueError:
        return ()


def group_by_value(values: Mapping[str, str]) -> dict[str, list[str]]:
    """Nodes of the same value stand together: what differs is the value."""
    nodes: dict[str, list[str]] = {}
    for node, value in values.items():
        nodes.setdefault(value, []).append(node)
    return nodes
