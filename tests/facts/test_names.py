from calivet.facts.names import Names

NODES = ["node-1", "node-10", "edge.example.net", "edge.other.net", "Store7.example.net"]
NAMES = Names(NODES, {"10.9.0.5": "node-10"})


def test_case_short_names_and_addresses_lead_to_the_node():
    assert NAMES.node("NODE-1") == "node-1"
    assert NAMES.node("store7") == "Store7.example.net"
    assert NAMES.node("node-10.cluster.local") == "node-10"
    assert NAMES.node("10.9.0.5") == "node-10"


def test_an_ambiguous_short_name_is_nobody():
    assert NAMES.node("edge") is None


def test_unknown_machines_are_not_nodes():
    assert NAMES.node("bastion") is None
    assert NAMES.node("10.9.0.6") is None
    assert NAMES.node(None) is None


def test_a_name_inside_a_longer_name_is_not_mentioned():
    assert NAMES.mentioned("the log of node-10:") == ["node-10"]
    assert NAMES.mentioned("node-1 and node-10 restart") == ["node-1", "node-10"]
    assert NAMES.mentioned("在node-1上执行") == ["node-1"]
