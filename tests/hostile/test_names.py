"""Hostile names wherever evidence has names, through every command and format: none acts, and none becomes a command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calivet.reports.diagnosis.formats import FORMATS
from tests.cli.running import Run, calivet

SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
NAMES = {
    "substitution": "$(touch evil)",
    "backquotes": "`touch evil`",
    "second command": "a;touch evil;",
    "new line": "a\ntouch evil",
    "option": "--kubeconfig=evil",
    "short option": "-oProxyCommand=evil",
    "title": "a\x1b]0;evil\x07",
    "cleared": "a\x1b[2Jevil",
    "eight bits": "a\x9b2Jevil",
    "turned": "a\u202elive\u2066",
    "unseen": "evil\u200b\u2060",
    "quotes": "a'\";evil",
}
ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
OWN_COLOURS = re.compile(r"\x1b\[(?:0|[12]|3[1-6])(?:;(?:[12]|3[1-6]))*m")
SET_APART = re.compile(r"[\u2068\u2069]")
COMMAND = re.compile(r"^\W*(?:\d+\) )?(?:kubectl|calicoctl|ssh|calivet|crictl|ip|journalctl) ")
KEYS = {"run", "undo", "help", "command"}
MANIFEST = {"calivet": "0.1.0", "server": "x", "collected": "2026-11-15T00:00:00+00:00", "seconds": 1.0}
STRANGERS = (
    "kubectl get nodes -s https://evil --insecure-skip-tls-verify",
    "kubectl get nodes --profile-output=/evil",
    "calivet diagnose --kubeconfig evil",
    "ssh evil touch x",
)


def as_object(kind: str, name: str, api: str = "v1", **more: object) -> str:
    namespaced = {"namespace": name} if kind in ("Pod", "DaemonSet") else {}
    labels = {"k8s-app": "calico-node"}
    head = {"name": name, "labels": labels, **namespaced}
    return json.dumps({"apiVersion": api, "kind": kind, "metadata": head, **more}, indent=1)


def evidence(folder: Path, name: str) -> Path:
    """A node, a pod with its container, a card, a pool, a host and a file, all of this name; and a bundle's manifest."""
    waiting = {"name": name, "ready": False, "restartCount": 9, "state": {"waiting": {"reason": "CrashLoopBackOff"}}}
    spec = {"nodeName": name, "containers": [{"name": "calico-node", "image": "calico/node:v3.27.0"}]}
    conditions = [{"type": "Ready", "status": "False", "reason": name, "message": f"cni {name}"}]
    addresses = [{"type": "InternalIP", "address": "10.0.0.1"}]
    cards = [{"ifindex": 2, "ifname": name, "mtu": 1500, "operstate": "UP", "addr_info": []}]
    failed = [{"what": name, "why": name, "help": f"kubectl get pods -n {name} -o wide"}]
    failed += [{"what": "x", "why": f"forbidden {number}", "help": text} for number, text in enumerate(STRANGERS)]
    files = {
        "pod.json": as_object("Pod", name, spec=spec, status={"phase": "Running", "containerStatuses": [waiting]}),
        "node.json": as_object("Node", name, status={"conditions": conditions, "addresses": addresses}),
        "pool.json": as_object("IPPool", name, "crd.projectcalico.org/v1", spec={"cidr": "10.244.0.0/16"}),
        "cards.json": json.dumps(cards, indent=1),
        "session.txt": f"[root@{name} ~]# journalctl -u kubelet\n{SWAP}",
        "pods.txt": f"$ kubectl get pods -n {name} -o wide\nNAME READY STATUS\ncalico-node-x 0/1 {name}\n",
        f"{name.replace('/', '_')}.log": SWAP,
        "calivet-manifest.json": json.dumps(MANIFEST | {"failed": failed}),
    }
    folder.mkdir()
    for file, text in files.items():
        (folder / file).write_text(text, "utf-8")
    return folder


CALLS = {
    **{f"diagnose {form}": ("diagnose", "-o", form) for form in FORMATS},
    "diagnose in colour": ("diagnose", "-o", "text", "--color", "always", "--verbose"),
    "diagnose in Chinese": ("diagnose", "-o", "text", "--lang", "zh"),
    "whatif text": ("whatif", "IP_AUTODETECTION_METHOD=kubernetes-internal-ip"),
    "whatif resolved": ("whatif", "IP_AUTODETECTION_METHOD=can-reach=evil.example.com"),
    "whatif json": ("whatif", "IP_AUTODETECTION_METHOD=first-found", "-o", "json"),
    "preflight text": ("preflight",),
    "preflight json": ("preflight", "-o", "json"),
}


def commands_in(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from [value] if key in KEYS and isinstance(value, str) else commands_in(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from commands_in(value)


def is_taken_over(command: str, name: str) -> bool:
    """A name that is plain once what nobody sees is taken out of it may stand in a command, but nothing else."""
    said = command.replace("evil.example.com", "")
    return name in said or "touch" in said or "https://evil" in said or ("evil" in said and not ACTING.search(name))


def examine(run: Run, call: str, name: str) -> None:
    own = OWN_COLOURS if "colour" in call else SET_APART if "html" in call else None
    shown = own.sub("", run.out) if own else run.out
    assert not ACTING.search(shown), ACTING.findall(shown)
    assert not ACTING.search(run.err)
    if "json" in call:
        for command in commands_in(json.loads(run.out)):
            assert not is_taken_over(command, name), command
    elif "html" not in call:
        for line in shown.splitlines():
            if COMMAND.match(line) and "│" not in line:
                assert not is_taken_over(line, name), line


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("call", CALLS)
def test_a_name(tmp_path, call, name):
    folder = evidence(tmp_path / "evidence", NAMES[name])
    command, *more = CALLS[call]
    asked, told = [word for word in more if "=" in word], [word for word in more if "=" not in word]
    run = calivet(command, *asked, folder, *told)
    assert run.code in (0, 1, 2), run.err
    assert run.out
    examine(run, call, NAMES[name])


@pytest.mark.parametrize("name", NAMES)
def test_two_diagnoses(tmp_path, name):
    old, new = evidence(tmp_path / "old", "alder"), evidence(tmp_path / "new", NAMES[name])
    for form in ("text", "md", "json"):
        examine(calivet("diff", old, new, "-o", form), form, NAMES[name])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["explain", "demo", "diagnose", "fleet report"])
def test_what_the_operator_is_told_of_his_own_words(command, name):
    run = calivet(*command.split(), "--", NAMES[name])
    assert run.code
    assert not ACTING.search(run.err + run.out)
