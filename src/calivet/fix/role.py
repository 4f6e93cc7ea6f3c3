"""The ClusterRole for fixing: what the steps of the catalogue change, and no more; apart from the one for reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calivet.catalogue.model import Catalogue, Cause
from calivet.fix.commands import does_change, find_foreign_program, needs_person
from calivet.live.needs import APPS, CALICO, CALICO_API, CORE, OPERATOR
from calivet.search.expressions import expression

NAME = "calivet-fixer"
Rules = dict[tuple[str, str], set[str]]
"""By group and resource the verbs."""

_CALL = expression(
    r"\bkubectl (?:-n \S{1,80} )?([a-z]{2,12})((?: (?:\"[^\"]{0,400}\"|'[^']{0,400}'|[^|;&\n)\"' ]{1,200})){1,14})"
)
_KINDS = {
    "configmap": (CORE, "configmaps"),
    "cm": (CORE, "configmaps"),
    "secret": (CORE, "secrets"),
    "serviceaccount": (CORE, "serviceaccounts"),
    "serviceaccounts": (CORE, "serviceaccounts"),
    "node": (CORE, "nodes"),
    "nodes": (CORE, "nodes"),
    "pod": (CORE, "pods"),
    "pods": (CORE, "pods"),
    "ns": (CORE, "namespaces"),
    "namespace": (CORE, "namespaces"),
    "namespaces": (CORE, "namespaces"),
    "endpoints": (CORE, "endpoints"),
    "events": (CORE, "events"),
    "service": (CORE, "services"),
    "svc": (CORE, "services"),
    "daemonset": (APPS, "daemonsets"),
    "ds": (APPS, "daemonsets"),
    "deployment": (APPS, "deployments"),
    "deploy": (APPS, "deployments"),
    "statefulset": (APPS, "statefulsets"),
    "installation": (OPERATOR, "installations"),
    "apiservice": ("apiregistration.k8s.io", "apiservices"),
    "crd": ("apiextensions.k8s.io", "customresourcedefinitions"),
    "clusterrole": ("rbac.authorization.k8s.io", "clusterroles"),
    "clusterrolebinding": ("rbac.authorization.k8s.io", "clusterrolebindings"),
    "rolebinding": ("rbac.authorization.k8s.io", "rolebindings"),
    "helmchartconfig": ("helm.cattle.io", "helmchartconfigs"),
    "psp": ("policy", "podsecuritypolicies"),
}
_CHANGED = ("get", "patch")
_VERBS = {
    "get": ("get", "list"),
    "patch": _CHANGED,
    "annotate": _CHANGED,
    "label": _CHANGED,
    "set": _CHANGED,
    "scale": _CHANGED,
    "rollout": _CHANGED,
    # What is deleted is made again by an undo, and what is made is deleted.
    "delete": ("get", "list", "delete", "create"),
    "create": ("get", "create", "delete"),
}
_SUBWORDS = {"env", "resources", "image", "restart", "status", "undo", "generic"}
# The lock, and what the guards look at.
_ALWAYS: Rules = {
    ("coordination.k8s.io", "leases"): {"get", "create", "patch", "delete"},
    (CORE, "events"): {"create"},
    (CORE, "nodes"): {"get", "list"},
}
_DRAIN: Rules = {
    (CORE, "nodes"): {"get", "patch"},
    (CORE, "pods"): {"get", "list"},
    (CORE, "pods/eviction"): {"create"},
}


def collect_rules(causes: Iterable[Cause]) -> Rules:
    """What the steps of these causes need that calivet takes itself."""
    rules: Rules = {key: set(verbs) for key, verbs in _ALWAYS.items()}
    for cause in causes:
        for step in cause.fix:
            if does_change(step.run) and not needs_person(step.run) and not find_foreign_program(step.run):
                for key, verbs in _list_needs(f"{step.save}\n{step.run}"):
                    rules.setdefault(key, set()).update(verbs)
    return rules


def _list_needs(command: str) -> Iterator[tuple[tuple[str, str], Iterable[str]]]:
    for found in _CALL.finditer(command):
        verb, words = found[1], found[2].split()
        if verb in ("drain", "cordon", "uncordon"):
            yield from _DRAIN.items()
        elif verb == "apply":
            yield from _list_applied(command)
        elif verb in _VERBS:
            for kind in _find_kinds(words):
                for key in _resolve(kind):
                    yield key, _VERBS[verb]
    if "kubectl patch $p" in command:
        yield from (((group, "ippools"), _CHANGED) for group in (CALICO, CALICO_API))


def _list_applied(command: str) -> Iterator[tuple[tuple[str, str], Iterable[str]]]:
    """A manifest of Calico's definitions, or the document in the command."""
    kind = "helmchartconfig" if "HelmChartConfig" in command else "crd"
    yield _KINDS[kind], ("get", "create", "patch", "delete")


def _find_kinds(words: list[str]) -> list[str]:
    """The first word that is neither an option nor a value of one."""
    skip = False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and word in ("-n", "-l", "-o", "-c", "-p", "-f", "--type", "--field-selector")
        elif word not in _SUBWORDS:
            return word.split("/")[0].split(",")
    return []


def _resolve(kind: str) -> Iterator[tuple[str, str]]:
    """Calico's resources are served in one group or the other."""
    name, _, group = kind.partition(".")
    if kind in _KINDS:
        yield _KINDS[kind]
    elif kind == "{kind}":  # of an object of Calico's that is being deleted
        yield from (_KINDS[one] for one in ("serviceaccount", "clusterrole", "clusterrolebinding"))
    elif group in ("{api_group}", CALICO, CALICO_API):
        yield from ((one, name) for one in (CALICO, CALICO_API))
    elif group and "{" not in kind and "$" not in kind:
        yield group, name


def write_fix_role(catalogue: Catalogue, causes: Iterable[str] = ()) -> str:
    """As YAML; for all causes, or for those that are named."""
    chosen = [catalogue.causes[name] for name in causes] or list(catalogue.causes.values())
    lines = [
        "# What `calivet fix` changes, beside what `calivet access --role` lets it read. Bind it while it is needed.",
        "apiVersion: rbac.authorization.k8s.io/v1",
        "kind: ClusterRole",
        "metadata:",
        f"  name: {NAME}",
        "rules:",
    ]
    for (group, resource), verbs in sorted(collect_rules(chosen).items()):
        lines.append(f'  - apiGroups: ["{group}"]')
        lines.append(f'    resources: ["{resource}"]')
        lines.append(f"    verbs: [{', '.join(sorted(verbs))}]")
    return "\n".join(lines) + "\n"
