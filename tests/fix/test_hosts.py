"""Commands on machines go over a real ssh; who cannot be reached is said so."""

from __future__ import annotations

import os
from threading import Event

import pytest

from calivet.fix.hosts import HostError, SshHosts, may_become_root
from tests.node.sshd import UnavailableError, free_port, opened

SECONDS = 60.0


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    try:
        with opened(tmp_path_factory.mktemp("ssh")) as made:
            made.entry("oak elm", IdentityFile=made.folder / "plain")
            made.entry("gone", Port=free_port())
            made.machine("cut", 'sh -c "$SSH_ORIGINAL_COMMAND" & sleep 0.5; kill -KILL $PPID')
            yield made
    except UnavailableError as why:
        pytest.skip(f"ssh is not tested: {why}")


@pytest.fixture
def hosts(site, monkeypatch):
    monkeypatch.setenv("PATH", f"{site.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return SshHosts({"node-1": ("gone", "oak"), "node-2": ("gone",)}, Event())


def test_a_script_runs_with_its_input_and_its_exit_code(hosts):
    answer = hosts.run("oak", "cat; echo 'a  \"b\"' >&2; exit 7", b"given\n\x00", SECONDS)
    assert (answer.code, answer.out) == (7, b"given\n\x00")
    assert 'a  "b"' in answer.errors


def test_a_node_is_reached_by_the_first_of_its_names_that_works(hosts):
    assert hosts.run("node-1", "echo here", b"", SECONDS).out == b"here\n"


def test_who_cannot_be_reached_is_said_so(hosts):
    with pytest.raises(HostError, match="node-2 was not reached over ssh"):
        hosts.run("node-2", "true", b"", SECONDS)


def test_a_command_that_does_not_end_is_given_up(hosts):
    hosts.run("oak", "true", b"", SECONDS)
    with pytest.raises(HostError, match="did not finish within 1 s"):
        hosts.run("oak", "sleep 600", b"", 1.0)


def test_whether_sudo_works(hosts):
    assert may_become_root(hosts, "oak", SECONDS) is (os.geteuid() == 0 or may_become_root(hosts, "elm", SECONDS))


def test_a_connection_that_is_cut_in_the_middle_is_no_answer(site, hosts):
    """The command has begun and has said something: how far it came, nobody knows."""
    mark = site.folder / "begun"
    with pytest.raises(HostError, match="cut was not reached"):
        hosts.run("cut", f"echo calivet; touch {mark}; echo more; sleep 5", b"", SECONDS)
    assert mark.exists()


@pytest.mark.parametrize("script", ["exit 255", "echo said; exit 255", "(exit 255)"])
def test_a_command_may_end_as_ssh_does(hosts, script):
    assert hosts.run("oak", script, b"", SECONDS).code == 255
