"""What the place of a file in an archive tells: command, machine, pod and container; and what is not worth a word."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.evidence.gather import gather
from calivet.facts.calico import LogSpan
from calivet.readers.read import read
from tests.layouts import sos
from tests.layouts.archives import built, packed
from tests.layouts.cluster import ADDRESSES, agent_name, node_name
from tests.layouts.faults import FAULTS

# Where `kubectl logs` was asked for one container at a time, or the file stands under the container's name.
BY_CONTAINER = "node-diags dump-directory dump-stream sosreport must-gather support-bundle old-support-bundle rke2-old"
TOGETHER = "cluster-diags old-cluster-diags k3s@larch"
NOISE = ("shelf-", "rotated.log")
# Files about the collecting itself.
OF_NO_COMMAND = ("version", "timestamp", "event-filter.html", "collector-output.log", "sos.log", "-errors.json")
NO_COMMAND_KNOWN: tuple[str, ...] = (
    "agent-logs/kubelet.log",
    "tigera-operator.logs",
    "node_list.json",
    "cluster_version.json",
)
NO_COMMAND_KNOWN += ("auth-cani-list/", "helmcharts", "-info.json")


def gathered(fault: str, layout: str, tmp_path) -> list[Artifact]:
    name, _, machine = layout.partition("@")
    evidence = gather([packed(built(fault, name, machine or None), "tar.gz", tmp_path)])
    return [artifact for artifact in evidence.artifacts if not any(word in artifact.name for word in NOISE)]


def spans(artifacts: list[Artifact]) -> list[LogSpan]:
    found = [fact for artifact in artifacts for fact in read(artifact)[0] if isinstance(fact, LogSpan)]
    return [span for span in found if "cni" not in span.program]


@pytest.mark.parametrize("layout", [*BY_CONTAINER.split(), *TOGETHER.split()])
def test_logs_know_their_pod_and_container(layout, tmp_path):
    found = spans(gathered("missing-module", layout, tmp_path))
    assert agent_name("rowan") in {span.pod for span in found}
    assert None not in {span.pod for span in found}
    assert {span.container for span in found} <= ({"calico-node"} if layout in BY_CONTAINER else {None})


@pytest.mark.parametrize("layout", ["must-gather", "support-bundle", "rke2@larch"])
def test_the_log_of_the_container_before_is_known_as_such(layout, tmp_path):
    (panic,) = [
        artifact for artifact in gathered("missing-module", layout, tmp_path) if "[PANIC]" in "\n".join(artifact.lines)
    ]
    assert (panic.command or "").endswith("--previous")


@pytest.mark.parametrize("layout", ["node-diags", "sosreport", "rke2", "rke2-old", "k3s", "host-bundle"])
def test_the_files_of_a_machine_are_its_own(layout, tmp_path):
    found = gathered("swap-on", f"{layout}@rowan", tmp_path)
    local = [one for one in found if not (one.command or "").startswith("kubectl") and "version." not in one.name]
    assert len(local) > 5
    assert {artifact.host for artifact in local} <= {"rowan", node_name("rowan")}


@pytest.mark.parametrize("layout", ["cluster-diags", "old-cluster-diags"])
def test_the_files_of_each_machine_in_an_archive_of_all(layout, tmp_path):
    tables = [
        one
        for one in gathered("healthy", layout, tmp_path)
        if one.command in ("ip addr", "ip route", "ip route show table all")
    ]
    assert {artifact.host for artifact in tables} == set(map(node_name, ADDRESSES))


def test_an_archive_that_bears_the_name_of_its_machine(tmp_path):
    """Collectors of an older kind wrote no folder; where the file with the name is lost, the archive's own is left."""
    files = built("port-blocked", "rke2-old")
    del files["systeminfo/hostname"]
    evidence = gather([packed(files, "tar.gz", tmp_path, name="alder-2025-03-11_10_21_07")])
    assert {artifact.host for artifact in evidence.artifacts if (artifact.command or "").startswith("ip ")} == {"alder"}


@pytest.mark.parametrize("layout", [*BY_CONTAINER.split(), *TOGETHER.split(), "rke2", "host-bundle"])
def test_every_file_of_the_layout_is_known_by_its_command(layout, tmp_path):
    strange = [
        artifact.name
        for artifact in gathered("healthy", layout, tmp_path)
        if artifact.command is None
        and not artifact.name.endswith("dump.txt")
        and not any(word in artifact.name for word in (*OF_NO_COMMAND, *NO_COMMAND_KNOWN))
    ]
    assert strange == []


@pytest.mark.parametrize("layout", ["must-gather", "sosreport", "rke2", "cluster-diags"])
def test_nothing_in_an_archive_is_taken_for_a_persons_words(layout, tmp_path):
    assert [artifact.name for artifact in gathered("second-card", layout, tmp_path) if artifact.prose] == []


def test_links_inside_a_sosreport_go_without_saying(tmp_path):
    machine = FAULTS["healthy"].build("kube-system").machines["larch"]
    root = sos.root_of(machine)
    links = {f"{root}{name}": target for name, target in sos.LINKS.items()}
    evidence = gather([packed(built("healthy", "sosreport"), "tar.gz", tmp_path, links=links)])
    assert [item for item in evidence.unreadable if "link" in str(item.why)] == []
