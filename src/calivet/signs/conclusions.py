"""What of an author's conclusions holds: the surest ones of a text, unless it names so many that it is a guide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from calivet.catalogue.model import Catalogue
from calivet.evidence.artifact import Artifact
from calivet.signs.sections import Conclusion, find_given_up, find_guides, is_found, list_cure_lines, list_parts
from calivet.signs.sighting import Key, Sighting

MANY = 4
"""Causes in the conclusions of one text: it tells what may be wrong in general, not what was."""
SEVERAL = 2
"""The same where they stand in a long list."""
_SUREST_FIRST = (Conclusion.STATED, Conclusion.SAID, Conclusion.CURE)


def settle_conclusions(seen: Mapping[Key, list[Sighting]], artifacts: Sequence[Artifact]) -> dict[Key, list[Sighting]]:
    """The sightings, with conclusions that are none taken for mere mentions."""
    lists = find_guides(artifacts, list_parts(artifacts))
    by_text: dict[str, list[Artifact]] = {}
    for artifact in artifacts:
        by_text.setdefault(artifact.name, []).append(artifact)
    given_up = {name: find_given_up(parts) for name, parts in by_text.items()}
    owners = _collect_owners(seen)
    surest = {text: next(filter(None, (found.get(kind) for kind in _SUREST_FIRST))) for text, found in owners.items()}
    held_by = {text: _keep_best_reading(seen, text, _collect_found(seen, text) or surest[text]) for text in owners}

    def settle(key: Key, one: Sighting) -> Sighting:
        if not one.conclusion:
            return one
        held = held_by[one.line.artifact]
        if one.line.number <= given_up.get(one.line.artifact, 0):
            return replace(one, conclusion=Conclusion.NONE)  # what he took for it was not it
        if len(held) >= MANY:
            return replace(one, conclusion=Conclusion.GUIDE)
        if one.line.artifact in lists and (len(held) >= SEVERAL or one.conclusion is Conclusion.CURE):
            return replace(one, conclusion=Conclusion.NONE)
        # Whoever names the cause may treat its consequence, and tells on the way what else was odd.
        return one if key.owner in held else replace(one, conclusion=Conclusion.NONE)

    return {key: [settle(key, one) for one in found] for key, found in seen.items()}


def _collect_owners(seen: Mapping[Key, list[Sighting]]) -> dict[str, dict[Conclusion, set[str]]]:
    """Whose causes each text concludes, and how."""
    owners: dict[str, dict[Conclusion, set[str]]] = {}
    for key, found in seen.items():
        for one in found:
            if one.conclusion:
                owners.setdefault(one.line.artifact, {}).setdefault(one.conclusion, set()).add(key.owner)
    return owners


def _collect_found(seen: Mapping[Key, list[Sighting]], text: str) -> set[str]:
    """The causes of which the author says that this is it; what else stands under the same heading explains them."""
    return {
        key.owner
        for key, found in seen.items()
        for one in found
        if one.conclusion in (Conclusion.STATED, Conclusion.SAID)
        and one.line.artifact == text
        and is_found(one.line.text)
    }


def _keep_best_reading(seen: Mapping[Key, list[Sighting]], text: str, held: set[str]) -> set[str]:
    """Of many causes that one sentence may be read to name, those that most of its words are about.

    A guide goes through them line by line.
    """
    if len(held) < MANY:
        return held
    readings = {
        owner: [
            one.line.number
            for key, found in seen.items()
            if key.owner == owner
            for one in found
            if one.conclusion and one.line.artifact == text
        ]
        for owner in held
    }
    if len({number for numbers in readings.values() for number in numbers}) > 1:
        return held
    most = max(map(len, readings.values()))
    return {owner for owner, numbers in readings.items() if len(numbers) == most}


def drop_mended_states(
    seen: Mapping[Key, list[Sighting]], catalogue: Catalogue, artifacts: Sequence[Artifact]
) -> dict[Key, list[Sighting]]:
    """Without good states that a text shows after its cure: they tell that it helped, and speak against no cause."""
    parts = list_parts(artifacts)
    cured: dict[str, int] = {}
    for artifact in artifacts:
        if artifact.prose and (index := next(iter(list_cure_lines(artifact, parts[artifact.order])), None)) is not None:
            cured.setdefault(artifact.name, artifact.number(index))
    if not cured:
        return dict(seen)
    kept = dict(seen)
    for cause in catalogue.causes.values():
        first = _find_first_lines(seen, [Key(cause.id, sign.id) for sign in cause.signs])
        for key in (Key(cause.id, sign.id) for sign in cause.against):
            kept[key] = [one for one in kept.get(key, ()) if not _is_mended(one, first, cured)]
    return {key: found for key, found in kept.items() if found}


def _find_first_lines(seen: Mapping[Key, list[Sighting]], keys: Iterable[Key]) -> dict[str, int]:
    """Where each text first shows one of these."""
    first: dict[str, int] = {}
    for one in (one for key in keys for one in seen.get(key, ())):
        first[one.line.artifact] = min(one.line.number, first.get(one.line.artifact, one.line.number))
    return first


def _is_mended(one: Sighting, first: Mapping[str, int], cured: Mapping[str, int]) -> bool:
    text = one.line.artifact
    return text in first and text in cured and one.line.number > max(first[text], cured[text])
