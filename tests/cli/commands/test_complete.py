"""What completes where: everything the parser knows, and names from kubeconfig, catalogue, demos and cluster."""

from __future__ import annotations

import argparse
import sys
import threading
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.catalogue.load import SHARED, read_shipped_files
from calivet.cli.command_table import COMMANDS, build_parser
from calivet.cli.commands import complete
from calivet.cli.commands.complete import Also, complete_words
from calivet.cli.commands.demo import read_titles
from tests.cli.running import calivet

ARN = "arn:aws:eks:eu-west-1:123456789012:cluster/harbour"
KUBECONFIG = f"""
apiVersion: v1
kind: Config
current-context: admin@quay
contexts:
- {{name: admin@quay, context: {{cluster: quay, user: admin}}}}
- {{name: "{ARN}", context: {{cluster: harbour, user: eks}}}}
"""
PUBLIC = [name for name in COMMANDS if not name.startswith("_")]


def values(*words: str) -> list[str]:
    found, _ = complete_words(words)
    return [candidate.value for candidate in found]


def also(*words: str) -> Also:
    return complete_words(words)[1]


@pytest.fixture
def kubeconfig(tmp_path, monkeypatch):
    file = tmp_path / "config"
    file.write_text(KUBECONFIG, encoding="utf-8")
    monkeypatch.setenv("KUBECONFIG", str(file))
    return file


def test_commands_come_with_what_they_do():
    found, rest = complete_words([""])
    assert [candidate.value for candidate in found] == PUBLIC
    assert all(candidate.says for candidate in found)
    assert rest is Also.NOTHING


def test_the_command_for_shells_is_not_offered():
    assert values("__") == []


@pytest.mark.parametrize("command", PUBLIC)
def test_each_command_completes_each_of_its_options(command):
    (commands,) = [action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)]
    known = {name for action in commands.choices[command]._actions for name in action.option_strings}
    assert set(values(command, "-")) == known
    assert set(values(command, "--")) == {name for name in known if name.startswith("--")}


def test_without_a_command_the_options_of_diagnose_fit_beside_those_of_calivet():
    offered = values("--")
    assert {"--version", "--context", "--lang"} <= set(offered)
    assert len(offered) == len(set(offered))
    assert values("--lang", "") == ["en", "zh"]


@pytest.mark.parametrize("typed", [("--lang", "z"), ("--lang=z",), ("-v", "--lang", "z"), ("-ojson", "--la=z")])
def test_choices_complete_however_the_option_is_written(typed):
    assert values("diagnose", *typed) == ["zh"]


def test_a_value_is_not_taken_for_a_command():
    assert values("--context", "d") == []
    assert "--watch" in values("status", "--context", "demo", "--w")


def test_contexts_are_those_of_the_kubeconfig(kubeconfig):
    found, rest = complete_words(["--context", ""])
    assert [tuple(candidate) for candidate in found] == [("admin@quay", "cluster quay"), (ARN, "cluster harbour")]
    assert rest is Also.NOTHING
    assert values("collect", "--context=arn:aws") == [ARN]


def test_the_first_file_of_a_list_that_names_a_context_counts(kubeconfig, tmp_path, monkeypatch):
    second = tmp_path / "second"
    second.write_text("contexts: [{name: admin@quay, context: {cluster: other}}, {name: lab, context: {cluster: lab}}]")
    monkeypatch.setenv("KUBECONFIG", f"{kubeconfig}:{tmp_path / 'absent'}:{second}")
    found, _ = complete_words(["--context", ""])
    assert [tuple(candidate) for candidate in found] == [
        ("admin@quay", "cluster quay"),
        (ARN, "cluster harbour"),
        ("lab", "cluster lab"),
    ]


@pytest.mark.parametrize("named", ["~/other", "$HOME/other", "{home}/other"])
def test_a_kubeconfig_on_the_line_goes_first(kubeconfig, tmp_path, monkeypatch, named):
    (tmp_path / "other").write_text("contexts: [{name: lab}]")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert values("--kubeconfig", named.format(home=tmp_path), "--context", "") == ["lab"]


@pytest.mark.parametrize("content", ["", "contexts: 7", "contexts: [{name: [a]}]", "}{", "a: &a [*a]", "\0"])
def test_a_broken_kubeconfig_completes_nothing(kubeconfig, content):
    kubeconfig.write_text(content)
    assert complete_words(["--context", ""]) == ([], Also.NOTHING)


def test_a_name_that_would_spoil_the_terminal_is_left_out(kubeconfig):
    kubeconfig.write_text('contexts: [{name: "red\\e[31m"}, {name: "two\\nlines"}, {name: plain}]')
    assert values("--context", "") == ["plain"]


def test_causes_come_with_their_titles_in_the_language_asked_for():
    assert values("explain", "") == sorted(
        name.removesuffix(".yaml") for name in read_shipped_files() if name not in SHARED
    )
    (english,), _ = complete_words(["explain", "kubelet-swap"])
    (chinese,), _ = complete_words(["explain", "--lang", "zh", "kubelet-swap"])
    assert english.value == chinese.value == "kubelet-swap-on"
    assert english.says.isascii()
    assert not chinese.says.isascii()


def test_a_cause_of_ones_own_is_among_them(tmp_path):
    shipped = read_shipped_files()["kubelet-swap-on.yaml"].decode()
    (tmp_path / "swap-at-home.yaml").write_text(shipped.replace("id: kubelet-swap-on", "id: swap-at-home", 1))
    assert values("explain", "--causes", str(tmp_path), "swap") == ["swap-at-home"]


def test_demo_completes_one_incident():
    assert values("demo", "") == list(read_titles())
    assert values("demo", "stuck-in-init", "") == []


@pytest.mark.parametrize(
    "typed", [("diagnose", ""), ("diagnose", "a.log", ""), ("./no",), ("bundle",), ("collect", "-o", "")]
)
def test_files_are_left_to_the_shell(typed):
    assert complete_words(typed) == ([], Also.FILES)


@pytest.mark.parametrize("typed", [("eval", ""), ("diagnose", "--causes="), ("explain", "--causes", "own")])
def test_folders_are_left_to_the_shell(typed):
    assert complete_words(typed) == ([], Also.FOLDERS)


@pytest.mark.parametrize(
    "typed", [("no-such-command", ""), ("no-such-command", "-"), ("--since", ""), ("demo", "--", "-")]
)
def test_where_nothing_is_known_nothing_is_offered(typed):
    assert complete_words(typed) == ([], Also.NOTHING)


def cluster_with(monkeypatch, node_names) -> None:
    monkeypatch.setitem(sys.modules, "calivet.live.overview", SimpleNamespace(list_node_names=node_names))
    monkeypatch.setattr("calivet.cli.inputs.cluster.make_access", lambda options: options)


def test_nodes_are_asked_for_as_the_line_says(monkeypatch):
    cluster_with(monkeypatch, lambda asked: [f"{asked.context}-w1", f"{asked.context}-w2", *asked.groups])
    typed = ("status", "--context", "quay", "--as-group", "crew", "--as-group", "mates", "--node", "")
    assert values(*typed) == ["quay-w1", "quay-w2", "crew", "mates"]


def test_a_cluster_that_does_not_answer_does_not_hold_up_the_shell(monkeypatch):
    never = threading.Event()
    cluster_with(monkeypatch, lambda asked: never.wait() and [])
    monkeypatch.setattr(complete, "NODES_DEADLINE", 0.01)
    assert complete_words(["--node", ""]) == ([], Also.NOTHING)
    never.set()


def test_a_cluster_that_fails_is_silent(monkeypatch, capfd):
    cluster_with(monkeypatch, lambda asked: 1 / 0)
    assert complete_words(["--node", ""]) == ([], Also.NOTHING)
    assert capfd.readouterr() == ("", "")


def test_the_answer_has_the_form_that_kubectl_reads():
    run = calivet("__complete", "--", "diagnose", "--lang", "")
    assert (run.code, run.out, run.err) == (0, "en\nzh\n:4\n", "")
    assert calivet("__complete", "--", "diagnose", "--verb").out.startswith("--verbose\talso what")
    assert calivet("__complete", "--", "demo", "--", "--verb").out == ":4\n"
    assert calivet("__complete", "--", "completion", "").out.split() == ["bash", "zsh", "fish", "kubectl", ":4"]
    assert calivet("__complete", "--").out == calivet("__complete", "--", "").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "kubectl"])
def test_every_script_asks_the_same_question(shell):
    run = calivet("completion", shell)
    assert run.code == 0
    assert "__complete -- " in run.out


@given(
    words=st.lists(
        st.sampled_from(["diagnose", "demo", "--", "-", "-o", "--lang", "--lang=", "=", "--node=x"]) | st.text()
    )
)
def test_no_line_is_too_odd(words):
    found, _ = complete_words([word for word in words if word != "--node"])
    assert all("\n" not in candidate.value + candidate.says for candidate in found)
