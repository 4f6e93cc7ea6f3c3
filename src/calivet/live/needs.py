"""What calivet asks the API server for, and what each missing permission costs the diagnosis.

The collectors name their need; `calivet access` checks these and `calivet access --role` writes them as a ClusterRole.
"""

from __future__ import annotations

from msgspec import Struct

from calivet.messages.message import find_words
from calivet.messages.words import Words

CORE = ""
APPS = "apps"
CALICO = "crd.projectcalico.org"
CALICO_API = "projectcalico.org"
OPERATOR = "operator.tigera.io"
NETWORKING = "networking.k8s.io"
RBAC = "rbac.authorization.k8s.io"
ADMISSION = "admissionregistration.k8s.io"

CONFIG_MAPS = (
    "calico-config",
    "canal-config",
    "cni-config",
    "kubeadm-config",
    "kube-proxy",
    "kubelet-config",
    "kubernetes-services-endpoint",
    "rke2-canal-config",
)
"""The only ConfigMaps that are ever read, by name."""

POOLS = ("ippools", "ipreservations")
BLOCKS = ("ipamblocks", "blockaffinities", "ipamhandles", "ipamconfigs", "ipamconfigurations")
ROUTING = ("bgppeers", "bgpconfigurations", "bgpfilters", "caliconodestatuses")
SETTINGS = ("felixconfigurations", "clusterinformations", "kubecontrollersconfigurations")
POLICIES = ("globalnetworkpolicies", "networkpolicies", "tiers", "hostendpoints")


class Need(Struct, frozen=True):
    """Read permissions that are given or refused together, and what is lost without them."""

    groups: tuple[str, ...]
    resources: tuple[str, ...]
    verbs: tuple[str, ...]
    key: str
    """Of the words that tell what is lost."""
    names: tuple[str, ...] = ()
    """Only objects with these names, where they are few and known."""

    @property
    def loses(self) -> Words:
        """What the diagnosis does without, in words."""
        return find_words(self.key)

    @property
    def written_verbs(self) -> str:
        """As in a role: `get, list`."""
        return ", ".join(self.verbs)

    @property
    def written_resources(self) -> str:
        """The same of what it is about: `nodes, ippools.crd.projectcalico.org`."""
        group = f".{self.groups[0]}" if self.groups[0] else ""
        return ", ".join(resource + group for resource in self.resources)


NODES = Need(
    (CORE,),
    ("nodes",),
    ("get", "list"),
    "need.nodes",
)
PODS = Need(
    (CORE,),
    ("pods",),
    ("get", "list"),
    "need.pods",
)
LOGS = Need(
    (CORE,),
    ("pods/log",),
    ("get",),
    "need.logs",
)
EVENTS = Need(
    (CORE,),
    ("events",),
    ("list",),
    "need.events",
)
WORKLOADS = Need(
    (APPS,),
    ("daemonsets", "deployments"),
    ("get", "list"),
    "need.workloads",
)
SERVICES = Need(
    (CORE,),
    ("services", "endpoints"),
    ("list",),
    "need.services",
)
SETUP = Need(
    (CORE,),
    ("configmaps",),
    ("get",),
    "need.setup",
    names=CONFIG_MAPS,
)
CALICO_RESOURCES = Need(
    (CALICO, CALICO_API),
    (*POOLS, *BLOCKS, *ROUTING, *SETTINGS, *POLICIES),
    ("list",),
    "need.calico_resources",
)
INSTALLATION = Need(
    (OPERATOR,),
    ("installations", "tigerastatuses"),
    ("list",),
    "need.installation",
)
OTHER_POLICIES = Need(
    (NETWORKING,),
    ("networkpolicies",),
    ("list",),
    "need.other_policies",
)
RIGHTS = Need(
    (RBAC,),
    ("clusterroles", "clusterrolebindings"),
    ("get", "list"),
    "need.rights",
)
WEBHOOKS = Need(
    (ADMISSION,),
    ("validatingwebhookconfigurations", "mutatingwebhookconfigurations"),
    ("list",),
    "need.webhooks",
)
LEAVING = Need(
    (CORE,),
    ("namespaces", "serviceaccounts"),
    ("list",),
    "need.leaving",
)
KUBELET = Need(
    (CORE,),
    ("nodes/proxy",),
    ("get",),
    "need.kubelet",
)

NEEDS = (
    NODES,
    PODS,
    LOGS,
    EVENTS,
    WORKLOADS,
    SERVICES,
    SETUP,
    CALICO_RESOURCES,
    INSTALLATION,
    OTHER_POLICIES,
    RIGHTS,
    WEBHOOKS,
    LEAVING,
    KUBELET,
)

OPEN_PATHS = ("/version", "/readyz", "/livez", "/apis", "/apis/*")
"""Readable by every authenticated user of a cluster as it comes."""
