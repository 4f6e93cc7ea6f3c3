"""Each command, its exit code, and what it puts where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calivet import __version__
from calivet.cli.commands.demo import read_titles
from calivet.reports.layout.wrapping import measure_width
from tests.cli.running import calivet, process, write
from tests.corpus_answers import CORPUS

SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
HEADER = "[root@birch-1 ~]# kubectl -n kube-system get pods -o wide\nNAME                READY   STATUS    RESTARTS   AGE   IP           NODE      NOMINATED NODE   READINESS GATES\n"
HEALTHY = (
    HEADER + "calico-node-7tq4n   1/1     Running   0          9d    10.71.0.12   birch-2   <none>           <none>\n"
)
UNREADY = HEALTHY.replace("1/1 ", "0/1 ")


class TestDiagnose:
    @pytest.mark.parametrize(
        ("text", "code", "verdict"),
        [
            (HEALTHY, 0, "healthy"),
            (SWAP, 1, "fault"),
            (UNREADY, 2, "insufficient"),
            ("dear diary\n", 2, "insufficient"),
        ],
    )
    @pytest.mark.parametrize("output", ["text", "json", "md"])
    def test_the_exit_code_says_the_verdict(self, tmp_path, text, code, verdict, output):
        run = calivet("diagnose", write(tmp_path, evidence_txt=text), "-o", output)
        assert run.code == code
        assert run.err == ""
        if output == "json":
            assert json.loads(run.out)["verdict"] == verdict

    def test_json_is_one_document_and_nothing_else(self, tmp_path):
        run = process("diagnose", write(tmp_path, kubelet_log=SWAP), "-o", "json")
        tree, end = json.JSONDecoder().raw_decode(run.out)
        assert run.out[end:] == "\n"
        assert tree["calivet"] == __version__
        assert tree["findings"][0]["cause"] == "kubelet-swap-on"

    def test_width_and_verbose(self, tmp_path):
        write(tmp_path, kubelet_log=SWAP)
        narrow = calivet("diagnose", tmp_path, "--width", 72).out.splitlines()
        wide = calivet("diagnose", tmp_path, "--width", 118).out.splitlines()
        assert len(narrow) > len(wide)
        assert "Recognised" in calivet("diagnose", tmp_path, "-v").out

    def test_no_colour_into_a_pipe(self, tmp_path):
        assert "\x1b" not in process("diagnose", write(tmp_path, kubelet_log=SWAP), environment={"TERM": "xterm"}).out

    @pytest.mark.parametrize("width", ["39", "0", "-5", "wide", "1e3", ""])
    def test_a_width_that_is_none(self, width):
        run = calivet("diagnose", "x", f"--width={width}")
        assert run.code == 64
        assert "--width" in run.err

    def test_a_sick_pod_alone_is_said_and_asked_about(self, tmp_path):
        tree = json.loads(calivet("diagnose", write(tmp_path, pods_txt=UNREADY), "-o", "json").out)
        assert tree["next"]
        assert "nothing in the evidence shows Calico's state" not in calivet("diagnose", tmp_path).out

    @pytest.mark.parametrize(
        ("encoding", "output"), [("ascii", "text"), ("latin-1", "text"), ("ascii", "md"), ("gbk", "md")]
    )
    def test_a_terminal_that_does_not_speak_utf8(self, tmp_path, encoding, output):
        write(tmp_path, kubelet_log=SWAP + "2024-01-01 节点 ✓ swap\n")
        run = process("diagnose", tmp_path, "-o", output, "--lang", "zh", environment={"PYTHONIOENCODING": encoding})
        assert run.code == 1
        assert "bug" not in run.err

    @pytest.mark.parametrize("output", ["json"])
    def test_a_file_name_that_is_not_utf8(self, tmp_path, output):
        (tmp_path / b"kubelet-\xff.log".decode("utf-8", "surrogateescape")).write_text(SWAP)
        assert process("diagnose", tmp_path, "-o", output).code == 1


class TestDemo:
    def test_the_list_names_every_incident(self):
        run = calivet("demo", "--list")
        assert run.code == 0
        assert [line.split()[0] for line in run.out.splitlines() if line[0] != " "] == list(read_titles())

    def test_the_list_in_chinese(self):
        run = calivet("demo", "--list", "--lang", "zh", "--width", "200")
        assert all(title["zh"] in run.out for title in read_titles().values())

    def test_without_a_name_the_first_is_shown_and_more_are_pointed_to(self):
        run = calivet("demo")
        first = next(iter(read_titles()))
        assert run.err.startswith(first)
        assert "calivet demo --list" in run.err
        assert first not in run.out

    def test_an_unknown_incident(self):
        run = calivet("demo", "no-such-thing")
        assert (run.code, run.out) == (3, "")
        assert "no-such-thing" in run.err
        assert "stuck-in-init" in run.err

    def test_json_is_clean(self):
        run = calivet("demo", "stuck-in-init", "-o", "json")
        assert run.err == ""
        assert json.loads(run.out)["verdict"] == "fault"


class TestConsulting:
    def test_causes_by_layer(self):
        run = calivet("causes")
        assert run.code == 0
        assert "kubelet\n" in run.out
        assert any(line.startswith("  kubelet-swap-on ") for line in run.out.splitlines())

    def test_causes_as_json(self):
        causes = json.loads(calivet("causes", "-o", "json").out)
        assert len(causes) > 40
        assert {"id", "layer", "title", "signs", "fix"} <= causes[0].keys()
        assert {"en", "zh"} == causes[0]["title"].keys()
        assert causes == sorted(causes, key=lambda cause: (cause["layer"], cause["id"]))

    @pytest.mark.parametrize("width", [60, 80])
    def test_explain_is_wrapped_and_begins_with_what_to_do(self, width):
        run = calivet("explain", "kubelet-swap-on", "--width", width)
        assert run.code == 0
        headings = [line for line in run.out.splitlines() if line and line[0].isupper()]
        assert headings.index("Fix") < headings.index("How to recognise it")
        assert "systemctl restart <kubelet-unit>" in run.out
        assert "{" not in run.out
        prose = [
            line
            for line in run.out.splitlines()
            if not line.strip().startswith(("ssh", "kubectl", "first save", "undo", "http"))
        ]
        assert all(measure_width(line) <= width for line in prose)

    def test_one_case_is_evaluated_alone(self):
        run = calivet("eval", Path(__file__).parents[2] / "corpus" / "a001")
        assert run.code == 0
        assert "1/1 (100.0%)" in run.out

    def test_what_has_a_dot_is_a_file_and_no_command(self):
        run = calivet("bundel.tar.gz")
        assert run.code == 3
        assert "bundel.tar.gz: no such file" in run.err

    def test_explain(self):
        run = calivet("explain", "kubelet-swap-on", "-o", "md")
        assert run.code == 0
        assert run.out.startswith("# ")
        assert "`kubelet-swap-on`" in run.out

    @pytest.mark.parametrize(
        ("name", "hint"),
        [
            ("kubelet-swap", "did you mean kubelet-swap-on"),
            ("node-overlod", "node-overload"),
            ("swap", "did you mean kubelet-swap-on?"),
            ("swapon", "did you mean kubelet-swap-on?"),
            ("OOM", "did you mean host-oom?"),
            ("kubelet_swap_on", "did you mean kubelet-swap-on"),
            ("xyzzy", "'calivet causes' lists them"),
        ],
    )
    def test_explain_a_near_miss(self, name, hint):
        run = calivet("explain", name)
        assert (run.code, run.out) == (3, "")
        assert f"there is no cause named {name}" in run.err
        assert hint in run.err
        assert len(run.err.splitlines()) == 1


class TestEval:
    @pytest.fixture
    def corpus(self, tmp_path):
        for name, text, label in (("c1", SWAP, "kubelet-swap-on"), ("c2", HEALTHY, "healthy"), ("c3", SWAP, "healthy")):
            folder = tmp_path / name / "evidence"
            folder.mkdir(parents=True)
            write(folder, evidence_txt=text)
            write(tmp_path / name, expect_yaml=f"cause: {label}\n")
        return tmp_path

    def test_figures(self, corpus):
        run = calivet("eval", corpus)
        assert (run.code, run.err) == (0, "")
        assert "right first      2/3" in run.out
        assert "c3  expected healthy, said kubelet-swap-on" in run.out
        assert "false alarms     1" in run.out

    def test_figures_as_json(self, corpus):
        tree = json.loads(calivet("eval", corpus, "-o", "json").out)
        assert (tree["summary"]["cases"], tree["summary"]["first"]) == (3, 2)
        assert [one["case"] for one in tree["cases"]] == ["c1", "c2", "c3"]

    @pytest.mark.parametrize(("folder", "words"), [(".", "no cases found"), ("absent", "no such directory")])
    def test_a_folder_without_cases(self, tmp_path, folder, words):
        run = calivet("eval", tmp_path / folder)
        assert (run.code, run.out) == (3, "")
        assert words in run.err

    def test_a_broken_label(self, corpus):
        write(corpus / "c1", expect_yaml="cause: [a]\n")
        run = calivet("eval", corpus)
        assert run.code == 3
        assert "c1/expect.yaml" in run.err
        assert len(run.err.splitlines()) == 1


class TestUsage:
    @pytest.mark.parametrize(
        "arguments",
        [
            ("fly",),
            ("--since", "soon"),
            ("status", "--wait", "0s"),
            ("explain",),
            ("eval",),
            ("demo", "--lang", "fr"),
            ("causes", "-o", "md"),
        ],
    )
    def test_wrong_usage_is_one_line_with_a_code_of_its_own(self, arguments):
        run = calivet(*arguments)
        assert (run.code, run.out) == (64, "")
        assert len(run.err.strip().splitlines()) == 1
        assert "--help" in run.err

    def test_version_and_help(self):
        assert calivet("--version").out.strip() == f"calivet {__version__}"
        run = calivet("--help")
        assert run.code == 0
        assert run.out.startswith("usage: calivet ")
        assert "64 wrong usage" in run.out

    @pytest.mark.parametrize(
        ("program", "shown"),
        [("kubectl-calivet", "kubectl calivet"), ("calivet", "calivet"), ("__main__.py", "calivet")],
    )
    def test_the_name_it_was_called_by(self, program, shown):
        assert calivet("--help", program=program).out.startswith(f"usage: {shown} ")
        assert calivet("diagnose", "--help", program=program).out.startswith(f"usage: {shown} diagnose ")
        assert calivet("fly", program=program).err.startswith(f"{shown}: ")

    @pytest.mark.parametrize(
        ("environment", "chinese"),
        [({"LANG": "zh_CN.UTF-8"}, True), ({"LANG": "en_US.UTF-8"}, False), ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, False),
         ({"LANG": "C", "LC_MESSAGES": "zh_TW.UTF-8"}, True), ({"LANG": ""}, False)],
    )  # fmt: skip
    def test_the_language_of_the_environment(self, environment, chinese):
        assert ("节点" in calivet("demo", "--list", **environment).out) is chinese


def test_the_figures_of_an_evaluation_have_chinese_marks():
    run = calivet("eval", CORPUS / "a001", "--lang", "zh")
    assert "0/0；未下结论 0" in run.out
    assert "; " not in run.out
