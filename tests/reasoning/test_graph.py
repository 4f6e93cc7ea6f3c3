from calivet.catalogue.model import Catalogue, Effect
from calivet.catalogue.words import Words
from calivet.reasoning.graph import Graph


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
    assert house.explained("a", {"b", "c", "e"}) == ["b", "c"]
    assert house.explained("a", {"c", "d"}) == ["c", "d"]
    assert house.explained("a", {"d"}) == []
