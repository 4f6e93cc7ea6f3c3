"""Tests of the list of custom resource definitions."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.fact import Fact, Version
from calivet.signs.api.control_plane import SIGNS
from tests.signs.made_pictures import picture as made_picture

KINDS = (
    "bgpconfigurations clusterinformations felixconfigurations globalnetworkpolicies globalnetworksets hostendpoints "
    "ippools networkpolicies"
).split()


def missing(command: str, kinds: list[str], *facts: Fact) -> list[str]:
    lines = [f"$ {command}", *[f"{kind}.crd.projectcalico.org   2024-02-03T04:05:06Z" for kind in kinds]]
    picture = made_picture(*facts, artifacts=[Artifact("crds.txt", 1, lines, command=command)])
    return [sighting.values["missing"] for sighting in SIGNS["calico-crds-incomplete"](picture)]


def version(text: str) -> Version:
    return Version(at=Line("v.txt", 1, text), program="calico-node", version=text)


def test_old_list_under_a_newer_image() -> None:
    assert missing("kubectl get crd | grep projectcalico", KINDS) == ["networksets"]
    assert missing("kubectl get crd", [*KINDS, "networksets"], version("v3.12.0")) == []
    assert missing("kubectl get crds", [*KINDS, "networksets"], version("v3.29.1")) == [
        "kubecontrollersconfigurations, caliconodestatuses, ipreservations, bgpfilters, tiers"
    ]


def test_cut_or_short_lists_prove_nothing() -> None:
    assert missing("kubectl get crd | head -3", KINDS) == []
    assert missing("kubectl get crd", KINDS[:3]) == []
    assert missing("kubectl get crd ippools.crd.projectcalico.org -o yaml", KINDS) == []


def defined(*lines: str) -> list[str]:
    picture = made_picture(artifacts=[Artifact("install.txt", 1, list(lines))])
    return [sighting.values["kind"] for sighting in SIGNS["crd-defined-after-all"](picture)]


def test_a_definition_that_came_too_late_is_there_all_the_same() -> None:
    early = 'no matches for kind "Installation" in version "operator.tigera.io/v1", ensure CRDs are installed first'
    made = "customresourcedefinition.apiextensions.k8s.io/installations.operator.tigera.io created"
    other = "customresourcedefinition.apiextensions.k8s.io/ippools.crd.projectcalico.org created"
    assert defined(made, other, early) == ["installations"]
    assert defined(other, early) == []
    assert defined(made, other) == []
