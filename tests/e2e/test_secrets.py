"""Secrets planted in a real cluster, wherever an operator's cluster has them: none leaves it, in no form."""

from __future__ import annotations

import tarfile

import pytest

from tests.cli.running import calivet
from tests.e2e.scenarios import words
from tests.e2e.scenarios.ailments import agent_crashes
from tests.e2e.scenarios.cluster import Cluster
from tests.e2e.scenarios.healthy import healthy
from tests.redaction.planted import TABLE, grown, left_of

FATAL = "[FATAL][9] startup/startup.go 158: failed to query kubeadm's config map error=configmaps is forbidden\n"
PASSWORD, TOKEN = TABLE["password"], TABLE["service account token"]


def planted_everywhere() -> Cluster:
    """In logs every kind and shape; in objects a password and a token under each name that gives one away."""
    cluster = healthy(workers=2)
    shapes = "\n".join(grown(planted, shape) for planted in TABLE.values() for shape in planted.shapes)
    pod = agent_crashes(cluster, "worker-2", words.STARTUP + shapes + "\n" + FATAL)
    cluster.environment(DATASTORE_PASSWORD=PASSWORD.value, ETCD_AUTH_TOKEN=TOKEN.value)
    container = cluster.workloads["calico-node"]["spec"]["template"]["spec"]["containers"][0]
    container["args"] = ["--password", PASSWORD.value, f"--token={TOKEN.value}"]
    for about in (cluster.workloads["calico-node"]["metadata"], cluster.nodes["worker-2"]):
        notes = about.setdefault("annotations", {}) if isinstance(about, dict) else about.annotations
        notes["example.lab/db-password"] = PASSWORD.value
        notes["example.lab/proxy"] = f"http://felix:{PASSWORD.value}@proxy.lab:3128"
    cluster.custom("calico-config")["data"]["etcd.conf"] = f"user: felix\npassword: {PASSWORD.value}\n"
    cluster.happened(pod, "Failed", f"Error: login with password={PASSWORD.value} refused, token {TOKEN.value}")
    return cluster


def nothing_left(text: str) -> None:
    assert {kind: piece for kind, planted in TABLE.items() if (piece := left_of(planted, text))} == {}


@pytest.fixture
def leaky(filler):
    filler.fill(planted_everywhere())


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("arguments", [("-v",), ("-o", "json", "-v"), ("-o", "md")], ids=lambda given: given[-1])
def test_no_report_shows_one(bed, leaky, arguments, language):
    run = calivet("diagnose", "--kubeconfig", bed.kubeconfig(), *arguments, "--lang", language)
    assert run.code in (1, 2)
    nothing_left(run.out + run.err)


@pytest.mark.parametrize("arguments", [(), ("--anonymize",)], ids=["plain", "anonymised"])
def test_no_bundle_holds_one(bed, leaky, tmp_path, arguments):
    path = tmp_path / "bundle.tar.gz"
    run = calivet("collect", "--kubeconfig", bed.kubeconfig(), "-o", path, *arguments)
    assert run.code == 0, run.err
    nothing_left(run.out + run.err)
    with tarfile.open(path) as archive:
        texts = {one.name: (archive.extractfile(one) or path.open("rb")).read().decode() for one in archive}
    nothing_left("\n".join([*texts, *texts.values()]))
    assert any("<redacted-password-" in text for text in texts.values())


def test_what_was_replaced_is_told(bed, leaky):
    run = calivet("diagnose", "--kubeconfig", bed.kubeconfig())
    assert "Redacted: " in run.out
