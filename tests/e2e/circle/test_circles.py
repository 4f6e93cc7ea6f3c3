"""Whole circles: what calivet prints cures on real programs, its checks tell, and it can be taken back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.bed import components
from tests.e2e.bed.bed import Bed
from tests.e2e.circle import machine_circles, object_circles, service_circles, settings_circles
from tests.e2e.circle.circle import Circle
from tests.e2e.circle.fixing import walk_with_fix
from tests.e2e.circle.live_cluster import LiveCluster
from tests.e2e.circle.machines import Machines
from tests.e2e.circle.walk import walk
from tests.e2e.fill import Filler
from tests.lab.machine import ENVIRONMENT
from tests.lab.permission import obstacle
from tests.node.sshd import CLIENT, SERVER

CIRCLES = (*settings_circles.CIRCLES, *object_circles.CIRCLES)
FIXED = (*machine_circles.CIRCLES, *service_circles.CIRCLES)
# Sessions, probes and controllers are waited for: workers of their own wait beside each other.
CIRCLE, FIX = pytest.mark.xdist_group("circles"), pytest.mark.xdist_group("circles-by-fix")


@pytest.fixture(scope="module")
def controller() -> Path:
    """Without it no pod follows its DaemonSet."""
    return components.require(components.find_daemonset_controller, "the circles cannot be walked")


@pytest.fixture(scope="module")
def cluster(bed: Bed, filler: Filler, controller: Path, tmp_path_factory: pytest.TempPathFactory) -> LiveCluster:
    """One for all circles, empty between them."""
    return LiveCluster(bed, filler, controller, tmp_path_factory.mktemp("circle"))


@pytest.fixture(scope="module")
def on_machines(
    bed: Bed, filler: Filler, controller: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveCluster]:
    """One whose workers stand on machines."""
    if not SERVER or not CLIENT:
        pytest.skip("ssh is not tested: openssh-server or openssh-client is not installed")
    if found := obstacle():
        pytest.skip(f"the lab cannot be built: {found.reason}")
    folder = tmp_path_factory.mktemp("machines")
    machines = Machines(folder)
    yield LiveCluster(bed, filler, controller, folder, machines)
    machines.close()


def walk_and_clean_up(circle: Circle, cluster: LiveCluster) -> None:
    """Whatever comes of it, nothing of it is left."""
    try:
        walk(circle, cluster)
    finally:
        cluster.end(circle)


@CIRCLE
@pytest.mark.parametrize("circle", CIRCLES, ids=lambda circle: circle.id)
def test_in_the_api_server(circle: Circle, cluster: LiveCluster):
    walk_and_clean_up(circle, cluster)


@CIRCLE
@pytest.mark.parametrize("circle", machine_circles.CIRCLES, ids=lambda circle: circle.id)
def test_on_machines(circle: Circle, on_machines: LiveCluster):
    if missing := [name for name in circle.needs if not shutil.which(name, path=ENVIRONMENT["PATH"])]:
        pytest.skip(f"{', '.join(missing)} not installed (scripts/test-lab says how)")
    walk_and_clean_up(circle, on_machines)


@CIRCLE
@pytest.mark.parametrize("circle", [one for one in CIRCLES if not one.by_hand], ids=lambda circle: circle.id)
def test_fix_in_the_api_server(circle: Circle, cluster: LiveCluster, tmp_path: Path):
    fix_and_clean_up(circle, cluster, tmp_path)


@FIX
@pytest.mark.parametrize("circle", [one for one in FIXED if not one.by_hand], ids=lambda circle: circle.id)
def test_fix_on_machines(circle: Circle, on_machines: LiveCluster, tmp_path: Path):
    fix_and_clean_up(circle, on_machines, tmp_path)


def fix_and_clean_up(circle: Circle, cluster: LiveCluster, state: Path) -> None:
    """The same, where `calivet fix` takes the steps."""
    if missing := [name for name in circle.needs if not shutil.which(name, path=ENVIRONMENT["PATH"])]:
        pytest.skip(f"{', '.join(missing)} not installed (scripts/test-lab says how)")
    try:
        walk_with_fix(circle, cluster, state)
    finally:
        cluster.end(circle)
