"""Hints name the program as the operator called it, so that they can be typed as they stand."""

from __future__ import annotations

import sys

import pytest

from tests.cli.running import calivet

BY_NAME = pytest.mark.parametrize(
    ("program", "called"), [("calivet", "calivet"), ("kubectl-calivet", "kubectl calivet"), ("__main__.py", "calivet")]
)


@BY_NAME
def test_more_incidents(program, called):
    assert calivet("demo", program=program).err.endswith(f": {called} demo --list\n")


@BY_NAME
def test_the_list_of_causes(program, called):
    assert f"'{called} causes' lists them" in calivet("explain", "xyzzy", program=program).err


@BY_NAME
def test_the_script_for_a_node(program, called, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert f"'{called} node --print-script'" in calivet("node", program=program).err
