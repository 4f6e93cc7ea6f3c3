"""How a node of the lab is set up, and what Calico has recorded of it."""

from __future__ import annotations

from dataclasses import dataclass

GATEWAY = "172.29.40.1"
AS_NUMBER = 64512


@dataclass(frozen=True)
class Plan:
    """One node; what is not said is as on a healthy one."""

    name: str
    address: str
    """On its first card, which all nodes share."""
    second_card: str | None = None
    """The address on a card of a network that no other node has."""
    takes_second_card: bool = False
    """Calico has recorded the address of the second card."""
    as_number: int = AS_NUMBER
    password: str | None = None
    kubelet_driver: str = "systemd"
    runtime_driver: str = "systemd"

    @property
    def recorded(self) -> str:
        """The address that Calico has for this node, that its BIRD speaks from and its peers dial."""
        return self.second_card if self.second_card and self.takes_second_card else self.address


ALDER = Plan("alder", "172.29.40.11")
BIRCH = Plan("birch", "172.29.40.12")
CEDAR = Plan("cedar", "172.29.40.13")
EVERYONE = (ALDER, BIRCH, CEDAR)
