"""`calivet diff`: what it takes, what it says, and its exit code."""

from __future__ import annotations

import json
import tarfile

import pytest

from tests.cli.running import calivet, process, write

HEAD = "[root@birch-1 ~]# kubectl -n kube-system get pods -o wide\nNAME                READY   STATUS    RESTARTS   AGE   IP           NODE      NOMINATED NODE   READINESS GATES\n"
WELL = HEAD + "calico-node-7tq4n   1/1     Running   0          9d    10.71.0.12   birch-1   <none>           <none>\n"
ILL = WELL.replace("1/1 ", "0/1 ")
SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
NODE = "[root@birch-1 ~]# journalctl -u kubelet\n"


@pytest.fixture
def evidence(tmp_path):
    """Folders by what they show."""
    texts = {"broken": ILL + NODE + SWAP, "well": WELL, "bare": "[root@birch-1 ~]# uptime\n 10:00:00 up 1 day\n"}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        write(tmp_path / name, session_txt=text)
    return tmp_path


def saved(evidence, name, *options):
    run = calivet("diagnose", evidence / name, "-o", "json", *options)
    path = evidence / f"{name}.json"
    path.write_text(run.out, "utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ("broken", "well", 0, "1 fixed, 0 new, 0 remaining, 0 not seen any more"),
        ("well", "well", 0, "nothing changed"),
        ("well", "broken", 1, "0 fixed, 1 new, 0 remaining, 0 not seen any more"),
        ("broken", "broken", 1, "0 fixed, 0 new, 1 remaining, 0 not seen any more"),
        ("broken", "bare", 2, "0 fixed, 0 new, 0 remaining, 1 not seen any more"),
        ("bare", "bare", 2, "nothing changed"),
    ],
)
def test_the_exit_code_says_how_the_new_one_stands(evidence, old, new, code, says):
    run = calivet("diff", evidence / old, evidence / new)
    assert (run.code, run.err) == (code, "")
    assert says in run.out


def test_a_diagnosis_says_the_same_as_its_evidence(evidence):
    straight = calivet("diff", evidence / "broken", evidence / "well", "-o", "json").out
    assert calivet("diff", saved(evidence, "broken"), saved(evidence, "well"), "-o", "json").out == straight


def test_a_diagnosis_in_the_other_language(evidence):
    run = calivet("diff", saved(evidence, "broken", "--lang", "zh"), evidence / "broken", "-o", "json")
    tree = json.loads(run.out)
    assert tree["components"] == []
    assert tree["remaining"][0]["title"] == "Swap keeps kubelet from starting"


def test_an_archive(evidence):
    with tarfile.open(evidence / "new.tar.gz", "w:gz") as archive:
        archive.add(evidence / "well", "well")
    assert calivet("diff", saved(evidence, "broken"), evidence / "new.tar.gz").code == 0


@pytest.mark.parametrize("form", ["json", "evidence"])
def test_standard_input(evidence, form):
    path = saved(evidence, "broken") if form == "json" else evidence / "broken" / "session.txt"
    run = process("diff", evidence / "well", "-", stdin=path.read_bytes())
    assert (run.code, run.err) == (1, "")
    assert "kubelet-swap-on" in run.out


@pytest.mark.parametrize("output", ["text", "json", "md"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_format_in_both_languages(evidence, output, language):
    run = calivet("diff", evidence / "broken", evidence / "well", "-o", output, "--lang", language)
    assert (run.code, run.err) == (0, "")
    assert "kubelet-swap-on" in run.out
    if output == "json":
        assert json.loads(run.out)["fixed"][0]["cause"] == "kubelet-swap-on"


class TestBadInput:
    def one_line(self, run, code):
        assert (run.code, run.out) == (code, "")
        (line,) = run.err.splitlines()
        return line

    def test_no_such_file(self, evidence):
        assert "absent.json: no such file" in self.one_line(calivet("diff", "absent.json", evidence / "well"), 3)

    def test_neither_diagnosis_nor_evidence(self, evidence):
        (evidence / "program").write_bytes(b"\x7fELF" + bytes(range(256)) * 40)
        line = self.one_line(calivet("diff", evidence / "well", evidence / "program"), 3)
        assert "diagnose -o json" in line

    def test_a_diagnosis_that_was_cut_short(self, evidence):
        (evidence / "cut.json").write_text(saved(evidence, "broken").read_text("utf-8")[:700], "utf-8")
        assert "cut.json" in self.one_line(calivet("diff", evidence / "cut.json", evidence / "well"), 3)

    def test_what_another_command_of_calivet_wrote(self, evidence):
        (evidence / "other.json").write_text(
            calivet("diff", evidence / "well", evidence / "well", "-o", "json").out, "utf-8"
        )
        assert "other.json" in self.one_line(calivet("diff", evidence / "other.json", evidence / "well"), 3)

    def test_what_a_newer_calivet_wrote(self, evidence):
        path = saved(evidence, "well")
        path.write_text(path.read_text("utf-8").replace('"schema": 1', '"schema": 9'), "utf-8")
        assert "newer" in self.one_line(calivet("diff", path, evidence / "well"), 3)

    def test_standard_input_twice(self):
        self.one_line(calivet("diff", "-", "-"), 64)

    def test_one_thing_alone(self, evidence):
        self.one_line(calivet("diff", evidence / "well"), 64)

    @pytest.mark.parametrize("path", ["absent.json", ""])
    def test_it_is_said_in_chinese(self, evidence, path):
        assert "可以比较的是" in self.one_line(calivet("diff", path, evidence / "well", "--lang", "zh"), 3)


def test_help_says_the_exit_codes():
    assert "Exit codes: 0 NEW is healthy" in " ".join(calivet("diff", "--help").out.split())


def test_files_complete():
    assert calivet("__complete", "--", "diff", "").out == ":0\n"
    assert calivet("__complete", "--", "diff", "old.json", "").out == ":0\n"
