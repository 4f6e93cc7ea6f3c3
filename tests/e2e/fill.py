"""Puts a cluster that exists on paper into the bed's API server, object by object over its API, and takes it out again."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.e2e.bed.bed import Bed
from tests.e2e.definitions import PATH, definitions
from tests.e2e.kinds import CUSTOM, VERSIONS, kind_of
from tests.e2e.scenarios.cluster import Cluster

AT_ONCE = 4
# Taken out through the API, which gives their addresses free.
BY_REQUEST = {"Service"}
FIRST = {"Namespace"}


class Filler:
    """Knows what it has put in."""

    def __init__(self, bed: Bed) -> None:
        self._bed = bed
        self._filled: list[dict[str, Any]] = []
        self._defined: set[str] = set()
        self._hands = ThreadPoolExecutor(AT_ONCE)

    def fill(self, cluster: Cluster) -> None:
        """Makes the API server hold this cluster and nothing of the one before."""
        self.empty()
        self._define(set(cluster.definitions))
        self._filled = list(cluster.objects())
        first = [one for one in self._filled if one["kind"] in FIRST]
        rest = [one for one in self._filled if one["kind"] not in FIRST]
        # Sorted, the last revision of each list comes last, and stays.
        revisions = dict(sorted([*self._hands.map(self._create, first), *self._hands.map(self._create, rest)]))
        list(self._hands.map(self._await, *zip(*(revisions | self._age()).items(), strict=True)))
        self._bed.kubelets.kubelets = cluster.kubelets()

    def empty(self) -> None:
        """Takes everything out; through etcd, where that takes no time."""
        for one in self._filled:
            if one["kind"] in BY_REQUEST:
                # A fix may have taken it already, and so may a try that was broken off here.
                self._bed.client.request("DELETE", f"{kind_of(one).path(one)}/{one['metadata']['name']}")
        self._bed.etcd.forget(kind_of(one).key(one) for one in self._filled if one["kind"] not in BY_REQUEST)
        self._filled = []
        self._bed.kubelets.kubelets = {}
        self._bed.kubelets.asked = []
        self._bed.kubelets.on_request = None
        self._bed.injector.reset()

    def close(self) -> None:
        """Lets its threads go."""
        self._hands.shutdown()

    def _create(self, one: dict[str, Any]) -> tuple[str, int]:
        """Gives the list it is now in, and the revision from which on it is there."""
        kind = kind_of(one)
        created = self._bed.client.send("POST", kind.path(one), one)
        if kind.status and "status" in one:
            path = f"{kind.path(one)}/{one['metadata']['name']}/status"
            created = self._bed.client.send("PUT", path, created | {"status": one["status"]})
        return kind.everywhere(one), int(created["metadata"]["resourceVersion"])

    def _age(self) -> dict[str, int]:
        """The API server writes the moment of creation itself; this puts back the one that was meant."""
        wanted = {kind_of(one).key(one): one for one in self._filled if "creationTimestamp" in one["metadata"]}
        revisions = {}
        for folder in {key.split("/")[2] for key in wanted}:
            held = [(key, value) for key, value in self._bed.etcd.read(f"/registry/{folder}/") if key in wanted]
            for key, value in held:
                value["metadata"]["creationTimestamp"] = wanted[key]["metadata"]["creationTimestamp"]
            example = wanted[held[0][0]]
            revisions[kind_of(example).everywhere(example)] = self._bed.etcd.write(held)
        return revisions

    def _await(self, path: str, revision: int) -> None:
        """Until the API server's own memory of this list has seen that revision."""
        self._bed.client.get(f"{path}?limit=1&resourceVersion={revision}&resourceVersionMatch=NotOlderThan")

    def _define(self, groups: set[str]) -> None:
        """Serves these groups of custom resources and no others."""
        for group in self._defined - groups:
            for definition in definitions(group):
                self._bed.client.send("DELETE", f"{PATH}/{definition['metadata']['name']}", None)
        for group in groups - self._defined:
            list(self._hands.map(lambda one: self._bed.client.send("POST", PATH, one), definitions(group)))
        changed = self._defined ^ groups
        self._defined = groups
        for group in changed:
            self._until_served(group, served=group in groups)

    def _until_served(self, group: str, *, served: bool) -> None:
        wanted = {kind.plural for kind in CUSTOM[group].values()}
        while _served(self._bed, group) != (wanted if served else set()):
            time.sleep(0.02)


def _served(bed: Bed, group: str) -> set[str]:
    status, body = bed.client.request("GET", f"/apis/{group}/{VERSIONS[group]}")
    return {resource["name"] for resource in json.loads(body)["resources"]} if status == 200 else set()
