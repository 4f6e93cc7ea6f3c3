"""Signs in the list of custom resource definitions."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Artifact
from calivet.evidence.expressions import expression
from calivet.facts.fact import Version
from calivet.facts.picture import Picture
from calivet.signs.sighting import Sighting

_ASKS_FOR_LIST = expression(
    r"\bget\s+(?:crds?|customresourcedefinitions?)\b(?!\s+\w)|\bapi-resources\b.*--api-group=crd\.projectcalico\.org"
)
_CUT = expression(r"\bhead\b|\btail\b|\bwc\b")
_NAME = expression(r"(?P<kind>[a-z]+)\.crd\.projectcalico\.org\b")
_MISSED = "no matches for kind "
_NOT_KNOWN = expression(_MISSED + r"\\?\"(?P<kind>\w+)")
_MADE = expression(
    r"customresourcedefinition\S*/(?P<plural>[a-z]+)\.\S+ (?:created|configured|unchanged|serverside-applied)"
)
_VERSION = expression(r"v?(\d+)\.(\d+)")
# A list shorter than this is an excerpt about something else.
_ENOUGH = 5
# What every release needs, and what came with one: (first release, kinds).
_NEEDED: tuple[tuple[tuple[int, int], tuple[str, ...]], ...] = (
    ((3, 0), ("felixconfigurations", "ippools", "clusterinformations", "globalnetworkpolicies", "hostendpoints")),
    ((3, 4), ("globalnetworksets", "networkpolicies", "bgpconfigurations")),
    ((3, 8), ("networksets",)),
    ((3, 15), ("kubecontrollersconfigurations",)),
    ((3, 21), ("caliconodestatuses", "ipreservations")),
    ((3, 26), ("bgpfilters",)),
    ((3, 29), ("tiers",)),
)


def calico_crds_incomplete(picture: Picture) -> Iterator[Sighting]:
    """A list of Calico's definitions that lacks what its version needs."""
    version = _calico_version(picture)
    for artifact in picture.artifacts:
        command = artifact.command or ""
        if not _ASKS_FOR_LIST.search(command) or _CUT.search(command):
            continue
        listed = _listed(artifact)
        missing = [kind for first, kinds in _NEEDED if first <= version for kind in kinds if kind not in listed]
        if len(listed) >= _ENOUGH and missing:
            first_line = min(listed.values())
            yield Sighting(line=artifact.at(first_line), values={"missing": ", ".join(missing)})


def defined_after_all(picture: Picture) -> Iterator[Sighting]:
    """A kind that was not known to somebody, and whose definition was made all the same: he came too early."""
    lines = (text for artifact in picture.artifacts for text in artifact.lines if _MISSED in text)
    missed = {found["kind"].lower() for text in lines for found in _NOT_KNOWN.finditer(text)}
    for artifact in picture.artifacts if missed else ():
        for index, text in enumerate(artifact.lines):
            if (made := _MADE.search(text)) and made["plural"].removesuffix("s") in missed:
                yield Sighting(line=artifact.at(index), values={"kind": made["plural"]})
                return


def _listed(artifact: Artifact) -> dict[str, int]:
    """Each kind of the list with the index of its line."""
    found = ((index, _NAME.search(line)) for index, line in enumerate(artifact.lines))
    return {name["kind"]: index for index, name in found if name}


def _calico_version(picture: Picture) -> tuple[int, int]:
    """The newest version that the evidence names; unknown counts as one that needs what all since 3.8 need."""
    told = [_VERSION.match(one.version) for one in picture.all(Version) if one.program.startswith("calico")]
    known = [(int(one[1]), int(one[2])) for one in told if one]
    return max(known, default=(3, 8))


SIGNS = {"calico-crds-incomplete": calico_crds_incomplete, "crd-defined-after-all": defined_after_all}
