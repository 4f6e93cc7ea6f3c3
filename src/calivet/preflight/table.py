"""Everything that is looked for, in the order in which it is told."""

from __future__ import annotations

from calivet.preflight import (
    addressing,
    cluster,
    condition,
    firewall,
    identity,
    kernel,
    kernel_settings,
    kubelet,
    leftovers,
    network,
    ports,
    reach,
    runtime,
    storage,
)
from calivet.preflight.requirement import Requirement

REQUIREMENTS: tuple[Requirement, ...] = (
    *identity.REQUIREMENTS,
    *addressing.REQUIREMENTS,
    *kernel.REQUIREMENTS,
    *kernel_settings.REQUIREMENTS,
    *kubelet.REQUIREMENTS,
    *runtime.REQUIREMENTS,
    *storage.REQUIREMENTS,
    *condition.REQUIREMENTS,
    *ports.REQUIREMENTS,
    *firewall.REQUIREMENTS,
    *leftovers.REQUIREMENTS,
    *network.REQUIREMENTS,
    *reach.REQUIREMENTS,
    *cluster.REQUIREMENTS,
)
