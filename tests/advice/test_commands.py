"""Every command of every cause, as it is printed on every platform, is taken by the parser of its own program."""

from __future__ import annotations

import pytest

from tests.advice.parsers import find_complaints
from tests.advice.platforms import TEXTS
from tests.advice.rendering import render_cause, render_question
from tests.advice.shell import find_dead_lookup
from tests.shipped import load_shipped_catalogue

CATALOGUE = load_shipped_catalogue()
# What was asked for one platform is known for the next.
pytestmark = pytest.mark.xdist_group("commands")


def list_all(platform: str) -> list[str]:
    """The commands of all causes and questions there."""
    rendered = [
        one for cause in CATALOGUE.causes.values() for known in (True, False)
        for one in render_cause(cause, platform, known=known)
    ]  # fmt: skip
    rendered += [render_question(question, platform) for question in CATALOGUE.questions.values()]
    return [one.command for one in rendered]


@pytest.mark.parametrize("platform", TEXTS)
def test_every_command_is_taken_by_its_parser(platform):
    commands = list_all(platform)
    assert len(commands) > len(CATALOGUE.causes)
    assert find_complaints(commands) == {}
    assert [command for command in commands if find_dead_lookup(command)] == []


@pytest.mark.parametrize(
    "command",
    [
        "kubectl rollout restart deployment -A",
        "kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name}<end>'",
        "kubectl get pods -o jsonpath='{.items[*}'",
        "ssh n1 \"sudo sh -c 'kubectl get pods --tial=3'\"",
        "kubectl patch felixconfiguration default -p '{\"spec\":{'",
        "echo 'never closed",
        "kubectl delete node $(kubectl get nodes --newest)",
        "firewall-cmd --permanent --add-protocol=ipip",
    ],
)
def test_a_command_that_is_wrong_is_found(command):
    assert list(find_complaints(["kubectl get pods", command])) == [command.replace("<end>", "gap")]
