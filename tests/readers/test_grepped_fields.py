"""Fields that grep left of an object."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.kubernetes import Object
from calivet.readers.objects.field_paths import READER


def read_objects(command: str, output: str) -> list[Object]:
    artifact = Artifact(name="notes.md", first=1, lines=[f"$ {command}", *output.split("\n")], command=command)
    assert READER.command
    facts = READER.read(artifact, []).facts if READER.command.search(command) else []
    return [fact for fact in facts if isinstance(fact, Object)]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("kubectl get bgpconfiguration default -o yaml | grep -i mesh", "BGPConfiguration"),
        ("sudo calicoctl get bgpconfig default -oyaml | egrep 'Mesh|as'", "BGPConfiguration"),
        ("calicoctl get bgpconfigs -o yaml|grep Mesh", "BGPConfiguration"),
        (
            "kubectl get felixconfigurations.crd.projectcalico.org/default -o yaml | grep -E 'Mesh'",
            "FelixConfiguration",
        ),
    ],
)
def test_the_command_says_whose_field_it_is(command: str, kind: str) -> None:
    (thing,) = read_objects(command, "  nodeToNodeMeshEnabled: false")
    assert (thing.kind, thing.values.get("spec.nodeToNodeMeshEnabled"), thing.partial) == (kind, False, True)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("kubectl get pods -o yaml | grep phase", "  phase: Running"),
        (
            "kubectl get bgpconfiguration -o yaml | grep Mesh",
            "  nodeToNodeMeshEnabled: false\n  nodeToNodeMeshEnabled: true",
        ),
        ("kubectl get bgpconfiguration default -o yaml | grep -A9 spec", "spec:\n  nodeToNodeMeshEnabled: false"),
        ("kubectl get felixconfiguration default -o yaml | grep name", "  name: default"),
        ("kubectl get felixconfiguration default -o yaml", "  bpfEnabled: true"),
    ],
)
def test_what_belongs_to_no_single_flat_object_is_left(command: str, output: str) -> None:
    assert read_objects(command, output) == []
