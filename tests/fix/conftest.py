"""A machine of namespaces for the tests that need one; where none can be made they are skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fix.machines import MachineHosts
from tests.lab.machine import Machine
from tests.node.fake_node import obstacle


@pytest.fixture
def machine() -> Iterator[Machine]:
    if found := obstacle():
        pytest.skip(found)
    made = Machine("oak")
    yield made
    made.close()


@pytest.fixture
def hosts(machine) -> MachineHosts:
    return MachineHosts(machine)
