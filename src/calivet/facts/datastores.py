"""Where Calico keeps its resources, and how far a migration of them has come."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.evidence.artifact import Line
from calivet.facts.calico import CniConfig
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Object, Row

Answer = tuple[str, Line]
_READY = "spec.datastoreReady"
_NATIVE_POOLS, _STORED_POOLS = "ippools.projectcalico.org", "ippools.crd.projectcalico.org"


def list_datastores(cluster: ClusterFacts) -> Iterator[Answer]:
    """All that the evidence tells of it, the surest first."""
    yield from _find_migration(cluster)
    yield from _find_native_resources(cluster)
    for thing in cluster.all(Object):
        if thing.kind == "ClusterInformation" and (thing.api or "").startswith("crd.projectcalico.org"):
            yield "crd", thing.at
    for variable in cluster.all(Variable):
        if variable.name == "DATASTORE_TYPE":
            yield {"kubernetes": "crd"}.get(variable.value, "etcd"), variable.at
    for config in cluster.all(CniConfig):
        if config.datastore:
            yield {"kubernetes": "crd"}.get(config.datastore, "etcd"), config.at


# Phases of a DatastoreMigration; in the others the lock is left because something went wrong.
_PHASES = {"Pending": "migrating", "Migrating": "migrating", "Converged": "v3", "Complete": "v3"}


def _find_migration(cluster: ClusterFacts) -> Iterator[Answer]:
    """How far a migration to native resources has come: while it runs, the datastore is locked as it should be."""
    told = [(thing.values.get("status.phase"), thing.at) for thing in cluster.all(Object) if _is_migration(thing)]
    told += [(row.cells.get("PHASE"), row.at) for row in cluster.all(Row) if row.resource == "datastoremigration"]
    for phase, line in reversed(told):
        if phase in _PHASES:
            yield _PHASES[str(phase)], line


def _is_migration(thing: Object) -> bool:
    return thing.kind == "DatastoreMigration"


def _find_native_resources(cluster: ClusterFacts) -> Iterator[Answer]:
    """A finished migration, after which the old ClusterInformation stays locked for good; or only the new kinds."""
    stores = {(thing.api or "").partition("/")[0]: thing for thing in cluster.all(Object) if _is_store(thing)}
    new, old = stores.get("projectcalico.org"), stores.get("crd.projectcalico.org")
    if new and old and new.values.get(_READY) is True and old.values.get(_READY) is False:
        yield "v3", new.at
    kinds = {row.name: row for row in cluster.all(Row) if row.resource == "customresourcedefinition"}
    if _NATIVE_POOLS in kinds and _STORED_POOLS not in kinds:
        yield "v3", kinds[_NATIVE_POOLS].at


def _is_store(thing: Object) -> bool:
    return thing.kind == "ClusterInformation"
