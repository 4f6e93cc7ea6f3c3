"""Others' archives: one incident in each layout, with all the noise that such archives hold, has one right answer."""

from __future__ import annotations

import pytest

from calivet.evidence.gather import gather
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector
from tests.layouts.archives import built, packed
from tests.layouts.cluster import node_name
from tests.layouts.faults import FAULTS

# Which fault shows in which layout: a cluster-wide collector sees no journals, one machine's collector no other machine.
SEEN = {
    "healthy": "cluster-diags old-cluster-diags dump-directory dump-stream must-gather support-bundle old-support-bundle"
    " sosreport sosreport@rowan rke2 rke2-old k3s node-diags",
    "missing-module": "node-diags must-gather support-bundle old-support-bundle sosreport rke2 rke2@larch rke2-old k3s",
    "swap-on": "sosreport must-gather host-bundle rke2 k3s",
    "second-card": "cluster-diags old-cluster-diags dump-directory dump-stream must-gather support-bundle"
    " old-support-bundle sosreport@larch rke2@larch k3s@larch",
    "no-definitions": "cluster-diags old-cluster-diags dump-directory dump-stream must-gather support-bundle"
    " old-support-bundle sosreport rke2 k3s",
    "unlike-drivers": "sosreport host-bundle",
    "port-blocked": "node-diags sosreport rke2 k3s",
}
CASES = [(fault, *layout.partition("@")[::2]) for fault, layouts in SEEN.items() for layout in layouts.split()]
# What no list of nodes tells: the machine is known by the name it calls itself.
FIRST_NAME_ONLY = {("swap-on", "host-bundle")}
PER_FORM = 9


@pytest.fixture(scope="module")
def knowledge():
    return prepare_detector()


@pytest.mark.parametrize(("fault", "layout", "machine"), CASES)
def test_the_cause_and_the_node_are_named(fault, layout, machine, tmp_path, knowledge):
    path = packed(built(fault, layout, machine or None), "tar.gz", tmp_path)
    diagnosis = diagnose(gather([path]), *knowledge)
    expected = FAULTS[fault]
    assert diagnosis.verdict == ("fault" if expected.cause else "healthy")
    assert [finding.cause.id for finding in diagnosis.findings][:1] == [cause for cause in [expected.cause] if cause]
    if expected.machine:
        known = expected.machine if (fault, layout) in FIRST_NAME_ONLY else node_name(expected.machine)
        assert list(diagnosis.findings[0].nodes) == [known]
    assert len(diagnosis.unreadable) < PER_FORM
    assert not [item for item in diagnosis.unreadable if "bug" in str(item.why)]


@pytest.mark.parametrize("form", ["directory", "zip"])
@pytest.mark.parametrize("layout", ["must-gather", "sosreport", "support-bundle", "rke2", "node-diags"])
def test_however_it_is_packed(layout, form, tmp_path, knowledge):
    diagnosis = diagnose(gather([packed(built("missing-module", layout), form, tmp_path)]), *knowledge)
    (finding,) = diagnosis.findings
    assert (finding.cause.id, list(finding.nodes)) == ("kernel-module-missing", [node_name("rowan")])


def test_the_archives_of_two_machines_side_by_side(tmp_path, knowledge):
    """Each file is about the machine of its own archive."""
    paths = [
        packed(built("unlike-drivers", "sosreport", machine), "tar.gz", tmp_path, name=machine)
        for machine in ("rowan", "alder", "larch")
    ]
    finding = diagnose(gather(paths), *knowledge).findings[0]
    assert (finding.cause.id, list(finding.nodes)) == ("cgroup-driver-mismatch", [node_name("rowan")])
