from __future__ import annotations

import pytest

from calivet.facts.calico import NodeAddress, Pool
from calivet.facts.kubernetes import Row
from calivet.readers.calico.calicoctl import GET_READER as READER
from tests.readers.host_reading import facts_of, reading_of


def test_nodes_wide():
    text = """
    NAME     ASN         IPV4             IPV6
    fig-1    (64512)     10.44.0.11/24
    fig-2    64600       10.44.0.12/24    fd00:44::12/64
    fig-3    (unknown)
    """
    first, second, second_six, third = facts_of(READER, text, "calicoctl get nodes -o wide", "bastion")
    assert isinstance(first, NodeAddress)
    assert (first.node, first.address, first.source, first.host) == ("fig-1", "10.44.0.11/24", "resource", None)
    assert (second.node, second_six.node, second_six.address) == ("fig-2", "fig-2", "fd00:44::12/64")
    assert isinstance(third, Row)
    assert (third.resource, third.name) == ("node", "fig-3")


def test_a_node_s_row_without_the_header():
    (node,) = facts_of(READER, "fig-2   (64512)   10.44.0.12/24", "calicoctl get node -o wide | grep fig-2")
    assert (node.node, node.address) == ("fig-2", "10.44.0.12/24")


def test_plain_nodes_are_rows_only_where_calicoctl_was_asked():
    assert [row.name for row in facts_of(READER, "NAME\nfig-1\nfig-2", "calicoctl get nodes")] == ["fig-1", "fig-2"]
    assert not facts_of(READER, "NAME\nfig-1\nfig-2", "kubectl get nodes -o name")


def test_pools_wide():
    text = """
    NAME                  CIDR            NAT     IPIPMODE      VXLANMODE   DISABLED   DISABLEBGPEXPORT   SELECTOR
    default-ipv4-ippool   10.90.0.0/16    true    CrossSubnet   Never       false      false              all()
    rack-b                10.91.0.0/16    false   Never         Always      true       false              zone == 'b'
    """
    first, second = facts_of(READER, text)
    assert isinstance(first, Pool)
    assert (first.cidr, first.name, first.ipip, first.vxlan) == (
        "10.90.0.0/16",
        "default-ipv4-ippool",
        "CrossSubnet",
        "Never",
    )
    assert (first.disabled, second.disabled) == (False, True)
    assert second.selector == "zone == 'b'"


@pytest.mark.parametrize(
    ("header", "row", "ipip"),
    [
        ("CIDR                  NAT     IPIP", "10.90.0.0/16          true    true", "Always"),
        ("CIDR                  NAT     IPIP", "10.90.0.0/16          true    false", "Never"),
        ("NAME                  CIDR           SELECTOR", "p1                    10.90.0.0/16   all()", None),
    ],
)
def test_pools_of_older_and_shorter_tables(header: str, row: str, ipip: str | None):
    (pool,) = facts_of(READER, f"{header}\n{row}")
    assert (pool.cidr, pool.ipip) == ("10.90.0.0/16", ipip)


def test_peers_and_configuration_are_rows():
    text = """
    NAME       PEERIP      NODE       ASN
    rack-tor   10.44.9.1   (global)   65001

    NAME      LOGSEVERITY   MESHENABLED   ASNUMBER
    default   Info          false         64512
    """
    peer, configuration = facts_of(READER, text)
    assert (peer.resource, peer.cells["PEERIP"], peer.cells["NODE"]) == ("bgppeer", "10.44.9.1", "(global)")
    assert (configuration.resource, configuration.cells["MESHENABLED"]) == ("bgpconfiguration", "false")


def test_a_table_in_a_comment():
    text = """
    # NAME       PEERIP      NODE       ASN
    # rack-tor   10.44.9.1   (global)   65001
    kind: BGPPeer
    """
    (peer,) = facts_of(READER, text)
    assert peer.name == "rack-tor"


def test_ipam_tables():
    text = """
    +----------+--------------+-----------+------------+--------------+
    | GROUPING |     CIDR     | IPS TOTAL | IPS IN USE |   IPS FREE   |
    +----------+--------------+-----------+------------+--------------+
    | IP Pool  | 10.90.0.0/24 |       256 | 250 (98%)  | 6 (2%)       |
    +----------+--------------+-----------+------------+--------------+

    +--------------------+-------+
    |      PROPERTY      | VALUE |
    +--------------------+-------+
    | StrictAffinity     | true  |
    +--------------------+-------+
    """
    pool, affinity = facts_of(READER, text)
    assert (pool.resource, pool.name, pool.cells["IPS FREE"]) == ("ipam", "10.90.0.0/24", "6 (2%)")
    assert (affinity.name, affinity.cells["VALUE"]) == ("StrictAffinity", "true")


@pytest.mark.parametrize(
    "text",
    [
        "NAME                READY   STATUS    RESTARTS   AGE\ncalico-node-4kq2z   1/1     Running   0          14m",
        "NAME      STATUS   ROLES    AGE   VERSION\nfig-1     Ready    master   33d   v1.18.2",
        "NAME                  CIDR           NODE   STATE       CREATED\nfig-1-10-90-0-0-26    10.90.0.0/26   fig-1  confirmed   2024-01-29T18:45:29Z",
        "NAME   IP            ZONE\nfig-1  10.44.0.11    a",
    ],
)
def test_kubectl_s_tables_are_not_calicoctl_s(text: str):
    assert not reading_of(READER, text).facts


def test_a_table_ends_where_its_rows_do():
    text = """
    NAME                  CIDR            SELECTOR
    default-ipv4-ippool   10.90.0.0/16    all()
    that is all there is
    """
    assert len(facts_of(READER, text)) == 1
