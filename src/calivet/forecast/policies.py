"""What network policies let through: asked in Felix's order, and what is not known may pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf

from msgspec import Struct

from calivet.facts.fact import Scalar
from calivet.facts.kubernetes import Object
from calivet.facts.selectors import Subject, fits

INGRESS, EGRESS = "Ingress", "Egress"
NAMESPACE_OF_POD = "projectcalico.org/namespace"
"""The label by which Calico knows the namespace of a pod."""
_NAMES_OF_NAMESPACE = ("projectcalico.org/name", "kubernetes.io/metadata.name")
_KUBERNETES = "networking.k8s.io"
_ORDER_OF_KUBERNETES = 1000.0
_DEFAULT_TIER = "default"
_DNS, _UDP = (53,), ("UDP", "17")
_API, _TCP = (443, 6443), ("TCP", "6")
"""A policy meets the port of the API server itself, which may be either."""
_FOR_HOSTS = ("spec.preDNAT", "spec.applyOnForward", "spec.doNotTrack")
_EVERYWHERE = ("0.0.0.0/0", "::/0")

Answer = bool | None
"""None where it cannot be told."""
Fields = Mapping[str, Scalar]


class Endpoint(Struct, frozen=True):
    """A pod, as far as it is known."""

    pod: Subject
    namespace: Subject

    @property
    def space(self) -> str | None:
        """The name of its namespace."""
        return self.pod.labels.get(NAMESPACE_OF_POD)


def build_endpoint(
    space: str | None, labels: Mapping[str, str | None] | None = None, *, never: Iterable[str] = ()
) -> Endpoint:
    """Some pod of a namespace, of which only these labels are known; without a name, of one that is none of `never`."""
    others = frozenset(never)
    own = {NAMESPACE_OF_POD: space, "projectcalico.org/orchestrator": "k8s", **(labels or {})}
    names = dict.fromkeys(_NAMES_OF_NAMESPACE, space)
    return Endpoint(Subject(own, is_complete=False, never=others), Subject(names, is_complete=False, never=others))


class Way(Struct, frozen=True):
    """Packets of one kind, a name lookup if not told otherwise, as one of their two ends meets them."""

    own: Endpoint
    peer: Endpoint
    direction: str
    protocols: tuple[str, str] = _UDP
    ports: tuple[int, ...] = _DNS
    to_host: bool = False
    """Whether the other end is a machine, which no selector of Kubernetes' policies means."""


def find_blocker(policies: Sequence[Object], client: Endpoint, server: Endpoint) -> Object | None:
    """The policy because of which name lookups cannot get from one to the other; None where they may."""
    leaving = _find_end(policies, Way(client, server, EGRESS))
    return leaving or _find_end(policies, Way(server, client, INGRESS))


def find_api_blocker(policies: Sequence[Object], client: Endpoint) -> Object | None:
    """The policy because of which a pod cannot ask the API server; None where it may."""
    machine = Endpoint(Subject({}, is_complete=False), Subject({}, is_complete=False))
    return _find_end(policies, Way(client, machine, EGRESS, _TCP, _API, to_host=True))


def _find_end(policies: Sequence[Object], way: Way) -> Object | None:
    passing = {one.name for one in policies if one.kind == "Tier" and one.values.get("spec.defaultAction") == "Pass"}
    for name, tier in _sort_tiers(policies):
        selecting: list[Object] = []
        for policy in tier:
            is_selected = does_apply(policy, way.own, way.direction)
            verdict = None if is_selected is False else _judge(policy, way)
            if verdict in ("Allow", "Pass"):
                return None
            if verdict == "Deny" and is_selected:
                return policy
            if is_selected:
                selecting.append(policy)
        if selecting and name not in passing:
            return min(selecting, key=lambda policy: len(list_rules(policy, way.direction)))
    return None


def _judge(policy: Object, way: Way) -> str | None:
    """What it does with the lookup; a rule that may or may not match is taken to match if it lets through."""
    if policy.partial:
        return "Allow"
    for rule in list_rules(policy, way.direction):
        action, match = str(rule.get(".action", "Allow")), _match_rule(rule, way, is_calicos=is_calicos(policy))
        if match is True and action in ("Allow", "Pass", "Deny"):
            return action
        if match is None and action in ("Allow", "Pass"):
            return action
    return None


def _sort_tiers(policies: Sequence[Object]) -> list[tuple[str, list[Object]]]:
    orders = {one.name: _read_number(one.values.get("spec.order")) for one in policies if one.kind == "Tier"}
    tiers: dict[str, list[Object]] = {}
    for policy in policies:
        if policy.kind != "Tier":
            tiers.setdefault(str(policy.values.get("spec.tier") or _DEFAULT_TIER), []).append(policy)
    ranked = sorted(tiers, key=lambda name: (orders.get(name, inf), name == _DEFAULT_TIER, name))
    return [(name, sorted(tiers[name], key=_rank_policy)) for name in ranked]


def _rank_policy(policy: Object) -> tuple[float, str]:
    order = _read_number(policy.values.get("spec.order")) if is_calicos(policy) else _ORDER_OF_KUBERNETES
    return order, policy.name or ""


def _read_number(value: Scalar) -> float:
    return float(value) if isinstance(value, int | float) else inf


def is_calicos(policy: Object) -> bool:
    """Calico's own kind, not that of Kubernetes."""
    return policy.kind != "NetworkPolicy" or not (
        (policy.api or "").startswith(_KUBERNETES) or any(path.startswith("spec.podSelector") for path in policy.values)
    )


# Whom a policy selects, and in which direction.
def list_directions(policy: Object) -> list[str]:
    """The directions that it covers, stated or implied by its rules."""
    listed = [
        str(value)
        for path, value in policy.values.items()
        if path.startswith(("spec.policyTypes[", "spec.types[")) and str(value) in (INGRESS, EGRESS)
    ]
    if listed:
        return listed
    leaves = [EGRESS] if list_rules(policy, EGRESS) else []
    enters = not leaves or not is_calicos(policy) or bool(list_rules(policy, INGRESS))
    return [*([INGRESS] if enters else []), *leaves]


def list_rules(policy: Object, direction: str) -> list[dict[str, Scalar]]:
    """Its rules for a direction, each by the rest of the path; an empty list reads as none."""
    return _split(policy.values, f"spec.{direction.lower()}[")


def does_apply(policy: Object, own: Endpoint, direction: str) -> Answer:
    """Whether the policy holds for the pod in this direction."""
    if direction not in list_directions(policy) or any(policy.values.get(path) for path in _FOR_HOSTS):
        return False
    if not is_calicos(policy):
        selected = _match_labels(policy.values, "spec.podSelector", own.pod)
        return _join_all((_is_in_namespace(policy, own), selected))
    answers = [fits(str(policy.values.get("spec.selector") or "all()"), own.pod)]
    if policy.kind == "NetworkPolicy":
        answers.append(_is_in_namespace(policy, own))
    if spaces := policy.values.get("spec.namespaceSelector"):
        answers.append(fits(str(spaces), own.namespace))
    if policy.values.get("spec.serviceAccountSelector"):
        answers.append(None)
    return _join_all(answers)


def _is_in_namespace(policy: Object, own: Endpoint) -> Answer:
    if policy.namespace is None:
        return None
    return fits(f"{NAMESPACE_OF_POD} == '{policy.namespace}'", own.pod)


# Which lookups a rule matches.
def _match_rule(rule: Fields, way: Way, *, is_calicos: bool) -> Answer:
    return _match_calicos(rule, way) if is_calicos else _match_kubernetes(rule, way)


def _match_calicos(rule: Fields, way: Way) -> Answer:
    near, far = (".source.", ".destination.") if way.direction == EGRESS else (".destination.", ".source.")
    protocol = rule.get(".protocol")
    answers: list[Answer] = [protocol is None or str(protocol).upper() in way.protocols, _match_ports(rule, way)]
    for path, value in rule.items():
        if path.startswith(far) and "orts[" not in path:
            answers.append(_match_entity(path[len(far) :], str(value), way.peer))
        elif path.startswith((".http", ".icmp", ".not", ".ipVersion", near)) and not path.startswith(
            ".destination.ports["
        ):
            answers.append(None)
    nets = [str(value) for path, value in rule.items() if path.startswith(f"{far}nets[")]
    if nets and not set(nets) & set(_EVERYWHERE):
        answers.append(None)
    return _join_all(answers)


def _match_entity(field: str, value: str, peer: Endpoint) -> Answer:
    if field == "selector":
        return fits(value, peer.pod)
    if field == "namespaceSelector":
        return fits(value, peer.namespace)
    return True if field.startswith("nets[") else None


def _match_ports(rule: Fields, way: Way) -> Answer:
    ports = [str(value) for path, value in rule.items() if path.startswith(".destination.ports[")]
    if not ports:
        return None if any("orts[" in path for path in rule) else True
    return _join_any(_match_port(port, way) for port in ports)


def _match_port(port: str, way: Way) -> Answer:
    """Whether it is the port of these packets; where that may be one of several, one match leaves it open."""
    first, _, last = port.partition(":")
    if not first.isdigit():
        return None
    found = {int(first) <= wanted <= int(last if last.isdigit() else first) for wanted in way.ports}
    return found.pop() if len(found) == 1 else None


def _match_kubernetes(rule: Fields, way: Way) -> Answer:
    peers = _split(rule, ".to[" if way.direction == EGRESS else ".from[")
    ports = _split(rule, ".ports[")
    matched = [True if not peers else _join_any(_match_peer(peer, way) for peer in peers)]
    return _join_all([*matched, True if not ports else _join_any(_match_described_port(port, way) for port in ports)])


def _split(fields: Fields, head: str) -> list[dict[str, Scalar]]:
    found: dict[str, dict[str, Scalar]] = {}
    for path, value in fields.items():
        if path.startswith(head):
            number, _, rest = path[len(head) :].partition("]")
            found.setdefault(number, {})[rest] = value
    return list(found.values())


def _match_peer(peer: Fields, way: Way) -> Answer:
    if any(path.startswith(".ipBlock") for path in peer):
        return None
    if way.to_host:
        return False
    spaces = [path for path in peer if path.startswith(".namespaceSelector")]
    # Without a selector of namespaces it means pods of the policy's own.
    same = fits(f"{NAMESPACE_OF_POD} == '{way.own.space}'", way.peer.pod) if way.own.space else None
    near = _match_labels(peer, ".namespaceSelector", way.peer.namespace) if spaces else same
    return _join_all((near, _match_labels(peer, ".podSelector", way.peer.pod)))


def _match_labels(fields: Fields, head: str, subject: Subject) -> Answer:
    """A selector of Kubernetes'; one that is empty, or not there, selects all."""
    answers: list[Answer] = []
    for path, value in fields.items():
        if path.startswith(f"{head}.matchLabels."):
            answers.append(fits(f"{path[len(head) + len('.matchLabels.') :]} == '{value}'", subject))
        elif path.startswith(f"{head}.matchExpressions["):
            answers.append(None)
    return _join_all(answers)


def _match_described_port(port: Fields, way: Way) -> Answer:
    number, last = port.get(".port"), port.get(".endPort")
    if str(port.get(".protocol") or "TCP").upper() not in way.protocols:
        return None if number in (None, *way.ports) else False
    return True if number is None else _match_port(f"{number}:{last}" if last else str(number), way)


def _join_all(answers: Iterable[Answer]) -> Answer:
    found = set(answers)
    return False if False in found else None if None in found else True


def _join_any(answers: Iterable[Answer]) -> Answer:
    found = set(answers)
    return True if True in found else None if None in found else False
