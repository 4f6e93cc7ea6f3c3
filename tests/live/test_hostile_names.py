"""An API server that calls its objects what it likes: nothing in a bundle is named so that it would lie elsewhere."""

from __future__ import annotations

import io
import json
import re
import tarfile
from pathlib import Path, PurePosixPath

import pytest

from calivet.evidence.archives.member_names import LONGEST_PART, build_member_name, make_names_distinct
from tests.cli.running import calivet
from tests.live.api_server import Asked, Reply, serving
from tests.live.kubeconfigs import written

COLUMNS = ("Name", "Ready", "Status", "Restarts", "Age", "IP", "Node", "Images")
NAMES = {
    "leads out": "x/../../../../etc/cron.d/evil",
    "only dots": "..",
    "absolute": "/etc/cron.d/evil",
    "of Windows": "..\\..\\evil",
    "a drive": "C:\\evil",
    "a device": "NUL",
    "a device with an ending": "con.txt",
    "a nought": "evil\0.sh",
    "very long": "x" * 5000,
    "escapes": "\x1b]0;x\x07\x1b[2J",
    "turned": "\u202egol.live",
    "a command": "$(touch evil)",
    "an option": "--kubeconfig=/tmp/evil",
    "new lines": "a\n$ kubectl delete nodes --all",
    "empty": "",
}
HARMLESS = re.compile(r"[A-Za-z0-9_+@=][A-Za-z0-9._+@=-]*")
ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def answer(asked: Asked, name: str) -> Reply:
    """Whatever is asked for has this name."""
    if "as=Table" in asked.headers["Accept"]:
        cells = [f"{name}-abcde", "0/1", "CrashLoopBackOff", "9", "1d", "10.0.0.1", name, "calico/node:v3.27.0"]
        head = {"metadata": {"name": name, "namespace": name}}
        others = {"metadata": {"name": f"{name}.", "namespace": f"{name} "}}
        rows = [{"cells": cells, "object": head}, {"cells": [f"{name}.-fghij", *cells[1:]], "object": others}]
        return Reply(
            body=json.dumps(
                {"metadata": {}, "columnDefinitions": [{"name": one} for one in COLUMNS], "rows": rows}
            ).encode()
        )
    if asked.path.partition("?")[0].endswith("/log"):
        return Reply(body=b"2026-11-15 09:12:01.104 [FATAL][9] startup.go 1: it died\n")
    state = {"name": name, "restartCount": 9, "state": {"waiting": {"reason": "CrashLoopBackOff"}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": name}}
    return Reply(
        body=json.dumps(pod | {"status": {"containerStatuses": [state, state | {"name": f"{name}/"}]}}).encode()
    )


@pytest.fixture(params=NAMES)
def cluster(request, tmp_path):
    name = NAMES[request.param]
    with serving() as server:
        server.reply = lambda asked: answer(asked, name)  # type: ignore[method-assign]
        yield written(tmp_path, server.url)


@pytest.mark.parametrize("more", [[], ["--anonymize"]], ids=["as it is", "anonymized"])
def test_every_member_lies_within_the_bundle(cluster, tmp_path, more):
    path = tmp_path / "bundle.tar.gz"
    run = calivet("collect", "--kubeconfig", cluster, "-o", path, *more)
    assert run.code == 0, run.err
    assert not ACTING.search(run.out + run.err)
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        members = archive.getmembers()
        manifest = archive.extractfile("bundle/calivet-manifest.json")
        assert manifest
        told = json.loads(manifest.read())
    assert len([member for member in members if "logs" in member.name]) > 1
    for member in members:
        parts = PurePosixPath(member.name).parts
        assert member.isreg()
        assert parts[0] == "bundle"
        assert all(HARMLESS.fullmatch(part) and len(part) <= LONGEST_PART for part in parts), member.name
    assert len({member.name.lower() for member in members}) == len(members)
    names = {member.name.removeprefix("bundle/") for member in members}
    assert set(told["whole"]) <= names


def test_no_command_of_a_live_cluster_holds_what_it_was_told(cluster):
    run = calivet("diagnose", "--kubeconfig", cluster, "-o", "json")
    answer = json.loads(run.out)
    commands = [item["help"] for item in answer["not_seen"] if "help" in item] + [one["run"] for one in answer["next"]]
    assert commands
    for command in commands:
        assert "evil" not in command
        assert "delete " not in command
        assert not ACTING.search(command)
    assert not ACTING.search(run.out + run.err)


@pytest.mark.parametrize("name", [*NAMES.values(), "\ud800x", "x" * 300, "aux", ".", "-rf", "a.", "～"])
def test_one_part(name):
    made = build_member_name("logs", name, "calico-node.log")
    first, middle, last = made.split("/")
    assert (first, last) == ("logs", "calico-node.log")
    assert HARMLESS.fullmatch(middle)
    assert len(middle) <= LONGEST_PART


def test_two_that_would_be_one_file_stay_two():
    assert make_names_distinct(["pods/a/x.yaml", "pods/A/X.yaml", "pods/a/x.yaml", "a:b", "a?b", "../x", "/x"]) == [
        "pods/a/x.yaml",
        "pods/A/X-2.yaml",
        "pods/a/x-3.yaml",
        "a_b",
        "a_b-2",
        "_/x",
        "_/x-2",
    ]


def test_a_document_cannot_take_the_place_of_the_manifest():
    assert make_names_distinct(["calivet-manifest.json", "calivet-manifest.json"])[1] == "calivet-manifest-2.json"


def test_usual_names_stay_as_they_are():
    usual = [
        "nodes.txt",
        "logs/kube-system/calico-node-q7w2x/calico-node.previous.log",
        "kubelets/node-1.example.org/healthz.txt",
    ]
    assert make_names_distinct(usual) == usual
    assert Path(usual[1]).parts[0] == "logs"
