"""The probe on the machine that calivet runs on."""

from __future__ import annotations

import os
import sys

import pytest

from calivet.node import running
from calivet.node.running import probe_here

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a node runs Linux")


def given(monkeypatch, text):
    monkeypatch.setattr(running, "read_script", lambda: text)
    return probe_here(30.0)


def test_a_document_that_is_named_after_the_machine():
    probed = probe_here(60.0)
    assert probed.failure is None
    assert probed.document
    assert probed.document.name == f"probes/{probed.host}.txt"
    assert probed.document.lines[0].startswith(f"# calivet-probe 2 host={probed.host} ")
    assert probed.document.lines[-1].startswith("# calivet-probe end ")


def test_one_that_breaks_off_keeps_what_it_has(monkeypatch):
    probed = given(
        monkeypatch, "echo '# calivet-probe 2 host=box user=root time=now'; echo '[root@box ~]# uptime'; exit 1"
    )
    assert probed.document
    assert len(probed.document.lines) == 2
    assert probed.failure
    assert "what came before that is kept" in str(probed.failure.why)


def test_one_that_never_begins_says_why(monkeypatch):
    probed = given(monkeypatch, "echo no such thing here >&2; exit 7")
    assert probed.document is None
    assert probed.failure
    assert str(probed.failure.why) == "the probe printed nothing: no such thing here"
    assert str(given(monkeypatch, "exit 7").failure.why).endswith("it exited with code 7")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may change into another root")
def test_in_another_root(tmp_path):
    probed = probe_here(60.0, "/proc/self/root")
    assert probed.failure is None
    assert probed.document
    lacking = probe_here(60.0, str(tmp_path))
    assert str(lacking.failure and lacking.failure.why) == "/bin/sh cannot be started: No such file or directory"


def test_a_root_that_may_not_be_entered(monkeypatch):
    def refuse(root: str) -> None:
        raise PermissionError(1, root)

    monkeypatch.setattr(os, "chroot", refuse)
    refused = probe_here(60.0, "/host")
    assert str(refused.failure and refused.failure.why).startswith("the root /host cannot be entered: ")
