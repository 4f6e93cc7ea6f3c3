"""Signs in what the roles of Calico's accounts allow, where all of them were read."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.fact import Scalar, Variable
from calivet.facts.kubernetes import Object, Row
from calivet.facts.platform import Minor, find_newest_calico
from calivet.facts.roles import is_node_daemonset
from calivet.signs.sighting import Sighting

_CALICO = ("crd.projectcalico.org", "projectcalico.org")
_CORE = ("",)
_ADMIN = "ClusterRole/cluster-admin"
"""Every cluster that asks for rights at all has a binding of this role: a list without it is not whole."""
_ROLE = "ClusterRole/"
_EVERYBODY = ("system:serviceaccounts", "system:authenticated")
_ALL = "*"


class Right(Struct, frozen=True):
    """Something that an account must be allowed."""

    groups: tuple[str, ...]
    resource: str
    verb: str


# No release does without these, however it was installed.
_AGENT_NEEDS = (
    Right(_CORE, "nodes", "get"),
    Right(_CORE, "nodes/status", "patch"),
    Right(_CALICO, "clusterinformations", "get"),
    Right(_CALICO, "felixconfigurations", "get"),
    Right(_CALICO, "ippools", "list"),
)
_PLUGIN_NEEDS = (
    Right(_CORE, "pods", "get"),
    Right(_CALICO, "clusterinformations", "get"),
    Right(_CALICO, "ippools", "list"),
)
# Where Calico gives out the addresses itself.
_IPAM_NEEDS = (
    Right(_CALICO, "blockaffinities", "create"),
    Right(_CALICO, "ipamblocks", "update"),
    Right(_CALICO, "ipamhandles", "create"),
)

_TOKENS = Right(_CORE, "serviceaccounts/token", "create")
_SINCE_TOKENS: Minor = (3, 24)
"""From here on calico-node makes the plugin's token, anew before each ends."""
_UNKNOWN: Minor = (0, 0)

Rule = dict[str, set[str]]
"""apiGroups, resources, verbs and resourceNames of a rule."""


def find_account_without_role(cluster: ClusterFacts) -> Iterator[Sighting]:
    """All bindings were listed, and none gives calico-node's account, or the plugin's, a role."""
    for daemonset, account in _list_accounts(cluster):
        if not _list_bindings(cluster, account):
            yield Sighting(line=daemonset.at, values={"account": account})


def find_right_missing(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The roles of an account were all read, and leave out what it cannot do without."""
    for daemonset, account in _list_accounts(cluster):
        rules = _collect_rules(cluster, account)
        plugin = _find_plugin(rules, daemonset.namespace) if rules else None
        if not rules:
            continue
        yield from _check(cluster, account, rules, _AGENT_NEEDS)
        if plugin is None and _has_plugin_account(cluster, daemonset.namespace):
            yield from _check(cluster, account, rules, (_TOKENS,))
        theirs = rules if plugin in (None, account) else _collect_rules(cluster, str(plugin))
        if theirs:
            uses_ipam = any(row.resource == "blockaffinity" for row in cluster.all(Row))
            yield from _check(cluster, plugin or account, theirs, (*_PLUGIN_NEEDS, *(_IPAM_NEEDS if uses_ipam else ())))


def _has_plugin_account(cluster: ClusterFacts, namespace: str | None) -> bool:
    """Whether the plugin has an account of its own, whose tokens calico-node has to make."""
    is_new = find_newest_calico(cluster, unknown=_UNKNOWN) >= _SINCE_TOKENS
    return is_new and bool(_list_bindings(cluster, f"{namespace}/calico-cni-plugin"))


def _check(cluster: ClusterFacts, account: str, rules: list[Rule], needs: tuple[Right, ...]) -> Iterator[Sighting]:
    missing = next((need for need in needs if not any(_does_allow(rule, need) for rule in rules)), None)
    role = _list_bindings(cluster, account)
    if missing and role:
        group = missing.groups[0]
        resource = f"{missing.resource}.{group}" if group else missing.resource
        line = next(thing.at for thing in _list_roles(cluster) if thing.name == role[0])
        values = {"account": account, "verb": missing.verb, "resource": resource, "role": role[0]}
        yield Sighting(line=line, values=values)


def _does_allow(rule: Rule, need: Right) -> bool:
    groups, resources, verbs = (rule.get(name, set()) for name in ("apiGroups", "resources", "verbs"))
    return (
        not rule.get("resourceNames")
        and bool({_ALL, *need.groups} & groups)
        and bool({_ALL, need.resource} & resources)
        and bool({_ALL, need.verb} & verbs)
    )


def _list_accounts(cluster: ClusterFacts) -> Iterator[tuple[Object, str]]:
    """calico-node's account as its DaemonSet names it, where all bindings are known and the datastore is Kubernetes."""
    is_known = any(row.cells.get("ROLE") == _ADMIN for row in _list_binding_rows(cluster))
    etcd = any(one.name == "DATASTORE_TYPE" and one.value.startswith("etcd") for one in cluster.all(Variable))
    for thing in cluster.all(Object) if is_known and not etcd else ():
        account = thing.values.get("spec.template.spec.serviceAccountName")
        if thing.kind == "DaemonSet" and is_node_daemonset(thing.name or "") and account and not thing.partial:
            yield thing, f"{thing.namespace}/{account}"


def _find_plugin(rules: list[Rule], namespace: str | None) -> str | None:
    """The account for which calico-node makes the plugin's token; the plugin of old releases uses calico-node's own."""
    for rule in rules:
        names = rule.get("resourceNames", set())
        if "serviceaccounts/token" in rule.get("resources", set()) and names:
            return f"{namespace}/{min(names)}"
    return None


@once
def _list_binding_rows(cluster: ClusterFacts) -> list[Row]:
    return [row for row in cluster.all(Row) if row.resource == "clusterrolebinding"]


def _list_bindings(cluster: ClusterFacts, account: str) -> list[str]:
    """The roles that the account has, by itself or with all others; what Kubernetes gives everybody is left out."""
    namespace = account.partition("/")[0]
    found = []
    for row in _list_binding_rows(cluster):
        subjects = [one.strip() for one in row.cells.get("SERVICEACCOUNTS", "").split(",")]
        groups = {one.strip() for one in row.cells.get("GROUPS", "").split(",")}
        shared = groups & {*_EVERYBODY, f"{_EVERYBODY[0]}:{namespace}"}
        role = row.cells.get("ROLE", "").removeprefix(_ROLE)
        if (account in subjects or shared) and not role.startswith("system:"):
            found.append(role)
    return found


def _collect_rules(cluster: ClusterFacts, account: str) -> list[Rule]:
    """All that the account may do; nothing where one of its roles was not read."""
    known = {thing.name: thing for thing in _list_roles(cluster)}
    names = _list_bindings(cluster, account)
    if not names or any(name not in known for name in names):
        return []
    return [rule for name in names for rule in _read_rules(known[name].values)]


@once
def _list_roles(cluster: ClusterFacts) -> list[Object]:
    return [thing for thing in cluster.all(Object) if thing.kind == "ClusterRole" and not thing.partial]


def _read_rules(values: dict[str, Scalar]) -> list[Rule]:
    rules: dict[str, Rule] = {}
    for path, value in values.items():
        number, _, field = path.partition("].")
        if number.startswith("rules["):
            rules.setdefault(number, {}).setdefault(field.partition("[")[0], set()).add(str(value or ""))
    return list(rules.values())


SIGNS = {
    "account-without-role": find_account_without_role,
    "right-missing": find_right_missing,
}
