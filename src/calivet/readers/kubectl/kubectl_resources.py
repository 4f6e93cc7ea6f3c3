"""The kinds of Kubernetes resources: their many names, the columns that give them away, Calico's own definitions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.evidence.artifact import Artifact
from calivet.facts.fact import Fact
from calivet.facts.kubernetes import DefinedKinds, DefinitionMade, UnknownKind
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

_SHORT_NAMES = {
    "bgpconfig": "bgpconfiguration",
    "bgpconfigs": "bgpconfiguration",
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
    "felixconfig": "felixconfiguration",
    "felixconfigs": "felixconfiguration",
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
    " Node Pod Secret Service ServiceAccount TigeraStatus"
)
_KIND_OF = {kind.lower(): kind for kind in _KINDS.split()}


class Shape(Struct, frozen=True):
    """A table that is recognised by some of its columns."""

    resource: str
    needs: frozenset[str]
    bars: frozenset[str] = frozenset()


def _build_shape(resource: str, needs: str, bars: str = "") -> Shape:
    return Shape(resource, frozenset(needs.split()), frozenset(bars.split()))


# First match wins, so what has more columns comes first.
_SHAPES = (
    _build_shape("pod", "READY STATUS RESTARTS"),
    _build_shape("node", "STATUS VERSION AGE"),
    _build_shape("nodemetrics", "CPU(cores) CPU%"),
    _build_shape("podmetrics", "CPU(cores)"),
    _build_shape("service", "CLUSTER-IP"),
    _build_shape("endpointslice", "ADDRESSTYPE"),
    _build_shape("endpoints", "ENDPOINTS"),
    _build_shape("deployment", "UP-TO-DATE AVAILABLE", "NODE-SELECTOR NODE_SELECTOR"),
    _build_shape("daemonset", "DESIRED CURRENT READY UP-TO-DATE"),
    _build_shape("daemonset", "DESIRED CURRENT NODE-SELECTOR"),
    _build_shape("replicaset", "DESIRED CURRENT READY"),
    _build_shape("tigerastatus", "AVAILABLE PROGRESSING DEGRADED", "VERSION"),
    _build_shape("lease", "HOLDER"),
    _build_shape("certificatesigningrequest", "REQUESTOR CONDITION"),
    _build_shape("apiservice", "SERVICE AVAILABLE"),
    _build_shape("networkpolicy", "POD-SELECTOR"),
    _build_shape("job", "COMPLETIONS"),
    _build_shape("secret", "TYPE DATA"),
    _build_shape("configmap", "DATA"),
    _build_shape("serviceaccount", "SECRETS"),
    _build_shape("componentstatus", "STATUS MESSAGE ERROR"),
    _build_shape("customresourcedefinition", "CREATED_AT"),
)


def find_singular(name: str) -> str:
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


def find_kind(resource: str | None) -> str | None:
    """The kind as an object writes it, of the singular that `singular` gives."""
    return _KIND_OF.get(resource or "")


def find_resource(columns: list[str]) -> str | None:
    """What a table lists, told by its headers alone."""
    present = {column.replace(" ", "_") for column in columns}
    return next((shape.resource for shape in _SHAPES if shape.needs <= present and not shape.bars & present), None)


# Custom resource definitions: lists of Calico's, kinds that somebody did not know, definitions that were made.
_ASKS_FOR_LIST = expression(
    r"\bget\s+(?:crds?|customresourcedefinitions?)\b(?!\s+\w)|\bapi-resources\b.*--api-group=crd\.projectcalico\.org"
)
_CUT_LIST = expression(r"\bhead\b|\btail\b|\bwc\b")
_DEFINITION_NAME = expression(r"(?P<kind>[a-z]+)\.crd\.projectcalico\.org\b")
_NOT_KNOWN = expression(r"no matches for kind \\?\"(?P<kind>\w+)")
_MADE_DEFINITION = expression(
    r"customresourcedefinition\S{0,60}/(?P<plural>[a-z]{1,63})\.\S{1,150} "
    r"(?:created|configured|unchanged|serverside-applied)"
)


def _read_definitions(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    unknown: set[str] = set()
    for index in anchors:
        for found in _NOT_KNOWN.finditer(artifact.lines[index]):
            if (kind := found["kind"].lower()) not in unknown:
                unknown.add(kind)
                yield UnknownKind(at=artifact.at(index), kind=kind)
        if made := _MADE_DEFINITION.search(artifact.lines[index]):
            yield DefinitionMade(at=artifact.at(index), plural=made["plural"])
    command = artifact.command or ""
    if _ASKS_FOR_LIST.search(command) and not _CUT_LIST.search(command) and (listed := _find_listed(artifact)):
        yield DefinedKinds(at=artifact.at(min(listed.values())), kinds=tuple(listed))


def _find_listed(artifact: Artifact) -> dict[str, int]:
    """Each kind of the list with the index of its line."""
    found = ((index, _DEFINITION_NAME.search(line)) for index, line in enumerate(artifact.lines))
    return {name["kind"]: index for index, name in found if name}


DEFINITIONS_READER = read_statements(
    _read_definitions,
    anchor=expression(r"no matches for kind |customresourcedefinition\S*/[a-z]"),
    command=_ASKS_FOR_LIST,
    notes=True,
)
