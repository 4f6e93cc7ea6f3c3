"""Who has which name and address: the same in every run."""

from __future__ import annotations

import hashlib
import ipaddress

from tests.e2e.scenarios.names import LETTERS

NODES = 5_000
APPLICATIONS = 18
"""Pods of a node beside calico-node and kube-proxy."""
NAMESPACES = 200
SICK = (1203, 2871, 4410)
"""The numbers of the nodes on which calico-node does not start."""

POOL = "10.160.0.0/12"
BLOCK_SIZE = 64

_MACHINES = ipaddress.ip_address("172.20.0.11")
_FIRST = ipaddress.ip_network(POOL).network_address


def node_name(number: int) -> str:
    """As a provisioning system would number them."""
    return f"worker-{number:04}"


def node_address(number: int) -> str:
    """Of the machine."""
    return str(_MACHINES + number)


def block_of(number: int) -> str:
    """The block of addresses that the node holds."""
    return f"{_FIRST + number * BLOCK_SIZE}/26"


def pod_address(number: int, place: int) -> str:
    """Of the node's block; the first one is its tunnel's."""
    return str(_FIRST + number * BLOCK_SIZE + 1 + place)


def application(number: int, place: int) -> tuple[str, str]:
    """Namespace and name of the workload that a pod belongs to: some hundred replicas each."""
    which = (number * APPLICATIONS + place) % (NAMESPACES * 5)
    return f"team-{which % NAMESPACES:03}", f"service-{which:03}"


def ending(number: int) -> str:
    """Five letters as Kubernetes draws them; of so many pods that are really drawn, some would share a name."""
    left, letters = (number * 2_654_435 + 1_000_003) % len(LETTERS) ** 5, ""
    for _ in range(5):
        left, letter = divmod(left, len(LETTERS))
        letters += LETTERS[letter]
    return letters


def digest(*parts: object) -> str:
    """Something unique, of 64 letters."""
    return hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()


def uid(*parts: object) -> str:
    """As the API server would draw it."""
    drawn = digest(*parts)
    return f"{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-a{drawn[17:20]}-{drawn[20:32]}"
