"""A live cluster and its nodes in one diagnosis: a real API server, a real ssh server, nodes that answer and nodes that do not."""

from __future__ import annotations

import os

import pytest

from tests.cli.running import calivet
from tests.e2e.asking import answer_of, diagnose
from tests.e2e.scenarios.healthy import healthy
from tests.e2e.scenarios.moments import ago
from tests.e2e.scenarios.places import all_is_well
from tests.node.sshd import SCRIPT, UnavailableError, free_port, opened

# A jump host says so in the same words.
GONE = "ssh: connect to host worker-4 port 22: No route to host"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    try:
        with opened(tmp_path_factory.mktemp("ssh")) as made:
            made.entry("worker-3", Port=free_port(), User="jo")
            made.entry("worker-4", ProxyCommand=f"sh -c 'echo {GONE} >&2; exit 1'")
            made.entry("worker-2", HostName="worker-2.invalid")
            made.entry("worker-1 plane-1 10.20.0.22", IdentityFile=made.folder / "plain")
            yield made
    except UnavailableError as why:
        pytest.skip(f"ssh is not tested: {why}")


@pytest.fixture
def operator(site, monkeypatch):
    monkeypatch.setenv("PATH", f"{site.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("calivet.cli.inputs.ssh_nodes.read_script", lambda: SCRIPT)
    site.forget_calls()
    return site


def test_all_nodes_of_the_cluster(bed, filler, operator):
    """One by its name, one by its address because its name leads nowhere; and of one it is known that it cannot be had."""
    filler.fill(all_is_well.build())
    answer = diagnose(bed.kubeconfig(), "--ssh-all")
    assert answer.verdict == "insufficient", "the probes reach no peer from here, and a failed test forbids healthy"
    assert "probes/worker-3.txt: connection refused: no ssh server listens there" in answer.missed()
    assert "worker-1" not in answer.missed()
    assert "worker-2" not in answer.missed()
    asked = {call[call.index("--") + 1]: call[-1] for call in operator.calls() if "-G" not in call}
    assert set(asked) == {"worker-1", "worker-2", "10.20.0.22", "worker-3", "plane-1"}
    assert "--peer 10.20.0.22" in asked["worker-1"]
    assert "--peer 10.20.0.21" not in asked["worker-1"]


def test_the_operator_names_some_himself(bed, filler, operator):
    filler.fill(all_is_well.build())
    diagnose(bed.kubeconfig(), "--ssh", "worker-1", "root@10.20.0.22", "--ssh-user", "jo")
    asked = {call[call.index("--") + 1] for call in operator.calls() if "-G" not in call}
    assert asked == {"jo@worker-1", "root@10.20.0.22"}


def test_a_bundle_gives_the_same_diagnosis(bed, filler, operator, tmp_path):
    filler.fill(all_is_well.build())
    live = diagnose(bed.kubeconfig(), "--ssh-all")
    path = tmp_path / "bundle.tar.gz"
    run = calivet("collect", "--kubeconfig", bed.kubeconfig(), "--ssh-all", "-o", path)
    assert run.code == 0, run.err
    stored = answer_of(calivet("diagnose", path, "-o", "json"))
    assert (stored.verdict, stored.ranked(), stored.missed()) == (live.verdict, live.ranked(), live.missed())


@pytest.mark.parametrize(("node", "cause"), [("worker-3", "kubelet-down"), ("worker-4", "node-unreachable")])
def test_of_two_silent_nodes_one_is_gone(bed, filler, operator, node, cause):
    """The other at least refuses the login, so it is there."""
    cluster = healthy(workers=4)
    cluster.nodes[node].stop_posting(since=ago(minutes=30))
    filler.fill(cluster)
    answer = diagnose(bed.kubeconfig(), "--ssh-all")
    assert [(found.cause, found.nodes) for found in answer.findings] == [(cause, [node])]


def test_where_the_cluster_does_not_answer_the_named_nodes_still_do(bed, operator):
    nowhere = bed.kubeconfig(server=f"https://127.0.0.1:{free_port()}")
    answer = diagnose(nowhere, "--ssh", "worker-1", "--request-timeout", "2")
    assert answer.code == 2
    assert "probes/worker-1.txt" not in answer.missed()
    assert "nodes.txt" in answer.missed()
