"""The kinds of Kubernetes resources: their many names, and the columns that give them away."""

from __future__ import annotations

from msgspec import Struct

_SHORT_NAMES = {
    "cm": "configmap",
    "componentstatuses": "componentstatus",
    "crd": "customresourcedefinition",
    "crds": "customresourcedefinition",
    "cs": "componentstatus",
    "csr": "certificatesigningrequest",
    "deploy": "deployment",
    "ds": "daemonset",
    "endpoints": "endpoints",
    "ep": "endpoints",
    "ev": "event",
    "gnp": "globalnetworkpolicy",
    "hpa": "horizontalpodautoscaler",
    "ing": "ingress",
    "netpol": "networkpolicy",
    "no": "node",
    "ns": "namespace",
    "pdb": "poddisruptionbudget",
    "po": "pod",
    "psp": "podsecuritypolicy",
    "pv": "persistentvolume",
    "pvc": "persistentvolumeclaim",
    "rs": "replicaset",
    "sa": "serviceaccount",
    "sts": "statefulset",
    "svc": "service",
    "tigerastatuses": "tigerastatus",
}

# The kinds of which something is known beyond their name.
_KINDS = (
    "BGPConfiguration BGPPeer BlockAffinity ClusterInformation ConfigMap CustomResourceDefinition DaemonSet Deployment"
    " Event FelixConfiguration GlobalNetworkPolicy HostEndpoint Installation IPAMBlock IPPool Namespace NetworkPolicy"
    " Node Pod Secret Service TigeraStatus"
)
_KIND_OF = {kind.lower(): kind for kind in _KINDS.split()}


class Shape(Struct, frozen=True):
    """A table that is recognised by some of its columns."""

    resource: str
    needs: frozenset[str]
    bars: frozenset[str] = frozenset()


def _shape(resource: str, needs: str, bars: str = "") -> Shape:
    return Shape(resource, frozenset(needs.split()), frozenset(bars.split()))


# First match wins, so what has more columns comes first.
_SHAPES = (
    _shape("pod", "READY STATUS RESTARTS"),
    _shape("node", "STATUS VERSION AGE"),
    _shape("nodemetrics", "CPU(cores) CPU%"),
    _shape("podmetrics", "CPU(cores)"),
    _shape("service", "CLUSTER-IP"),
    _shape("endpointslice", "ADDRESSTYPE"),
    _shape("endpoints", "ENDPOINTS"),
    _shape("deployment", "UP-TO-DATE AVAILABLE", "NODE-SELECTOR NODE_SELECTOR"),
    _shape("daemonset", "DESIRED CURRENT READY UP-TO-DATE"),
    _shape("daemonset", "DESIRED CURRENT NODE-SELECTOR"),
    _shape("replicaset", "DESIRED CURRENT READY"),
    _shape("tigerastatus", "AVAILABLE PROGRESSING DEGRADED", "VERSION"),
    _shape("lease", "HOLDER"),
    _shape("certificatesigningrequest", "REQUESTOR CONDITION"),
    _shape("apiservice", "SERVICE AVAILABLE"),
    _shape("networkpolicy", "POD-SELECTOR"),
    _shape("job", "COMPLETIONS"),
    _shape("secret", "TYPE DATA"),
    _shape("configmap", "DATA"),
    _shape("serviceaccount", "SECRETS"),
    _shape("componentstatus", "STATUS MESSAGE ERROR"),
    _shape("customresourcedefinition", "CREATED_AT"),
)


def singular(name: str) -> str:
    """The kind in singular lower case, of `po`, `Pods`, `daemonsets.apps`, `ippools.crd.projectcalico.org`."""
    word = name.partition(".")[0].lower()
    if word in _SHORT_NAMES:
        return _SHORT_NAMES[word]
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us")):
        return word[:-1]
    return word


def kind_of(resource: str | None) -> str | None:
    """The kind as an object writes it, of the singular that `singular` gives."""
    return _KIND_OF.get(resource or "")


def resource_of(columns: list[str]) -> str | None:
    """What a table lists, told by its headers alone."""
    present = {column.replace(" ", "_") for column in columns}
    return next((shape.resource for shape in _SHAPES if shape.needs <= present and not shape.bars & present), None)
