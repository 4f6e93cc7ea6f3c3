"""What holds for every format: the exit code, the encoding, no secrets, nothing beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from calivet.reports.diagnosis.formats import FORMATS
from tests.cli.running import calivet, process, write

ROOT = Path(__file__).parents[2]
SWAP = "F0314 09:26:53.589793    4711 server.go:265] failed to run Kubelet: running with swap on is not supported\n"
POD = (
    "[root@birch-1 ~]# kubectl -n kube-system get pods -o wide\n"
    "NAME                READY   STATUS    RESTARTS   AGE   IP           NODE      NOMINATED NODE   READINESS GATES\n"
    "calico-node-7tq4n   1/1     Running   0          9d    10.71.0.12   birch-2   <none>           <none>\n"
)
VERDICTS = [(POD, 0, "healthy"), (SWAP, 1, "fault"), ("dear diary\n", 2, "insufficient")]
VERDICT = {
    "json": lambda text: json.loads(text)["verdict"],
    "junit": lambda text: ElementTree.fromstring(text).findall(".//property[@name='verdict']")[0].get("value"),
    "prom": lambda text: next(
        line for line in text.splitlines() if line.startswith("calivet_verdict") and line.endswith(" 1")
    ).split('"')[1],
    "sarif": lambda text: json.loads(text)["runs"][0]["properties"]["verdict"],
}


def test_the_documentation_lists_every_format():
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "formats.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(FORMATS)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("text", "code", "verdict"), VERDICTS)
@pytest.mark.parametrize("output", VERDICT)
def test_the_exit_code_and_the_verdict(tmp_path, output, text, code, verdict, language):
    run = calivet("diagnose", write(tmp_path, evidence_txt=text), "-o", output, "--lang", language)
    assert (run.code, run.err) == (code, "")
    assert VERDICT[output](run.out) == verdict
    assert run.out.endswith("\n")


@pytest.mark.parametrize("output", VERDICT)
def test_utf8_whatever_the_locale(tmp_path, output):
    (tmp_path / "kubelet-节点.log").write_text(SWAP, "utf-8")
    run = process("diagnose", tmp_path, "-o", output, "--lang", "zh", environment={"PYTHONIOENCODING": "ascii"})
    assert run.code == 1
    assert VERDICT[output](run.out) == "fault"
    assert "swap" in run.out
    assert "?" not in run.out.replace("<?xml", "").replace("?>", "").split("https://")[0]


@pytest.mark.parametrize("output", FORMATS)
def test_a_file_name_that_is_not_utf8(tmp_path, output):
    (tmp_path / b"kubelet-\xff.log".decode("utf-8", "surrogateescape")).write_text(SWAP)
    run = process("diagnose", tmp_path, "-o", output)
    assert (run.code, run.err) == (1, "")


@pytest.mark.parametrize("output", FORMATS)
def test_no_secret_is_written(tmp_path, output):
    secret = "hunter2-7f3a9c"
    write(
        tmp_path,
        kubelet_log=SWAP.replace("failed", f"--password={secret} failed"),
        notes_md=f"curl https://admin:{secret}@registry.example.org/v2\n",
    )
    assert secret not in calivet("diagnose", tmp_path, "-o", output, "-v").out


@pytest.mark.parametrize("output", FORMATS)
def test_the_same_in_the_same_out(output):
    assert calivet("demo", "stuck-in-init", "-o", output).out == calivet("demo", "stuck-in-init", "-o", output).out


@pytest.mark.parametrize("output", FORMATS)
def test_an_unreadable_file_whose_name_is_not_utf8(tmp_path, output):
    write(tmp_path, kubelet_log=SWAP)
    (tmp_path / b"empty-\xff.log".decode("utf-8", "surrogateescape")).touch()
    run = process("diagnose", tmp_path, "-o", output)
    assert (run.code, run.err) == (1, "")
