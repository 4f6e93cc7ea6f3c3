"""The kinds of objects that the tests put into an API server: where each is sent, and where etcd then holds it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

CALICO = "crd.projectcalico.org"
CALICO_API = "projectcalico.org"
OPERATOR = "operator.tigera.io"


class Kind(Struct, frozen=True):
    """One kind of object."""

    plural: str
    namespaced: bool = True
    status: bool = False
    """Its status is sent apart."""
    stored: str = ""
    """Its folder in etcd, where that is not named after it."""

    def path(self, thing: dict[str, Any]) -> str:
        """Where a new object is sent to."""
        place = f"/namespaces/{thing['metadata']['namespace']}" if self.namespaced else ""
        return f"{_version(thing)}{place}/{self.plural}"

    def everywhere(self, thing: dict[str, Any]) -> str:
        """The list of all objects of the kind."""
        return f"{_version(thing)}/{self.plural}"

    def key(self, thing: dict[str, Any]) -> str:
        """Where etcd holds it."""
        group, _, _ = thing["apiVersion"].rpartition("/")
        folder = self.stored or (f"{group}/{self.plural}" if group.endswith((CALICO_API, OPERATOR)) else self.plural)
        place = f"/{thing['metadata']['namespace']}" if self.namespaced else ""
        return f"/registry/{folder}{place}/{thing['metadata']['name']}"


CUSTOM: dict[str, dict[str, Kind]] = {
    CALICO: {
        "BGPConfiguration": Kind("bgpconfigurations", namespaced=False),
        "BGPFilter": Kind("bgpfilters", namespaced=False),
        "BGPPeer": Kind("bgppeers", namespaced=False),
        "BlockAffinity": Kind("blockaffinities", namespaced=False),
        "CalicoNodeStatus": Kind("caliconodestatuses", namespaced=False),
        "ClusterInformation": Kind("clusterinformations", namespaced=False),
        "FelixConfiguration": Kind("felixconfigurations", namespaced=False),
        "GlobalNetworkPolicy": Kind("globalnetworkpolicies", namespaced=False),
        "GlobalNetworkSet": Kind("globalnetworksets", namespaced=False),
        "HostEndpoint": Kind("hostendpoints", namespaced=False),
        "IPAMBlock": Kind("ipamblocks", namespaced=False),
        "IPAMConfig": Kind("ipamconfigs", namespaced=False),
        "IPAMHandle": Kind("ipamhandles", namespaced=False),
        "IPPool": Kind("ippools", namespaced=False),
        "IPReservation": Kind("ipreservations", namespaced=False),
        "KubeControllersConfiguration": Kind("kubecontrollersconfigurations", namespaced=False),
        "NetworkPolicy": Kind("networkpolicies"),
        "NetworkSet": Kind("networksets"),
        "Tier": Kind("tiers", namespaced=False),
    },
    OPERATOR: {
        "Installation": Kind("installations", namespaced=False),
        "TigeraStatus": Kind("tigerastatuses", namespaced=False),
    },
}
# The newest Calico can store the same resources in its other group; one of them has another name there.
CUSTOM[CALICO_API] = {name: kind for name, kind in CUSTOM[CALICO].items() if name != "IPAMConfig"} | {
    "IPAMConfiguration": Kind("ipamconfigurations", namespaced=False)
}
VERSIONS = {CALICO: "v1", CALICO_API: "v3", OPERATOR: "v1"}

BUILT_IN: dict[str, Kind] = {
    "Namespace": Kind("namespaces", namespaced=False),
    "Node": Kind("nodes", namespaced=False, status=True, stored="minions"),
    "Pod": Kind("pods", status=True),
    "Event": Kind("events"),
    "ConfigMap": Kind("configmaps"),
    "Service": Kind("services", stored="services/specs"),
    "Endpoints": Kind("endpoints", stored="services/endpoints"),
    "DaemonSet": Kind("daemonsets", status=True),
    "Deployment": Kind("deployments", status=True),
    "NetworkPolicy": Kind("networkpolicies"),
    "EndpointSlice": Kind("endpointslices"),
    "ClusterRole": Kind("clusterroles", namespaced=False),
    "ClusterRoleBinding": Kind("clusterrolebindings", namespaced=False),
    "ValidatingWebhookConfiguration": Kind("validatingwebhookconfigurations", namespaced=False),
}


def _version(thing: dict[str, Any]) -> str:
    return ("/apis/" if "/" in thing["apiVersion"] else "/api/") + str(thing["apiVersion"])


def kind_of(thing: dict[str, Any]) -> Kind:
    """The kind of an object."""
    group = thing["apiVersion"].rpartition("/")[0]
    return CUSTOM.get(group, BUILT_IN)[thing["kind"]]
