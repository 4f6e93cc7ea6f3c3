"""Objects of Calico that are being deleted, or moved to another store."""

from __future__ import annotations

import pytest

from calivet.signs.install.installation import SIGNS
from tests.signs.made_pictures import output, picture

HELD = """
    apiVersion: {api}
    kind: {kind}
    metadata:
      deletionTimestamp: "2024-05-06T07:08:09Z"
      finalizers:
      - example.org/keeper
      name: {name}
    """


def seen(name, *artifacts):
    return [sighting.values for sighting in SIGNS[name](picture(artifacts=list(artifacts)))]


def shown(kind, name, api="v1", text=HELD):
    return output(f"kubectl get {kind} {name} -o yaml", text.format(kind=kind, name=name, api=api))


@pytest.mark.parametrize("kind", ["ServiceAccount", "ClusterRoleBinding"])
def test_an_account_that_waits_for_a_finalizer(kind):
    found = seen("calico-account-terminating", shown(kind, "calico-cni-plugin"))
    assert found == [{"kind": kind, "name": "calico-cni-plugin", "finalizers": "example.org/keeper"}]
    assert seen("calico-object-terminating", shown(kind, "calico-cni-plugin")) == []


def test_accounts_of_others_and_those_that_stay_do_not_count():
    stays = HELD.replace('      deletionTimestamp: "2024-05-06T07:08:09Z"\n', "")
    assert seen("calico-account-terminating", shown("ServiceAccount", "shop")) == []
    assert seen("calico-account-terminating", shown("ServiceAccount", "calico-node", text=stays)) == []


@pytest.mark.parametrize(
    ("kind", "name", "api"),
    [
        ("Installation", "default", "operator.tigera.io/v1"),
        ("IPPool", "default-ipv4-ippool", "crd.projectcalico.org/v1"),
        ("Namespace", "calico-system", "v1"),
        ("CustomResourceDefinition", "ippools.crd.projectcalico.org", "apiextensions.k8s.io/v1"),
    ],
)
def test_what_is_calicos_and_cannot_go(kind, name, api):
    assert [one["name"] for one in seen("calico-object-terminating", shown(kind, name, api))] == [name]


def test_what_ends_by_itself_or_is_anothers_does_not_count():
    free = HELD.replace("      finalizers:\n      - example.org/keeper\n", "")
    assert seen("calico-object-terminating", shown("Namespace", "calico-system", text=free)) == []
    assert seen("calico-object-terminating", shown("Namespace", "shop")) == []
    assert seen("calico-object-terminating", shown("Widget", "default", "example.org/v1")) == []


def test_a_migration_is_told_until_it_is_complete():
    text = """
        apiVersion: migration.projectcalico.org/v1
        kind: DatastoreMigration
        metadata:
          name: to-v3
        status:
          message: Waiting for calico-node rollout to begin
          phase: {phase}
        """
    asked = "kubectl get datastoremigration to-v3 -o yaml"
    (found,) = seen("datastore-migration-unfinished", output(asked, text.format(phase="Converged")))
    assert found == {"name": "to-v3", "phase": "Converged", "message": "Waiting for calico-node rollout to begin"}
    assert seen("datastore-migration-unfinished", output(asked, text.format(phase="Complete"))) == []
