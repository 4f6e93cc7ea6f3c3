"""Every command of the catalogue for a program that can be had here is taken by that program itself."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import pytest

from tests.advice.parsers import ask_parser
from tests.advice.real_programs import find_refusals, list_missing
from tests.advice.shell import fill_gaps, list_commands
from tests.advice.test_commands import list_all
from tests.e2e.bed import components
from tests.lab.machine import Machine
from tests.node.fake_node import obstacle

PLATFORMS = ("manifest", "operator", "nftables", "unknown")


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    if found := obstacle():
        pytest.skip(f"programs are not asked: {found}")
    made = Machine("parsers")
    yield made
    made.close()


def require(*programs: str) -> None:
    """scripts/test-lab installs them where it may."""
    if missing := sorted(set(programs) & set(list_missing())):
        pytest.skip(f"{', '.join(missing)} not installed (scripts/test-lab says how)")


@pytest.mark.parametrize("program", ["etcdctl", "firewall-cmd", "ip", "ipset", "iptables", "nft"])
def test_every_command_is_taken(machine, program):
    require(program)
    texts = {fill_gaps(command) for platform in PLATFORMS for command in list_all(platform) if program in command}
    commands = {tuple(words) for text in texts for words in list_commands(text) if words[0] == program}
    assert commands
    assert find_refusals(machine, commands) == {}


def test_calicoctl_takes_every_command():
    parser = components.require(components.find_calicoctl_parser, "calicoctl's parser cannot be had")
    texts = {
        fill_gaps(command)
        for platform in (*PLATFORMS, "etcd")
        for command in list_all(platform)
        if "calicoctl" in command
    }
    asked = sorted({tuple(words[1:]) for text in texts for words in list_commands(text) if words[0] == "calicoctl"})
    assert len(asked) > 10
    wrong = [("node", "state"), ("get", "ippool", "--show-blocks"), ("patch", "node", "n1", "extra", "-p", "{}")]
    answers = dict(zip([*asked, *wrong], ask_parser(parser, [*asked, *wrong]), strict=True))
    assert [" ".join(words) for words, said in answers.items() if said] == [" ".join(words) for words in wrong]


@pytest.mark.parametrize(
    "command",
    [
        "etcdctl defragment",
        "etcdctl endpoint status --table",
        "firewall-cmd --open-port=179/tcp",
        "firewall-cmd --permanent --add-port=179/tcp --add-protocol=4",
        "ip routes get 10.71.0.12",
        "ipset lst",
        "iptables -S INPUT --all",
        "nft show ruleset",
    ],
)
def test_what_is_wrong_is_refused(machine, command):
    words = tuple(shlex.split(command))
    require(words[0])
    assert list(find_refusals(machine, [words])) == [command]
