from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact, Document
from calivet.evidence.gather import gather_documents

LOG = ["2024-05-01 10:00:00.1 [INFO][1] x.go 1: hello", "2024-05-01 10:00:01.1 [INFO][1] x.go 1: hello"]
PROMPT = ["root@mill-7:~# uname -r", "5.15"]
NODES = ["$ kubectl get nodes", "NAME                STATUS   ROLES    AGE", "mill-7.corp.local   Ready    <none>   3d"]
PODS = [
    "$ kubectl get pods -o wide",
    "NAME   READY   IP         NODE     NOMINATED NODE",
    "a-1    0/1     10.0.0.1   mill-7   <none>",
]
JOURNAL = ["May  1 10:00:00 mill-7 kubelet[1]: E0501 10:00:00.1 1 x.go:1] no"]
DESCRIBED = ["Name:         a-1", "Node:         mill-7/10.0.0.7", "Namespace:    x"]


def gathered(files: dict[str, list[str]]) -> list[Artifact]:
    return gather_documents(Document(name, lines) for name, lines in files.items()).artifacts


def host_of(name: str, other: list[str]) -> str | None:
    return gathered({name: LOG, "zz-other.txt": other})[0].host


@pytest.mark.parametrize("other", [PROMPT, PODS, JOURNAL, DESCRIBED])
@pytest.mark.parametrize(
    "name", ["agent-mill-7.log", "mill-7.txt", "journal_mill-7.log", "MILL-7/agent.log", "a/mill-7/b/c.log"]
)
def test_a_name_counts_where_the_evidence_shows_the_host(name: str, other: list[str]) -> None:
    assert host_of(name, other) == "mill-7"


def test_the_short_name_of_a_known_host() -> None:
    assert host_of("agent-mill-7.log", NODES) == "mill-7.corp.local"


@pytest.mark.parametrize(
    "name", ["agent-4kz9q.log", "mill-77.log", "mill-7x.log", "agent.log", "pods/agent-1/main.log"]
)
def test_other_names_are_no_hosts(name: str) -> None:
    assert host_of(name, PROMPT) is None


def test_two_hosts_in_a_name_tell_nothing() -> None:
    assert host_of("from-mill-7-to-mill-8.log", [*PROMPT, "root@mill-8:~# date", "Mon"]) is None


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("node-4/kubelet.log", "node-4"),
        ("bundle.tar.gz/nodes/zeta/kubelet.log", "zeta"),
        ("hosts/zeta.corp/journal.log", "zeta.corp"),
        ("prod-worker-12/ip-addr.txt", "prod-worker-12"),
        ("sosreport-zeta-2024-05-01-abcdef/sos_commands/networking/ip_addr", "zeta"),
        ("ip-10-0-3-7.eu-west-1.compute.internal/agent.log", "ip-10-0-3-7.eu-west-1.compute.internal"),
        ("kube-system/agent.log", None),
        ("calico-node-1/agent.log", None),
        ("logs/agent.log", None),
    ],
)
def test_directories_that_plainly_are_hosts(name: str, host: str | None) -> None:
    assert host_of(name, ["$ date", "Mon"]) == host


def test_a_file_that_names_its_hosts_itself_is_left_alone() -> None:
    artifacts = gathered({"host-mill-7.txt": ["$ kubectl get ns", "NAME   STATUS", *PROMPT]})
    assert [part.host for part in artifacts] == [None, "mill-7"]


def test_labels_over_output() -> None:
    text = [
        "On mill-7:",
        "",
        "```",
        *LOG,
        "```",
        "",
        "and the log on mill-7 after we had changed all that:",
        "",
        "```",
        *LOG,
        "```",
        "",
        "root",
        "",
        "```",
        *PROMPT,
        "```",
    ]
    artifacts = [part for part in gathered({"note.md": text}) if not part.prose]
    assert [part.host for part in artifacts] == ["mill-7", None, "mill-7"]


def test_prose_has_no_host() -> None:
    assert [part.host for part in gathered({"mill-7.md": ["I do not know why."], "a.txt": PROMPT})] == [None, "mill-7"]


@pytest.mark.parametrize(
    "other",
    [
        ["Mar 11 10:00:01.511208 mill-7 kubenswrapper[1]: E0311 10:00:01.3 1 x.go:1] no"],
        ['                    "kubernetes.io/hostname": "mill-7",'],
    ],
)
def test_hosts_in_precise_journals_and_in_json(other: list[str]) -> None:
    assert host_of("agent-mill-7.log", other) == "mill-7"


@pytest.mark.parametrize(
    "name", ["mill-7-2025-03-11_10_21_07/x/agent.log", "mill-7-2025-03-11_10_21_07.tar.gz/agent.log"]
)
def test_the_full_name_of_a_machine_that_calls_itself_by_the_first(name: str) -> None:
    assert host_of(name, PROMPT) == "mill-7"
    artifacts = gathered({name: LOG, "a.txt": PROMPT, "b.txt": NODES})
    assert artifacts[0].host == "mill-7.corp.local"
