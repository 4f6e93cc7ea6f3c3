from calivet.facts.fact import Version
from calivet.facts.kubernetes import Row
from calivet.signs.api.rights import SIGNS
from tests.signs.made_pictures import line, output, picture, thing

ADMIN = Row(at=line(), resource="clusterrolebinding", name="cluster-admin", cells={"ROLE": "ClusterRole/cluster-admin"})
BLOCKS = Row(at=line(), resource="blockaffinity", name="b", cells={})
AGENT = output(
    "kubectl get daemonsets -n kube-system calico-node -o yaml",
    """
    apiVersion: apps/v1
    kind: DaemonSet
    metadata: {name: calico-node, namespace: kube-system}
    spec:
      template:
        spec:
          serviceAccountName: calico-node
    """,
)
KINDS = "clusterinformations felixconfigurations ippools blockaffinities ipamblocks ipamhandles".split()


def bound(role, account):
    cells = {"ROLE": f"ClusterRole/{role}", "SERVICEACCOUNTS": account}
    return Row(at=line(), resource="clusterrolebinding", name=role, cells=cells)


def role(name, *rules):
    values: dict[str, object] = {}
    for number, (groups, resources, verbs, *names) in enumerate(rules):
        fields = {"apiGroups": groups, "resources": resources, "verbs": verbs, "resourceNames": names}
        for field, entries in fields.items():
            values |= {f"rules[{number}].{field}[{place}]": entry for place, entry in enumerate(entries)}
    return thing("ClusterRole", name, **values)


CORE = ([""], ["nodes", "nodes/status", "pods"], ["get", "list", "patch"])
OWN = (["crd.projectcalico.org"], KINDS, ["*"])


def seen(name, *facts):
    from calivet.readers.read import read

    daemonset, _ = read(AGENT)
    return list(SIGNS[name](picture(ADMIN, BLOCKS, *facts, *daemonset)))


def test_an_account_without_any_role():
    (found,) = seen("account-without-role", bound("calico-node", "calico-system/calico-node"))
    assert found.values["account"] == "kube-system/calico-node"
    assert not seen("account-without-role", bound("calico-node", "kube-system/calico-node"))


def test_a_list_that_is_not_whole_proves_nothing():
    from calivet.readers.read import read

    daemonset, _ = read(AGENT)
    assert not list(SIGNS["account-without-role"](picture(*daemonset)))


def test_a_role_that_leaves_out_what_calico_needs():
    own = bound("calico-node", "kube-system/calico-node")
    assert not seen("right-missing", own, role("calico-node", CORE, OWN))
    (found,) = seen("right-missing", own, role("calico-node", CORE, (["crd.projectcalico.org"], KINDS[1:], ["*"])))[:1]
    assert found.values["resource"] == "clusterinformations.crd.projectcalico.org"
    assert not seen("right-missing", own, role("calico-node", (["*"], ["*"], ["*"])))


def test_a_role_that_was_not_read_may_allow_anything():
    own = bound("calico-node", "kube-system/calico-node")
    more = bound("extra", "kube-system/calico-node")
    assert not seen("right-missing", own, more, role("calico-node", CORE))


def test_the_plugin_has_an_account_of_its_own():
    token = ([""], ["serviceaccounts/token"], ["create"], "calico-cni-plugin")
    facts = [bound("calico-node", "kube-system/calico-node"), bound("plugin", "kube-system/calico-cni-plugin")]
    less = (["crd.projectcalico.org"], ["clusterinformations", "ippools"], ["get", "list"])
    (found,) = seen("right-missing", *facts, role("calico-node", CORE, OWN, token), role("plugin", CORE, less))
    assert (found.values["account"], found.values["verb"]) == ("kube-system/calico-cni-plugin", "create")


def test_who_makes_the_tokens_of_the_plugin():
    grants = [bound("calico-node", "kube-system/calico-node"), bound("plugin", "kube-system/calico-cni-plugin")]
    narrow = role("calico-node", CORE, OWN)
    tokens = ([""], ["serviceaccounts/token"], ["create"], "calico-cni-plugin")
    new = Version(at=line(), program="calico", version="v3.30.4")
    (found,) = seen("right-missing", *grants, narrow, role("plugin", CORE, OWN), new)
    assert found.values["resource"] == "serviceaccounts/token"
    assert not seen("right-missing", *grants, role("calico-node", CORE, OWN, tokens), role("plugin", CORE, OWN), new)
    old = Version(at=line(), program="calico", version="v3.19.1")
    assert not seen("right-missing", *grants, narrow, role("plugin", CORE, OWN), old)
    assert not seen("right-missing", grants[0], narrow, new)
