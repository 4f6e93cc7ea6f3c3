import pytest

from calivet.catalogue.model import Catalogue, Effect
from calivet.messages.words import Words
from calivet.reasoning.graph import Graph, find_absent_edges
from tests.facts.drawing import picture_of
from tests.reasoning.made_up import cause


def graph(**edges):
    effects = {name: Effect(id=name, title=Words(name, name), leads_to=after) for name, after in edges.items()}
    return Graph(Catalogue(causes={}, effects=effects, questions={}, harmless={}))


def test_the_chain_takes_the_way_that_was_seen_and_ends_at_the_last_sight():
    house = graph(a=["b", "c"], b=["d"], c=["e"], d=[], e=["f"], f=[])
    assert house.chain("a", {"c", "e"}) == ["a", "c", "e"]
    assert house.chain("a", {"e", "f"}) == ["a", "c", "e", "f"]
    assert house.chain("a", {"b", "e", "f"}) == ["a", "c", "e", "f"]
    assert house.chain("a", {"f"}) == ["a"]
    assert house.chain("a", set()) == ["a"]


def test_reaching_is_transitive():
    house = graph(a=["b"], b=["c"], c=[])
    assert house.leads("a", "c")
    assert not house.leads("c", "a")


def test_a_cycle_does_not_hang():
    house = graph(a=["b"], b=["a"])
    assert house.chain("a", {"b"})[0] == "a"


def test_effects_are_explained_only_through_what_was_seen():
    house = graph(a=["b"], b=["c"], c=["d"], d=["e"], e=[])
    assert house.list_explained_effects("a", {"b", "c", "e"}) == ["b", "c"]
    assert house.list_explained_effects("a", {"c", "d"}) == ["c", "d"]
    assert house.list_explained_effects("a", {"d"}) == []


def test_a_cause_that_was_not_found_is_no_link_of_the_chain():
    effects = {name: Effect(id=name, title=Words(name, name), leads_to=[]) for name in ("dark", "cold")}
    other = cause("other", leads_to=["cold"])
    house = Graph(
        Catalogue(
            causes={"fault": cause("fault", leads_to=["other", "dark"]), "other": other},
            effects=effects,
            questions={},
            harmless={},
        )
    )
    assert house.chain("fault", {"cold"}) == ["fault"]
    assert house.chain("fault", {"cold", "other"}) == ["fault", "other", "cold"]


POOL = "$ calicoctl get ippool -o wide\nNAME   CIDR            NAT    IPIPMODE   VXLANMODE   DISABLED   SELECTOR\npods   10.244.0.0/16   true   {}   {}   false      all()\n"
RELEASE = "$ kubectl get ds -n kube-system -o wide\nNAME          DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR   AGE   CONTAINERS    IMAGES                 SELECTOR\ncalico-node   3         3         3       3            3           <none>          9d    calico-node   calico/node:v{}   k8s-app=calico-node\n"


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("", True),
        (POOL.format("Always", "Never "), True),
        (POOL.format("Never ", "Always"), False),
        (POOL.format("Always", "Never ") + RELEASE.format("3.31.2"), True),
        (POOL.format("Always", "Never ") + RELEASE.format("3.33.0"), False),
        (
            POOL.format("Never ", "Never ")
            + "$ kubectl get felixconfiguration default -o yaml\nkind: FelixConfiguration\nmetadata:\n  name: default\nspec:\n  programClusterRoutes: Enabled\n",
            False,
        ),
    ],
    ids=["unknown", "IP-in-IP", "VXLAN", "IP-in-IP by BIRD", "IP-in-IP by Felix", "told to"],
)
def test_traffic_needs_bgp_only_where_routes_come_from_it(text, needed):
    absent = find_absent_edges(picture_of(text))
    assert (("bgp-down", "traffic-lost") not in absent) == needed
