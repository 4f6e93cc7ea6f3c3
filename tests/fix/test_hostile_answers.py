"""What a cluster answers never becomes a command, an option or a login, in any command of the catalogue that logs in.

A kubelet names its own address as it likes, and whoever may write a map may write anything into it.
"""

from __future__ import annotations

import re
from threading import Event

import pytest

from calivet.fix.broker import split_ssh
from calivet.fix.hosts import Answer
from calivet.fix.shell import Shell
from calivet.messages.command_line import COMMAND_PLACE, LOOKUPS, fill_command, fill_for_nodes, is_machine
from tests.shipped import load_shipped_catalogue

HOSTILE = (
    "10.0.0.5 '; touch evil; '",
    '10.0.0.5"; touch evil; "',
    "10.0.0.5\ntouch evil",
    "$(touch evil)",
    "-oProxyCommand=touch evil",
    "evil@evil.example",
    "10.0.0.5 --endpoint-url=https://evil.example",
)
VALUES = {
    "node": "alder",
    "control_plane": "oak",
    "namespace": "kube-system",
    "daemonset": "calico-node",
    "selector": "k8s-app=calico-node",
    "api_group": "crd.projectcalico.org",
}
_FROM_CLUSTER = re.compile(r"(?<!\\)\$\(kubectl|\{(?:" + "|".join(LOOKUPS) + r")\}")
CHECKED = (".metadata.name", ".subsets", ".clusterIP", ".podIP", ".hostIP")
"""Names and addresses: the API server itself takes nothing else there."""


def list_commands() -> list[str]:
    """Those that log in somewhere and hold something that kubectl has printed, their other places filled."""
    causes = load_shipped_catalogue().causes.values()
    templates = [getattr(step, name) for cause in causes for step in cause.fix for name in ("run", "save", "undo")]
    templates += [check.run for cause in causes for check in cause.verify]
    wanted = sorted({one for one in templates if "ssh " in one and _FROM_CLUSTER.search(one)})
    return [fill_for_nodes(one, [_name_all(one)]) for one in wanted]


def _name_all(template: str) -> dict[str, str]:
    others = set(COMMAND_PLACE.findall(template)) - LOOKUPS.keys()
    return dict.fromkeys(others, "plain") | VALUES


def run_all(commands: list[str], printed: str, folder) -> tuple[bytes, list[list[str]]]:
    """Everything that they print, and how they log in, where kubectl prints this."""
    logins: list[list[str]] = []

    def handle(program: str, arguments: list[str], _given: bytes) -> Answer:
        if program == "ssh":
            logins.append(arguments)
            return Answer(0, b"", "")
        is_checked = any(field in word for field in CHECKED for word in arguments)
        return Answer(0, b"10.96.0.1" if is_checked else printed.encode(), "")

    script = "\n".join(f"( {command}\n)" for command in commands)
    return Shell(Event(), 120.0).run(script, folder, handle).out, logins


@pytest.mark.parametrize("printed", HOSTILE)
def test_a_lookup_finds_plain_words_alone(printed, tmp_path):
    lookups = [fill_command(one, _name_all(one)) for one in LOOKUPS.values()]
    found, _ = run_all([f'echo "<$({lookup})>"' for lookup in lookups], printed, tmp_path)
    lines = found.decode().splitlines()
    assert len(lines) == len(lookups)
    assert [line for line in lines if not re.fullmatch(r"<(?:[\w.:/,][\w.:/,-]*)?>", line)] == []


@pytest.mark.parametrize("printed", HOSTILE[:5])
def test_no_machine_is_told_what_the_cluster_says(printed, tmp_path):
    commands = list_commands()
    assert len(commands) > 5
    _, logins = run_all(commands, printed, tmp_path)
    assert len(logins) >= len(commands) - 2
    for arguments in logins:
        machine, script = split_ssh(arguments)
        assert arguments[0] == machine, arguments
        assert is_machine(machine), arguments
        assert "evil" not in script, arguments
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("name", ["root@evil.example", "ssh://evil.example", "-oProxyCommand=evil", "a/b", "a:22"])
def test_a_node_is_a_machine_and_nobodys_account(name):
    command = fill_command("ssh {node} sudo systemctl restart kubelet", {"node": name})
    assert command == "ssh <node> sudo systemctl restart kubelet"
    assert fill_for_nodes("ssh {node} reboot", [{"node": name}]) == "reboot"
    several = fill_for_nodes("ssh {node} reboot", [{"node": "alder"}, {"node": name}, {"node": "oak"}])
    assert several == 'for node in alder oak; do ssh "$node" sudo reboot; done'


@pytest.mark.parametrize("name", ["../../kubernetes/admin.conf", "x/../../y", "..", "/etc/cni/net.d/.."])
def test_a_name_leads_out_of_no_folder(name):
    assert fill_command("mv /etc/cni/net.d/{file} /root/", {"file": name}) == "mv /etc/cni/net.d/<file> /root/"
    assert fill_command("mv /etc/cni/net.d/{file} /root/", {"file": "10-a..b.conf"}).endswith("10-a..b.conf /root/")
