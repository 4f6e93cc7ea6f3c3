from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact
from calivet.readers.subject import find_machine_head, find_subjects


def _machine(command: str | None, host: str | None = "bastion") -> str | None:
    return find_subjects(Artifact(name="n", first=1, lines=["x"], host=host, command=command)).at(0)


@pytest.mark.parametrize(
    ("command", "machine"),
    [
        ("uptime", "bastion"),
        (None, "bastion"),
        ("ssh worker-7 uptime", "worker-7"),
        ("ssh -i /root/.ssh/id -o StrictHostKeyChecking=no core@worker-7 'free -m'", "worker-7"),
        ("sshpass -p secret ssh -p 2222 root@10.4.0.7 df -h", "10.4.0.7"),
        ("kubectl debug node/worker-7 -it --image=busybox -- chroot /host uptime", "worker-7"),
        ("kubectl get --raw /api/v1/nodes/worker-7/proxy/configz", "worker-7"),
        ("docker exec -it lab-control-plane crictl ps", "lab-control-plane"),
        ("vagrant ssh box2 -c uptime", "box2"),
        ("for n in a b; do ssh $n uptime; done", None),
        ("ansible all -m shell -a uptime", None),
        ("kubectl exec -n kube-system calico-node-x7k2p -- uname -r", None),
        ("sudo k3s kubectl get nodes", None),
    ],
)
def test_the_command_tells_whose_output_it_is(command: str | None, machine: str | None):
    assert _machine(command) == machine


@pytest.mark.parametrize(
    "head",
    [
        "worker-7 | CHANGED | rc=0 >>",
        "[2] 10:14:02 [SUCCESS] root@worker-7",
        "=== worker-7 ===",
        "----- worker-7 -----",
        "##### node: worker-7",
        ">>> worker-7",
    ],
)
def test_a_head_above_speaks_for_the_lines_below(head: str):
    found = find_subjects(
        Artifact(name="n", first=1, lines=["before", head, "below", "below"], host="bastion", command="x")
    )
    assert [found.at(index) for index in range(4)] == ["bastion", "worker-7", "worker-7", "worker-7"]


@pytest.mark.parametrize(
    "title", ["=== before ===", "--- step-2 ---", "==> /var/log/syslog <==", "-----------", "## 1.20"]
)
def test_a_title_is_no_machine(title: str):
    found = find_subjects(Artifact(name="n", first=1, lines=[title, "below"], host="bastion"))
    assert found.at(1) == "bastion"


def test_a_speaker_in_front_of_the_line_knows_best():
    found = find_subjects(Artifact(name="n", first=1, lines=["=== worker-7 ===", "below"], host="bastion"))
    assert found.at(1, "worker-8") == "worker-8"


def test_long_rules_cost_little():
    lines = ["-" * 100_000, "=" * 119 + "!", "-" * 60 + "a" + "-" * 58 + "!"] * 50
    assert find_subjects(Artifact(name="n", first=1, lines=lines, host="bastion")).at(140) == "bastion"


@given(st.from_regex(r"[ \t]?[-=#*>~+\[]{0,4}[ ]?[\w.\]-]{0,9}[ |:\d\[\]SUCEH>*=+-]{0,12}[\w.-]{0,6}", fullmatch=True))
def test_the_quick_look_misses_no_head(line: str) -> None:
    artifact = Artifact(name="n", first=1, lines=[line])
    head = find_machine_head(line)
    assert find_subjects(artifact).heads == (((0, head),) if head else ())
