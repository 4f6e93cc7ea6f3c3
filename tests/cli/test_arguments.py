from __future__ import annotations

import pytest

from calivet.cli.arguments import parser
from calivet.cli.commands import with_command
from calivet.cli.quantities import seconds, whole_seconds


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
        assert with_command(typed) == meant

    def test_a_file_needs_no_command(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "notes.md").write_text("x")
        assert with_command(["notes.md"]) == ["diagnose", "notes.md"]


class TestTimes:
    @pytest.mark.parametrize(
        ("typed", "meant"), [("20", 20), ("20s", 20), ("1m30s", 90), ("2h", 7200), ("1d", 86400), ("500ms", 0.5)]
    )
    def test_as_people_write_them(self, typed, meant):
        assert seconds(typed) == meant

    def test_whole_seconds_are_never_none(self):
        assert whole_seconds("200ms") == 1

    @pytest.mark.parametrize("typed", ["", "soon", "0", "-5s", "5 s", "5x", "1h-2m"])
    def test_nonsense_is_refused(self, typed, capsys):
        with pytest.raises(SystemExit) as ended:
            parser().parse_args(["diagnose", f"--since={typed}"])
        assert ended.value.code == 64
        assert "--since" in capsys.readouterr().err


class TestClusterOptions:
    def test_they_are_kubectls(self):
        options = parser().parse_args(
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
        assert parser().parse_args(["status", "--node", "a", "--node", "b"]).node == ["a", "b"]
