from calivet.facts.host import Interface
from calivet.facts.kubernetes import Node
from calivet.signs.felix.dataplane import SIGNS
from tests.signs.made_pictures import line, output, picture, thing

KEY = "projectcalico.org/WireguardPublicKey"


def seen(name, *facts):
    return list(SIGNS[name](picture(*facts)))


def device(host, *addresses, exists=True):
    return Interface(at=line(), name="wireguard.cali", addresses=addresses, host=host, exists=exists)


def node(name, **annotations):
    return Node(at=line(), name=name, annotations=annotations)


def test_a_device_without_the_address_that_others_have():
    (found,) = seen("wireguard-device-without-address", device("wk-1", "10.7.3.1/32"), device("wk-2"))
    assert found.node == "wk-2"
    assert not seen("wireguard-device-without-address", device("wk-2"))


def test_a_key_of_a_node_without_a_device():
    gone = device("wk-2", exists=False)
    assert seen("wireguard-key-without-device", gone, node("wk-2", **{KEY: "abc="}))
    assert not seen("wireguard-key-without-device", node("wk-2", **{KEY: "abc="}))
    assert not seen("wireguard-key-without-device", gone, node("wk-1", **{KEY: "abc="}), node("wk-2", other="x"))
    record = thing("Node", "wk-2", status__wireguardPublicKey="abc=")
    assert seen("wireguard-key-without-device", gone, node("wk-2"), record)


def test_keys_of_some_nodes_only():
    (found,) = seen("wireguard-keys-incomplete", node("wk-1", **{KEY: "abc="}), node("wk-2", other="x"))
    assert found.node == "wk-2"
    assert not seen("wireguard-keys-incomplete", node("wk-1", **{KEY: "abc="}), node("wk-2"))
    assert not seen("wireguard-keys-incomplete", node("wk-2", other="x"))


def test_a_table_of_keys_with_gaps():
    key = "A" * 43 + "="
    command = "kubectl get nodes -o custom-columns=N:.metadata.name,K:.metadata.annotations.WireguardPublicKey"
    table = output(command, f"N     K\nwk-1  {key}\nwk-2  <none>")
    (found,) = list(SIGNS["wireguard-keys-incomplete"](picture(artifacts=[table])))
    assert (found.node, found.values) == ("wk-2", {"with_key": "wk-1"})
    whole = output(command, f"N     K\nwk-1  {key}")
    assert not list(SIGNS["wireguard-keys-incomplete"](picture(artifacts=[whole])))
