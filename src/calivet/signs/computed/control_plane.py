"""Signs in the parts Calico depends on: API server, etcd, Typha, and the datastore it was told to use."""

from __future__ import annotations

from collections.abc import Iterator

from calivet.facts.calico import CniConfig
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Object, Pod
from calivet.facts.picture import Picture, is_healthy, is_sick
from calivet.signs.sighting import Sighting

_ETCD_NAMES = ("ETCD_ENDPOINTS", "ETCD_AUTHORITY")
SHOWN = 3


def apiserver_sick(picture: Picture) -> Iterator[Sighting]:
    """A kube-apiserver pod that was seen in a bad state."""
    return _sick(picture, "apiserver")


def etcd_sick(picture: Picture) -> Iterator[Sighting]:
    """An etcd pod that was seen in a bad state."""
    return _sick(picture, "etcd")


def typha_none_ready(picture: Picture) -> Iterator[Sighting]:
    """Typha pods are there, and none of them was ever seen ready."""
    pods = [pod for pod in picture.pods("typha") if is_sick(pod) or is_healthy(pod)]
    if pods and not any(is_healthy(pod) for pod in pods):
        yield _sighting(pods[0])


def some_calico_nodes_healthy(picture: Picture) -> Iterator[Sighting]:
    """calico-node is sick on some nodes and works on others."""
    pods = picture.latest_pods("calico-node")
    healthy = [pod for pod in pods if is_healthy(pod)]
    if healthy and any(is_sick(pod) for pod in pods):
        named = ", ".join(pod.node or pod.name for pod in healthy[:SHOWN])
        yield Sighting(line=healthy[0].at, values={"healthy": named})


def calico_etcd_mode(picture: Picture) -> Iterator[Sighting]:
    """Calico is told to keep its data in etcd."""
    for variable in picture.all(Variable):
        chosen = variable.name == "DATASTORE_TYPE" and variable.value.lower().startswith("etcd")
        if chosen or (variable.name in _ETCD_NAMES and variable.value):
            yield Sighting(line=variable.at, values={"setting": variable.name})
    for thing in picture.all(Object):
        if any(path.endswith("etcd_endpoints") and "://" in str(value) for path, value in thing.values.items()):
            yield Sighting(line=thing.at, values={"setting": "etcd_endpoints"})
    for config in picture.all(CniConfig):
        if (config.datastore or "").startswith("etcd"):
            yield Sighting(line=config.at, values={"setting": "datastore_type"})


def calico_kubernetes_mode(picture: Picture) -> Iterator[Sighting]:
    """Calico is told to keep its data in the Kubernetes API."""
    for variable in picture.all(Variable):
        if variable.name == "DATASTORE_TYPE" and variable.value.lower() == "kubernetes":
            yield Sighting(line=variable.at)
    for config in picture.all(CniConfig):
        if config.datastore == "kubernetes":
            yield Sighting(line=config.at)


def _sick(picture: Picture, role: str) -> Iterator[Sighting]:
    return (_sighting(pod) for pod in picture.pods(role) if is_sick(pod))


def _sighting(pod: Pod) -> Sighting:
    return Sighting(line=pod.at, node=pod.node, values={"pod": pod.name, "status": _status(pod)})


def _status(pod: Pod) -> str:
    return f"{pod.status} {pod.ready}/{pod.containers}" if pod.status == "Running" else str(pod.status)


SIGNS = {
    "apiserver-sick": apiserver_sick,
    "etcd-sick": etcd_sick,
    "typha-none-ready": typha_none_ready,
    "some-calico-nodes-healthy": some_calico_nodes_healthy,
    "calico-etcd-mode": calico_etcd_mode,
    "calico-kubernetes-mode": calico_kubernetes_mode,
}
