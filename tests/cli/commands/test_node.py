"""`calivet node`."""

from __future__ import annotations

import sys

import pytest

from calivet.node import running
from calivet.node.running import read_script
from tests.cli.running import calivet

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a node runs Linux")


def test_the_script_for_another_node():
    done = calivet("node", "--print-script")
    assert (done.code, done.out, done.err) == (0, read_script(), "")
    assert done.out.startswith("#!/bin/sh\n")


@linux_only
def test_this_machine():
    done = calivet("node", "-o", "json")
    assert done.code in (0, 1, 2)
    assert '"probes/' in done.out
    assert "looking at this machine" in done.err


def test_what_cannot_be_run_is_said(monkeypatch):
    monkeypatch.setattr(running, "SHELL", "/no/such/shell")
    monkeypatch.setattr(sys, "platform", "linux")
    done = calivet("node")
    assert done.code == 3
    assert "/no/such/shell cannot be started: No such file or directory" in done.err


@pytest.mark.parametrize(("language", "words"), [("en", "a node runs Linux"), ("zh", "节点运行的是 Linux")])
def test_elsewhere_than_on_linux(monkeypatch, language, words):
    monkeypatch.setattr(sys, "platform", "darwin")
    done = calivet("node", "--lang", language)
    assert done.code == 3
    assert words in done.err
