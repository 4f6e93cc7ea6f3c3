"""The chart: linted and rendered by a real Helm, taken by a real API server, and the same as the plain manifests."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.test_manifests import pod_of, read, validate
from tests.release.helming import CHART, render, run_helm

HOURLY = "schedule=0 * * * *"


def test_helm_has_nothing_to_complain_of():
    done = run_helm("lint", "--strict", str(CHART))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("setting", "kind"), [("history=3", "Job"), (HOURLY, "CronJob")])
def test_an_api_server_takes_it(bed, setting, kind):
    kinds = validate(bed.client, render(setting))
    assert sorted(kinds) == sorted(["ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", kind])


@pytest.mark.parametrize(("setting", "name"), [("history=3", "job.yaml"), (HOURLY, "cronjob.yaml")])
def test_it_makes_what_the_plain_manifest_has(setting, name):
    made, plain = by_kind(render(setting)), by_kind(read(name))
    kind = "CronJob" if name == "cronjob.yaml" else "Job"
    assert pod_of(made[kind]) == pod_of(plain[kind])
    assert made["ClusterRole"]["rules"] == read("clusterrole.yaml")[0]["rules"]
    for key in ("roleRef", "subjects"):
        assert made["ClusterRoleBinding"][key] == plain["ClusterRoleBinding"][key]


def test_a_right_may_be_left_out():
    rules = by_kind(render("rbac.nodesProxy=false"))["ClusterRole"]["rules"]
    assert rules == [
        rule for rule in read("clusterrole.yaml")[0]["rules"] if "nodes/proxy" not in rule.get("resources", [])
    ]


@pytest.mark.parametrize("setting", ["event=false", "args={collect,-o,/tmp/bundle.tar.gz}"])
def test_without_an_event_no_right_to_make_one(setting):
    made = by_kind(render(setting))
    assert not {"Role", "RoleBinding"} & made.keys()
    (container,) = pod_of(made["Job"])["containers"]
    assert "--event" not in container["args"]


def test_a_setting_that_does_not_exist_is_refused():
    done = run_helm("template", "trial", str(CHART), "--set", "shedule=@hourly")
    assert done.returncode != 0
    assert "shedule" in done.stderr


def by_kind(documents: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {document["kind"]: document for document in documents}
