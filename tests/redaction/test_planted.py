"""Secrets of every kind, planted everywhere evidence comes from: none is in anything that is shown."""

from __future__ import annotations

import json

import pytest
import yaml

from calivet.evidence.artifact import Document, Unreadable
from calivet.evidence.decoding.decode import clean_text
from calivet.evidence.gather import gather_documents
from calivet.messages.command_line import Command
from calivet.messages.message import make_verbatim
from calivet.pipeline import diagnose
from calivet.redaction.redactor import Redactor
from calivet.reports.diagnosis.json import to_json
from calivet.reports.diagnosis.markdown import to_markdown
from calivet.reports.diagnosis.text import to_text
from calivet.reports.layout.terminal import Layout
from calivet.signs.sign_detector import prepare_detector
from tests.redaction.planted import TABLE, grown, left_of

EVERY = [(kind, number) for kind, planted in TABLE.items() for number in range(len(planted.shapes))]
LANGUAGES = ("en", "zh")
# What loggers, runtimes, mail and editors put before every line.
HEADS = {
    "journal": "May  6 07:08:{:02d} wk-3 app[77]: ",
    "runtime": "2024-05-06T07:08:{:02d}.123456789Z stdout F ",
    "quotation": "> ",
    "numbers": "{:4d}  ",
    "indentation": "        ",
}
# Something to find, so that reports quote the evidence around the secrets.
SICK = """\
[root@wk-3 ~]# kubectl -n kube-system get pods -o wide
NAME                READY   STATUS             RESTARTS   AGE   IP         NODE
calico-node-x7k2p   0/1     CrashLoopBackOff   9          1h    10.1.2.3   wk-3
[root@wk-3 ~]# journalctl -u kubelet -n 1
May  6 07:08:09 wk-3 kubelet[77]: F0506 07:08:09.123456      77 server.go:265] failed to run Kubelet: running with swap on is not supported, please disable swap! """


def shape_of(kind: str, number: int) -> str:
    return "\n".join(clean_text(grown(TABLE[kind], TABLE[kind].shapes[number])))


def nothing_left(text: str) -> None:
    assert {kind: piece for kind, planted in TABLE.items() if (piece := left_of(planted, text))} == {}


def dressed() -> list[Document]:
    """The same secrets in documents of every sort, with the fault's own words beside them."""
    shapes = [shape_of(kind, number) for kind, number in EVERY]
    paste = "\n\n".join(shapes)
    fenced = "\n".join(f"Look:\n```\n{shape}\n```" for shape in shapes)
    journal = "\n".join(f"May  6 07:08:09 wk-3 app[77]: {line}" for line in paste.split("\n"))
    envelopes = "\n".join(
        json.dumps({"log": f"{line}\n", "stream": "stdout", "time": "t"}) for line in paste.split("\n")
    )
    loud = "\n".join(f"running with swap on is not supported {line}" for line in paste.split("\n"))
    texts = {
        "sick.txt": SICK,
        "paste.txt": paste,
        "notes.md": fenced,
        "journal.log": journal,
        "container.log": envelopes,
        "loud.log": loud,
        f"dump-{TABLE['github token'].value}.txt": SICK,
    }
    return [Document(name, clean_text(text)) for name, text in texts.items()]


def test_there_are_forty_kinds():
    assert len(TABLE) >= 40
    assert len({planted.value for planted in TABLE.values()}) == len(TABLE)


@pytest.mark.parametrize(("kind", "number"), EVERY)
def test_nothing_is_left_of_a_secret(kind, number):
    text = shape_of(kind, number)
    shown = Redactor().redact_text(text)
    assert left_of(TABLE[kind], text)
    assert not left_of(TABLE[kind], shown), shown
    assert "<redacted-" in shown
    assert shown.count("\n") == text.count("\n")
    assert Redactor().redact_text(shown) == shown


@pytest.mark.parametrize("head", HEADS)
def test_a_head_on_every_line_hides_no_secret(head):
    for kind, number in EVERY:
        lines = shape_of(kind, number).split("\n")
        shown = Redactor().redact_text("\n".join(HEADS[head].format(10 + at) + line for at, line in enumerate(lines)))
        assert not left_of(TABLE[kind], shown), shown


@pytest.mark.parametrize(("kind", "number"), EVERY)
def test_what_could_be_read_can_still_be_read(kind, number):
    text = shape_of(kind, number)
    for read in (json.loads, yaml.safe_load):
        try:
            before = read(text)
        except (ValueError, yaml.YAMLError):
            continue
        if isinstance(before, dict):
            assert len(read(Redactor().redact_text(text))) == len(before)


def test_no_report_shows_one():
    evidence = gather_documents(dressed())
    evidence.unreadable = [
        Unreadable(shape_of(*which), make_verbatim(f"failed: {shape_of(*which)}"), Command(shape_of(*which)))
        for which in EVERY
    ]
    Redactor().redact_evidence(evidence)
    diagnosis = diagnose(evidence, *prepare_detector())
    assert diagnosis.findings
    for language in LANGUAGES:
        nothing_left(to_text(diagnosis, Layout(language, 400, colour=False, verbose=True)))
        nothing_left(to_json(diagnosis, language))
        nothing_left(to_markdown(diagnosis, language))


def test_no_artifact_holds_one():
    evidence = gather_documents(dressed())
    Redactor().redact_evidence(evidence)
    for artifact in evidence.artifacts:
        nothing_left("\n".join([*artifact.lines, artifact.name, artifact.host or "", artifact.command or ""]))


def test_no_document_holds_one():
    redactor = Redactor()
    for document in dressed():
        shown = redactor.redact_document(document)
        assert len(shown.lines) == len(document.lines)
        nothing_left("\n".join([shown.name, *shown.lines]))
