"""Signs in reachability tests: pods across nodes, services and node ports."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import Pool
from calivet.facts.fact import Reach
from calivet.facts.kubernetes import Node, Pod, Row
from calivet.facts.picture import HOST_NETWORK, Picture
from calivet.signs.computed.network_table import NetworkTable
from calivet.signs.computed.networks import network
from calivet.signs.sighting import Sighting

_NODE_PORTS = range(30000, 32768)


def pod_traffic_lost(picture: Picture) -> Iterator[Sighting]:
    """A test that did not reach a pod's address."""
    nodes = {node.internal_ip for node in picture.all(Node)}
    nodes |= {pod.ip for pod in picture.all(Pod) if picture.role(pod) in HOST_NETWORK}
    pods = {pod.ip for pod in picture.all(Pod) if pod.ip} - nodes
    pools = NetworkTable((where, None) for pool in picture.all(Pool) if (where := network(pool.cidr)))
    for reach in _failed(picture):
        if reach.target in pods or (reach.target not in nodes and pools.holding(reach.target)):
            yield _sighting(reach, picture)


def service_unreachable(picture: Picture) -> Iterator[Sighting]:
    """A test that did not reach a service's address or a node port."""
    services = {row.cells.get("CLUSTER-IP") for row in picture.all(Row)}
    for reach in _failed(picture):
        if reach.target in services or reach.port in _NODE_PORTS:
            yield _sighting(reach, picture)


def _failed(picture: Picture) -> Iterator[Reach]:
    return (reach for reach in picture.all(Reach) if reach.outcome != "ok")


def _sighting(reach: Reach, picture: Picture) -> Sighting:
    target = f"{reach.target}:{reach.port}" if reach.port else reach.target
    node = picture.names.node(reach.host) or reach.host
    return Sighting(line=reach.at, node=node, values={"target": target, "outcome": reach.outcome})


SIGNS = {"pod-traffic-lost": pod_traffic_lost, "service-unreachable": service_unreachable}
