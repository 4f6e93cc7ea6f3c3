"""calivet's own bundles: what calivet wrote is known, what somebody laid beside it is cut like anything else."""

from __future__ import annotations

import msgspec

from calivet.evidence.artifact import Document
from calivet.evidence.cutting.cut import cut_document
from calivet.evidence.layouts.own_bundle import MANIFEST, Manifest, open_bundle

LOG = ["$ kubectl logs -n kube-system calico-node-x", "first", "root@worker-1:~# swapon --show", "last"]


def page(*whole: str) -> Document:
    """A manifest in a folder, as it lies in an archive."""
    manifest = Manifest(calivet="1", server="", collected="2026-01-01T00:00:00+00:00", seconds=1.0, whole=list(whole))
    return Document(f"incident/{MANIFEST}", msgspec.json.encode(manifest).decode().split("\n"))


def test_what_calivet_wrote_is_one_output_whatever_it_quotes() -> None:
    documents, manifest = open_bundle([page("logs/x.txt"), Document("incident/logs/x.txt", LOG)])
    (artifact, label), *others = cut_document(documents[0])
    assert manifest is not None
    assert not others
    assert label is None
    assert artifact.command == "kubectl logs -n kube-system calico-node-x"
    assert artifact.lines == LOG
    assert artifact.name == "logs/x.txt"


def test_what_was_laid_beside_it_is_cut_at_its_prompts() -> None:
    documents, _ = open_bundle([page("logs/x.txt"), Document("incident/session.txt", LOG)])
    assert [artifact.command for artifact, _ in cut_document(documents[0])] == [
        "kubectl logs -n kube-system calico-node-x",
        "swapon --show",
    ]


def test_the_same_file_without_a_manifest_is_nobodys_word() -> None:
    documents, manifest = open_bundle([Document("incident/logs/x.txt", LOG)])
    assert manifest is None
    assert not documents[0].whole


def test_of_two_bundles_side_by_side_none_is_taken_for_the_whole() -> None:
    second = msgspec.structs.replace(page("x.txt"), name=f"other/{MANIFEST}")
    documents, manifest = open_bundle([page("x.txt"), second, Document("incident/x.txt", LOG)])
    assert manifest is None
    assert len(documents) == 3
