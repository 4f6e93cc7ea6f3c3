from __future__ import annotations

import pytest

from calivet.live.overview import (
    ClusterOverview,
    NodeRow,
    choose_machines,
    find_server_seen_from_afar,
    list_machines,
    list_peers,
)

COLUMNS = ["Name", "Status", "Roles", "Age", "Version", "Internal-IP", "External-IP"]


def overview(count, sick=(), **annotations):
    """Nodes n1, n2, ... at 10.0.0.1, 10.0.0.2, ..."""
    made = ClusterOverview(node_columns=COLUMNS)
    for number in range(1, count + 1):
        cells = [f"n{number}", "Ready", "<none>", "1d", "v1", f"10.0.0.{number}", "<none>"]
        told = {f"projectcalico.org/{key}": f"10.0.0.{number}/24" for key in annotations}
        made.nodes.append(NodeRow(f"n{number}", number not in sick, cells, told))
    return made


def names(chosen):
    return [machine.node for machine in chosen]


def test_name_and_address():
    [machine] = list_machines(overview(1))
    assert (machine.node, machine.address) == ("n1", "10.0.0.1")


def test_a_node_without_an_address():
    one = overview(1)
    one.nodes[0].cells[5] = "<none>"
    assert list_machines(one)[0].address == ""
    one.node_columns = []
    assert list_machines(one)[0].address == ""


def test_all_of_a_few_the_sick_ones_first():
    chosen, left = choose_machines(overview(5, sick=(3,)), ["n4"])
    assert names(chosen) == ["n3", "n4", "n1", "n2", "n5"]
    assert left == 0


def test_of_many_the_sick_ones_and_a_few_for_contrast():
    chosen, left = choose_machines(overview(40, sick=(7, 9)), [])
    assert names(chosen) == ["n7", "n9", "n1", "n2", "n3"]
    assert left == 35


def test_not_even_all_the_sick_ones_of_very_many():
    chosen, left = choose_machines(overview(100, sick=range(1, 81)), [])
    assert len(chosen) == 30
    assert names(chosen)[-3:] == ["n81", "n82", "n83"]
    assert left == 70


def test_peers_are_the_others_by_calicos_own_address():
    assert list_peers(overview(4, sick=(3,), IPv4Address=1), "n1") == ["10.0.0.3", "10.0.0.2", "10.0.0.4"]
    assert len(list_peers(overview(99, IPv4Address=1), "n1")) == 20


def test_where_calico_speaks_no_bgp_there_are_no_peers():
    assert list_peers(overview(4, IPv4Address=1, IPv4VXLANTunnelAddr=1), "n1") == []
    assert list_peers(overview(4), "n1") == []
    assert list_peers(overview(2, IPv4Address=1, IPv4VXLANTunnelAddr=1, IPv4IPIPTunnelAddr=1), "n1") == ["10.0.0.2"]


@pytest.mark.parametrize(
    ("server", "seen"),
    [
        ("https://10.0.0.1:6443", "10.0.0.1:6443"),
        ("https://api.example.net", "api.example.net:443"),
        ("https://[fd00::1]:6443/prefix", "[fd00::1]:6443"),
        ("https://127.0.0.1:34567", None),
        ("https://localhost:6443", None),
        ("https://[::1]:6443", None),
        ("", None),
    ],
)
def test_the_api_server_as_others_see_it(server, seen):
    assert find_server_seen_from_afar(server) == seen
