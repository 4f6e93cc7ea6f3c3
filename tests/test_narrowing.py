from __future__ import annotations

from importlib.resources import files

import pytest

from calivet.evidence.gather import gather
from calivet.pipeline import UnknownNodeError, diagnose
from calivet.signs.sign_detector import prepare_detector
from tests.cli.running import calivet

THREE = files("calivet") / "demos" / "three-at-once" / "evidence"


def of(*nodes):
    return diagnose(gather([str(THREE)]), *prepare_detector(), nodes)


def causes(found):
    return [finding.cause.id for finding in found.findings]


class TestNodes:
    def test_each_node_has_its_own_fault(self):
        assert "kubelet-swap-on" in causes(of("loom-disk"))
        assert "wrong-ip-autodetected" not in causes(of("loom-disk"))
        assert "wrong-ip-autodetected" in causes(of("loom-m2"))
        assert "kubelet-swap-on" not in causes(of("loom-m2"))

    def test_all_named_together_are_the_whole(self):
        assert causes(of("loom-m1", "loom-m2", "loom-disk")) == causes(of())

    def test_a_node_that_nobody_speaks_of(self):
        with pytest.raises(UnknownNodeError) as unknown:
            of("nope")
        assert unknown.value.known == ["loom-disk", "loom-m1", "loom-m2"]


def test_the_command_line_says_which_nodes_there_are():
    run = calivet("diagnose", THREE, "--node", "nope")
    assert (run.code, run.out) == (3, "")
    assert "loom-disk, loom-m1, loom-m2" in run.err
