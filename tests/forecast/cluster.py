"""A small cluster as its operator would show it: nodes, stored addresses, the cards and routes of each machine."""

from __future__ import annotations

from textwrap import indent

from msgspec import Struct, field

from calivet.facts.cluster_facts import ClusterFacts
from calivet.forecast.changes import change
from calivet.forecast.forecast import forecast_changes
from calivet.forecast.outcome import FamilyOutcome, Forecast, NodeOutcome
from tests.facts.drawing import nodes, picture_of

LO = "lo 127.0.0.1/8"
DESK = "[root@desk ~]# "


class Machine(Struct):
    """A node: its InternalIP, what Calico stored, and its cards in the kernel's order."""

    name: str
    internal: str
    stored: str = ""
    cards: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    status: str = "Ready"

    def record(self) -> str:
        """The Kubernetes Node, with Calico's annotation where one is stored."""
        told = f"\n  annotations:\n    projectcalico.org/IPv4Address: {self.stored}" if self.stored else ""
        labels = "".join(f"\n    {key}: {value!r}" for key, value in self.labels.items())
        told += f"\n  labels:{labels}" if labels else ""
        return (
            f"{DESK}kubectl get node {self.name} -o yaml\napiVersion: v1\nkind: Node\nmetadata:\n  name: {self.name}{told}\n"
            f"status:\n  addresses:\n  - address: {self.internal}\n    type: InternalIP\n"
        )

    def listing(self) -> str:
        """`ip addr` and `ip route` on the machine."""
        if not self.cards:
            return ""
        text = f"[root@{self.name} ~]# ip addr\n"
        for number, card in enumerate((LO, *self.cards), 1):
            name, *addresses = card.split()
            mtu = next((word[4:] for word in addresses if word.startswith("mtu=")), "1500")
            text += f"{number}: {name}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {mtu} qdisc mq state UP\n"
            for address in addresses:
                if not address.startswith("mtu="):
                    text += f"    inet{'6' * (':' in address)} {address} scope global{'' if ':' in address else ' ' + name}\n"
        if self.routes:
            text += f"[root@{self.name} ~]# ip route\n" + "".join(f"{route}\n" for route in self.routes)
        return text


def evidence(*machines: Machine, version: str = "v3.28.2", more: str = "") -> str:
    """All of it as one transcript."""
    text = nodes(*(f"{one.name} {one.status} {one.internal}" for one in machines))
    text += "".join(one.record() for one in machines) + "".join(one.listing() for one in machines)
    if version:
        text += f"{DESK}kubectl -n kube-system get daemonset calico-node -o yaml\nkind: DaemonSet\nmetadata:\n  name: calico-node\n"
        text += f"spec:\n  template:\n    spec:\n      containers:\n      - image: docker.io/calico/node:{version}\n        name: calico-node\n"
    return text + more


def resource(kind: str, spec: str, name: str = "default", plural: str = "") -> str:
    """One of Calico's own resources."""
    command = f"{DESK}kubectl get {plural or kind.lower() + 's'}.crd.projectcalico.org {name} -o yaml\n"
    head = f"apiVersion: crd.projectcalico.org/v1\nkind: {kind}\nmetadata:\n  name: {name}\nspec:\n"
    return command + head + indent(spec.strip("\n"), "  ") + "\n"


def whatif(*changes: str, of: str | ClusterFacts) -> Forecast:
    """The forecast."""
    return forecast_changes(picture_of(of) if isinstance(of, str) else of, [change(one) for one in changes])


def only(outcome: Forecast) -> FamilyOutcome:
    """The one family that is spoken of."""
    (family,) = outcome.families
    return family


def node(outcome: Forecast, name: str) -> NodeOutcome:
    """One node of it."""
    return next(one for one in only(outcome).nodes if one.name == name)


def troubles(outcome: Forecast) -> dict[str, list[str]]:
    """What is wrong with whom."""
    return {one.name: [trouble.kind for trouble in one.troubles] for one in outcome.broken}


# Three machines with a storage card behind the cluster's own; one of them was given the storage address.
HERONS = (
    Machine("heron-1", "10.44.0.11", "10.44.0.11/23", ("eth0 10.44.0.11/23", "docker0 172.17.0.1/16")),
    Machine("heron-2", "10.44.0.12", "172.29.7.12/24", ("eth0 10.44.0.12/23", "eth1 172.29.7.12/24")),
    Machine("heron-3", "10.44.0.13", "10.44.0.13/23", ("eth0 10.44.0.13/23", "tunl0 10.200.9.0/32")),
)
