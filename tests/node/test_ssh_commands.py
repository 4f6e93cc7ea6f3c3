"""`--ssh` and `--ssh-all` as the operator types them, with real servers; whose cluster is asked is not the matter here."""

from __future__ import annotations

import os
import re
import signal
import tarfile
import time

import msgspec
import pytest

from calivet.cli.terminal.progress import Progress
from tests.cli.running import calivet
from tests.node.sshd import ORIGINAL, SCRIPT, free_port

pytestmark = pytest.mark.xdist_group("ssh")
NODES = (
    "$ kubectl get nodes\nNAME STATUS ROLES AGE VERSION\nelm-1 Ready <none> 3d v1.33.5\nelm-2 {} <none> 3d v1.33.5\n"
)


@pytest.fixture(scope="module")
def machines(site):
    """One that answers, one that nobody knows, one that refuses, one that never comes to an end."""
    site.entry("elm-1", IdentityFile=site.folder / "plain")
    site.entry("elm-2", HostName="elm-2.invalid")
    site.entry("shut", Port=free_port())
    site.machine("stuck", f"export WAITS={site.folder}/stuck-waits FOREVER={site.folder}/forever\n{ORIGINAL}")
    return site


@pytest.fixture
def ask(machines, monkeypatch):
    monkeypatch.setenv("PATH", f"{machines.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("calivet.cli.inputs.ssh_nodes.read_script", lambda: SCRIPT)
    return calivet


def answer(run):
    return msgspec.json.decode(run.out)


def texts(path):
    with tarfile.open(path) as archive:
        return {
            one.name: (archive.extractfile(one) or path.open("rb")).read().decode() for one in archive if one.isfile()
        }


class TestDiagnose:
    def test_without_any_cluster_the_nodes_alone(self, ask):
        run = ask("diagnose", "--ssh", "elm-1", "-o", "json")
        assert run.code == 2, run.err
        assert {source["artifact"] for source in answer(run)["sources"]} == {"probes/elm-1.txt"}
        assert "cluster" in [item["what"] for item in answer(run)["not_seen"]]

    def test_beside_files(self, ask, tmp_path):
        (tmp_path / "nodes.txt").write_text(NODES.format("NotReady"))
        run = ask("diagnose", tmp_path / "nodes.txt", "--ssh", "elm-1", "-o", "json")
        names = {source["artifact"].rpartition("/")[2] for source in answer(run)["sources"]}
        assert names == {"nodes.txt", "elm-1.txt"}

    def test_a_node_that_cannot_be_reached_is_a_fact(self, ask):
        run = ask("diagnose", "--ssh", "elm-1", "shut", "-o", "json")
        assert run.code == 2
        told = answer(run)
        assert ["probes/shut.txt", "connection refused: no ssh server listens there"] in [
            [item["what"], item["why"]] for item in told["not_seen"]
        ]
        assert "ssh.txt" in {source["artifact"] for source in told["sources"]}

    def test_so_it_is_where_none_can(self, ask):
        run = ask("diagnose", "--ssh", "elm-2", "elm-2")
        assert run.code == 2
        assert "probes/elm-2.txt\n   its name is known neither" in run.out

    def test_all_of_which_cluster(self, ask, tmp_path):
        (tmp_path / "nodes.txt").write_text(NODES.format("Ready"))
        run = ask("diagnose", tmp_path / "nodes.txt", "--ssh-all")
        assert run.code == 3
        assert "--ssh NODE" in run.err

    def test_progress_is_a_line_for_each(self, ask):
        run = ask("diagnose", "--ssh", "elm-1", "--ssh", "shut")
        assert "calivet: asking the nodes themselves over ssh (2)\n" in run.err
        assert "calivet: elm-1: answered in " in run.err
        assert "calivet: shut: connection refused: no ssh server listens there\n" in run.err

    def test_in_chinese(self, ask):
        run = ask("diagnose", "--lang", "zh", "--ssh", "shut")
        assert "calivet: shut：连接被拒绝" in run.err
        assert "probes/shut.txt\n   连接被拒绝" in run.out


class TestCtrlC:
    @pytest.fixture(autouse=True)
    def heard(self):
        """Also where the suite was started in the background, with SIGINT ignored."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    @pytest.fixture
    def pressed(self, ask, machines, monkeypatch):
        """The operator presses it so many times when one machine has answered and the other is in the midst of it."""
        waits = machines.folder / "stuck-waits"
        waits.unlink(missing_ok=True)
        told = Progress.step

        def asked(times):
            def step(self, name, says=""):
                told(self, name, says)
                while name == "elm-1" and not waits.exists():
                    time.sleep(0.01)
                for _ in range(times if name == "elm-1" else 0):
                    signal.raise_signal(signal.SIGINT)

            monkeypatch.setattr(Progress, "step", step)
            return ask("diagnose", "--ssh", "elm-1", "stuck", "-o", "json")

        return asked

    def test_the_answer_is_from_what_has_arrived(self, pressed):
        run = pressed(1)
        assert run.code == 2, run.err
        assert "interrupted: the answer is based on what has arrived so far" in run.err
        assert {one["artifact"] for one in answer(run)["sources"]} == {"probes/elm-1.txt", "probes/stuck.txt"}
        assert "interrupted; what came before that is kept" in [item["why"] for item in answer(run)["not_seen"]]

    def test_the_second_time_it_ends_calivet(self, pressed):
        run = pressed(2)
        assert (run.code, run.out) == (130, "")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class TestCollect:
    def test_what_a_bundle_holds_gives_the_same_answer(self, ask, tmp_path):
        live = ask("diagnose", "--ssh", "elm-1", "shut", "-o", "json")
        path = tmp_path / "bundle.tar.gz"
        run = ask("collect", "--ssh", "elm-1", "shut", "-o", path)
        assert run.code == 0, run.err
        assert {name.partition("/")[2] for name in texts(path)} == {
            "calivet-manifest.json",
            "probes/elm-1.txt",
            "ssh.txt",
        }
        stored = ask("diagnose", path, "-o", "json")
        assert answer(stored)["not_seen"] == answer(live)["not_seen"]
        assert [one["artifact"] for one in answer(stored)["sources"]] == [
            one["artifact"] for one in answer(live)["sources"]
        ]

    def test_an_anonymised_one_names_no_machine(self, ask, tmp_path):
        path = tmp_path / "bundle.tar.gz"
        assert ask("collect", "--anonymize", "--ssh", "elm-1", "shut", "-o", path).code == 0
        text = "".join(f"{name}\n{content}" for name, content in texts(path).items())
        assert not re.search("elm-1|birch-77", text)


class TestArguments:
    @pytest.mark.parametrize(
        "words",
        [
            ["--ssh", "-oProxyCommand=id"],
            ["--ssh", "a;b"],
            ["--ssh"],
            ["--ssh", "a", "--ssh-user", "-l"],
            ["--ssh", "a", "--ssh-parallel", "0"],
            ["--ssh", "a", "--ssh-timeout", "never"],
        ],
    )
    def test_what_cannot_be_meant_is_wrong_usage(self, words):
        assert calivet("diagnose", *words).code == 64
