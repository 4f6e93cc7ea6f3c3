"""A new node against a real API server: what the cluster tells joins what the node's own probe shows."""

from __future__ import annotations

import json

from tests.cli.running import calivet
from tests.e2e.bed.users import ADMIN
from tests.e2e.scenarios.places import all_is_well
from tests.e2e.scenarios.reaching import the_datastore_is_locked
from tests.preflight.evidence import DEBIAN, HOSTS

TOLD_BY_THE_CLUSTER = (
    "name-free",
    "address-free",
    "pool-ranges",
    "routes",
    "versions",
    "datastore-unlocked",
    "pool-enabled",
    "pool-room",
    "ipv6",
    "packet-size",
)


def outcomes(bed) -> dict[str, str]:
    run = calivet("preflight", HOSTS / f"{DEBIAN}.txt", "--kubeconfig", bed.kubeconfig(ADMIN), "-o", "json")
    (node,) = json.loads(run.out)["nodes"]
    return {check["id"]: check["outcome"] for check in node["checks"]}


def test_everything_that_only_a_cluster_tells_is_checked(bed, filler):
    filler.fill(all_is_well.build())
    told = outcomes(bed)
    assert {name: told[name] for name in TOLD_BY_THE_CLUSTER} == dict.fromkeys(TOLD_BY_THE_CLUSTER, "pass")
    assert "fail" not in told.values()


def test_a_locked_datastore_would_stop_the_node(bed, filler):
    filler.fill(the_datastore_is_locked.build())
    assert [name for name, outcome in outcomes(bed).items() if outcome == "fail"] == ["datastore-unlocked"]
