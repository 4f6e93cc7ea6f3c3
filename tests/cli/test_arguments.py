from __future__ import annotations

import pytest

from calivet.cli.command_table import build_parser, insert_command
from calivet.cli.parsing.options import parse_seconds, parse_whole_seconds
from tests.cli.running import calivet


class TestShortForms:
    @pytest.mark.parametrize(
        ("typed", "meant"),
        [
            ([], ["diagnose"]),
            (["--context", "lab"], ["diagnose", "--context", "lab"]),
            (["-o", "json"], ["diagnose", "-o", "json"]),
            (["-"], ["diagnose", "-"]),
            (["./notes.md"], ["diagnose", "./notes.md"]),
            (["status"], ["status"]),
            (["--version"], ["--version"]),
            (["--help"], ["--help"]),
            (["fly"], ["fly"]),
        ],
    )
    def test_without_a_command_it_diagnoses(self, typed, meant):
        assert insert_command(typed) == meant

    def test_a_file_needs_no_command(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "notes.md").write_text("x")
        assert insert_command(["notes.md"]) == ["diagnose", "notes.md"]


class TestTimes:
    @pytest.mark.parametrize(
        ("typed", "meant"), [("20", 20), ("20s", 20), ("1m30s", 90), ("2h", 7200), ("1d", 86400), ("500ms", 0.5)]
    )
    def test_as_people_write_them(self, typed, meant):
        assert parse_seconds(typed) == meant

    def test_whole_seconds_are_never_none(self):
        assert parse_whole_seconds("200ms") == 1

    @pytest.mark.parametrize("typed", ["", "soon", "0", "-5s", "5 s", "5x", "1h-2m"])
    def test_nonsense_is_refused(self, typed, capsys):
        with pytest.raises(SystemExit) as ended:
            build_parser().parse_args(["diagnose", f"--since={typed}"])
        assert ended.value.code == 64
        assert "--since" in capsys.readouterr().err


class TestClusterOptions:
    def test_they_are_kubectls(self):
        options = build_parser().parse_args(
            [
                "diagnose",
                "--kubeconfig",
                "f",
                "--context",
                "c",
                "--request-timeout",
                "1m",
                "--as",
                "eve",
                "--as-group",
                "ops",
            ]
        )
        assert (options.kubeconfig, options.context, options.request_timeout) == ("f", "c", 60)
        assert (options.impersonate, options.groups) == ("eve", ["ops"])

    def test_nodes_add_up(self):
        assert build_parser().parse_args(["status", "--node", "a", "--node", "b"]).node == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["--lang", "zh", "status"], ["status", "--lang", "zh"]),
        (["--lang=zh", "explain", "host-oom"], ["explain", "--lang=zh", "host-oom"]),
        (["--context", "status"], ["diagnose", "--context", "status"]),
        (["--context", "prod", "notes.txt"], ["diagnose", "--context", "prod", "notes.txt"]),
    ],
)
def test_options_may_stand_before_the_command(arguments, meant):
    assert insert_command(arguments) == meant


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--brief", "status"], "status: no such file; the command comes first: 'calivet status ...'"),
        (["--lang", "zh", "daignose"], "daignose：文件不存在；命令要写在最前面：'calivet diagnose ...'"),
        (["collect", "bundle.tar.gz"], "unrecognized arguments: bundle.tar.gz (try 'calivet collect --help')"),
        (["status", "--forse"], "unrecognized arguments: --forse (try 'calivet status --help')"),
    ],
)
def test_what_is_at_the_wrong_place_is_told_where_it_belongs(arguments, says):
    assert says in calivet(*arguments).err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["diagnse", "x"], "there is no command diagnse; did you mean diagnose?"),
        (["frobnicate"], "there is no command frobnicate; there are diagnose, node, "),
        (["-n", "kube-system"], "leave out -n and -A"),
        (["status", "--all-namespaces"], "leave out -n and -A"),
        (["diagnse", "--lang", "zh"], "没有命令 diagnse；是否指 diagnose？"),
    ],
)
def test_what_is_often_typed_by_mistake(arguments, says):
    run = calivet(*arguments)
    assert run.code == 64
    assert says in run.err
    assert "__complete" not in run.err
