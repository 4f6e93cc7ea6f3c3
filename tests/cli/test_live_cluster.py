"""A live cluster by the commands that ask it: which one, what of it is kept, and what is said where it is away."""

from __future__ import annotations

import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from calivet.live.login import kubeconfig
from tests.cli.running import calivet
from tests.live.api_server import Asked, Reply, serving, stranger
from tests.live.kubeconfigs import written

TABLES = {
    "birch-1": (
        ["Name", "Status", "Roles", "Age", "Version", "Internal-IP"],
        ["birch-1", "Ready", "<none>", "9d", "v1.29.6", "10.0.0.1"],
    ),
    "calico-node-x7f2k": (
        ["Name", "Ready", "Status", "Restarts", "Age", "IP", "Node", "Images"],
        ["calico-node-x7f2k", "0/1", "Running", "0", "1d", "10.0.0.1", "birch-1", "calico/node:v3.27.0"],
    ),
}


def answer(asked: Asked) -> Reply:
    """A node and its calico-node, which is not ready."""
    path = asked.path.partition("?")[0]
    if path.endswith("/log"):
        return Reply(body=b"2026-11-15 09:12:01.104 [FATAL][9] startup.go 1: it died\n")
    if "as=Table" not in asked.headers["Accept"]:
        return Reply(body=b"{}")
    name = "birch-1" if path.endswith("/nodes") else "calico-node-x7f2k"
    columns, cells = TABLES[name]
    row = {"cells": cells, "object": {"metadata": {"name": name, "namespace": "calico-system"}}}
    table = {"metadata": {}, "columnDefinitions": [{"name": one} for one in columns], "rows": [row]}
    return Reply(body=json.dumps(table).encode())


@pytest.fixture
def cluster(tmp_path):
    with serving() as server:
        server.reply = answer  # type: ignore[method-assign]
        yield written(tmp_path, server.url)


class TestWhichCluster:
    def test_progress_and_answer_name_the_context(self, cluster):
        run = calivet("diagnose", "--kubeconfig", cluster)
        assert "calivet: asking lab (https://127.0.0.1:" in run.err
        assert run.out.startswith("lab (https://127.0.0.1:")

    def test_status_writes_json_too(self, cluster):
        run = calivet("status", "--kubeconfig", cluster, "-o", "json")
        told = json.loads(run.out)
        assert told["cluster"]["context"] == "lab"
        assert told["verdict"] in ("fault", "insufficient")

    def test_cited_lines_name_the_command_that_shows_them_again(self, cluster):
        run = calivet("diagnose", "--kubeconfig", cluster, "-o", "json")
        told = json.loads(run.out)
        cited = [item for finding in told["findings"] for item in finding["evidence"]]
        assert all(item["command"].startswith("kubectl ") for item in cited)


class TestKept:
    def test_the_evidence_of_this_run_gives_the_same_answer(self, cluster, tmp_path):
        path = tmp_path / "kept.tar.gz"
        live = calivet("diagnose", "--kubeconfig", cluster, "-o", "json", "--save", path)
        assert f"saved to {path}" in live.err
        stored = calivet("diagnose", path, "-o", "json")
        assert stored.code == live.code
        for key in ("verdict", "findings", "cluster"):
            assert json.loads(stored.out)[key] == json.loads(live.out)[key]

    def test_files_are_there_already(self, tmp_path):
        (tmp_path / "a.txt").write_text("x\n")
        run = calivet("diagnose", tmp_path / "a.txt", "--save", tmp_path / "b.tar.gz")
        assert run.code == 3
        assert "are already there" in run.err

    def test_nothing_is_written_over_unasked(self, cluster, tmp_path):
        path = tmp_path / "mine.tar.gz"
        path.write_text("mine")
        for command in (("collect", "-o"), ("diagnose", "--save")):
            run = calivet(command[0], "--kubeconfig", cluster, command[1], path)
            assert run.code == 3
            assert "already exists" in run.err
            assert "asking" not in run.err, "before anything is asked"
        assert path.read_text() == "mine"
        assert calivet("collect", "--kubeconfig", cluster, "-o", path, "--force").code == 0
        assert tarfile.is_tarfile(path)

    def test_a_target_that_cannot_be_written_is_seen_first(self, cluster, tmp_path):
        run = calivet("collect", "--kubeconfig", cluster, "-o", tmp_path / "absent" / "b.tar.gz")
        assert run.code == 3
        assert "there is no such folder" in run.err
        assert "asking" not in run.err

    def test_the_name_tells_the_format(self, cluster, tmp_path):
        for name, is_format in (
            ("a.tgz", tarfile.is_tarfile),
            ("a.tar", tarfile.is_tarfile),
            ("a.zip", zipfile.is_zipfile),
        ):
            path = tmp_path / name
            assert calivet("collect", "--kubeconfig", cluster, "-o", path).code == 0
            assert is_format(path)
            told = json.loads(calivet("diagnose", path, "-o", "json").out)
            assert told["cluster"]["context"] == "lab"
        run = calivet("collect", "--kubeconfig", cluster, "-o", tmp_path / "a.rar")
        assert run.code == 64
        assert ".tar.gz, .tgz, .tar or .zip" in run.err

    def test_secrets_and_names_are_counted_apart(self, cluster, tmp_path):
        plain = calivet("collect", "--kubeconfig", cluster, "-o", tmp_path / "a.tar.gz").out
        assert "secrets replaced: 0" in plain
        assert "names and addresses" not in plain
        other = calivet("collect", "--kubeconfig", cluster, "-o", tmp_path / "b.tar.gz", "--anonymize").out
        assert "secrets replaced: 0, names and addresses: " in other
        assert "names and addresses: 0" not in other


class TestAway:
    def test_it_is_said_what_is_known_and_how_to_go_on(self, tmp_path):
        path = written(tmp_path, "https://127.0.0.1:1")
        run = calivet("diagnose", "--kubeconfig", path)
        assert run.code == 3
        assert "lab (https://127.0.0.1:1)" in run.err
        assert "connection refused" in run.err
        assert "nothing listens on that port" in run.err
        assert "sudo calivet node" in run.err
        assert "crictl ps -a --name kube-apiserver" in run.err

    def test_nobody_is_sent_from_this_machine_to_itself(self, tmp_path):
        run = calivet("diagnose", "--kubeconfig", written(tmp_path, "https://localhost:1"))
        assert "where this machine is a node" in run.err
        assert "--ssh" not in run.err

    def test_nobody_is_sent_to_a_machine_whose_name_does_not_resolve(self, tmp_path):
        run = calivet("--kubeconfig", written(tmp_path, "https://gone.invalid:6443"), "--lang", "zh")
        assert "域名解析失败" in run.err
        assert "kubectl config get-contexts" in run.err
        assert "--ssh gone.invalid" not in run.err
        assert "（https://gone.invalid:6443）" in run.err.splitlines()[-3]

    def test_a_certificate_of_somebody_else_is_told_from_an_api_server_that_is_down(self, tmp_path):
        with serving(stranger().issue_cert("127.0.0.1")) as server:
            run = calivet("diagnose", "--kubeconfig", written(tmp_path, server.url))
        assert run.code == 3
        assert "a certificate that this kubeconfig does not trust" in run.err
        assert "sudo calivet node" in run.err

    def test_refused_credentials_are_told_from_an_api_server_that_is_down(self, tmp_path):
        with serving() as server:
            server.reply = lambda asked: Reply(status=401)  # type: ignore[method-assign]
            run = calivet("diagnose", "--kubeconfig", written(tmp_path, server.url, {"token": "stale"}))
        assert run.code == 3
        assert "the API server runs and refuses these credentials" in run.err

    def test_a_wrong_context_names_the_nearest(self, tmp_path):
        path = written(tmp_path, "https://127.0.0.1:1")
        assert "choose with --context: lab" in calivet("diagnose", "--kubeconfig", path, "--context", "lap").err

    def test_waiting_does_not_repeat_itself(self, tmp_path):
        path = written(tmp_path, "https://127.0.0.1:1")
        run = calivet("status", "--kubeconfig", path, "--wait", "1s", "--every", "50ms")
        assert run.code == 3
        assert run.err.count("connection refused") == 1

    @pytest.fixture
    def nobody(self, tmp_path, monkeypatch):
        """A user without a kubeconfig."""
        monkeypatch.setenv("KUBECONFIG", "")
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
        return tmp_path

    def test_the_kubeconfig_of_the_machine_is_used_and_that_is_said(self, nobody, monkeypatch):
        there = Path(written(nobody, "https://127.0.0.1:1"))
        monkeypatch.setattr(kubeconfig, "MACHINE_FILES", (nobody / "absent", there))
        run = calivet("diagnose")
        assert f"using {there} of this machine" in run.err
        assert "connection refused" in run.err

    def test_who_names_a_kubeconfig_means_no_other(self, nobody, monkeypatch):
        monkeypatch.setattr(kubeconfig, "MACHINE_FILES", (Path(written(nobody, "https://127.0.0.1:1")),))
        monkeypatch.setenv("KUBECONFIG", str(nobody / "mistyped"))
        run = calivet("diagnose")
        assert run.code == 3
        assert "mistyped does not exist" in run.err

    def test_where_there_is_none_the_other_ways_are_named(self, nobody, monkeypatch):
        monkeypatch.setattr(kubeconfig, "MACHINE_FILES", ())
        run = calivet("diagnose")
        assert run.code == 3
        assert "sudo calivet node" in run.err
        assert "calivet --ssh NODE" in run.err
